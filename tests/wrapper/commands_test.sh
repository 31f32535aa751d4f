#!/usr/bin/env bash
# Compares the compile commands of a tree without tests, MPI and CUDA with those of a tree that has all
# three (CUDA if nvcc is present):
#   bash commands_test.sh SOURCE_DIR [CMAKE ARGS...]
# CMAKE ARGS: for both trees, such as where libraries are.
#
# `./camber run` configures the first tree and `./camber test --all` the second one, in the same folder.
# A command or generated source that differs would cause recompilation. Only the substitutes for
# CUDA may be missing from the second tree.
set -euo pipefail

source_dir=$(cd "${1:?usage: commands_test.sh SOURCE_DIR}" && pwd)
places=("${@:2}")
work=$(mktemp -d "${TMPDIR:-/tmp}/camber-commands-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

configure() {
    rm -rf "$work/build/CMakeCache.txt"
    cmake -S "$source_dir" -B "$work/build" -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        "${places[@]}" "$@" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
}
# Prints the command of each object, and the checksum of each generated source.
recorded() {
    {
        grep '"command"' "$work/build/compile_commands.json" | grep -v 'no_cuda\.cpp'
        find "$work/build" -name '*.cpp' -not -path '*/CMakeFiles/*' -exec cksum {} +
    } | sort
}

configure -DCAMBER_TESTS=OFF -DCAMBER_CUDA=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
recorded >"$work/program"
if grep 'units/workloads_' "$work/program" | grep -e ' -O[g012] '; then
    echo 'references of workloads, which are timed, are not compiled with -O3'
    exit 1
fi
configure -DCAMBER_TESTS=ON -DCAMBER_CUDA=AUTO
recorded >"$work/tests"
if [[ $(wc -l <"$work/program") -lt 50 ]]; then
    echo "only $(wc -l <"$work/program") commands and sources were recorded"
    exit 1
fi
if comm -23 "$work/program" "$work/tests" | grep .; then
    echo 'these commands and sources of the program change when tests, MPI and CUDA are added'
    exit 1
fi
echo "$(wc -l <"$work/program") commands and sources stay the same with tests, MPI and CUDA"
