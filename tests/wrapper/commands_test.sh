#!/usr/bin/env bash
# Compares the compile commands of a tree without tests and MPI with those of a tree that has both:
#   bash commands_test.sh SOURCE_DIR CAMBER_CUDA
#
# `./camber run` configures the first tree and `./camber test` the second one, in the same folder. A
# command or generated source that differs would be compiled again.
set -euo pipefail

source_dir=$(cd "${1:?usage: commands_test.sh SOURCE_DIR CAMBER_CUDA}" && pwd)
cuda=${2:?usage: commands_test.sh SOURCE_DIR CAMBER_CUDA}
work=$(mktemp -d "${TMPDIR:-/tmp}/camber-commands-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

configure() {
    rm -rf "$work/build/CMakeCache.txt"
    cmake -S "$source_dir" -B "$work/build" -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        -DCAMBER_CUDA="$cuda" "$@" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
}
# The command of each object, and the checksum of each generated source.
recorded() {
    {
        grep '"command"' "$work/build/compile_commands.json"
        find "$work/build" -name '*.cpp' -not -path '*/CMakeFiles/*' -exec cksum {} +
    } | sort
}

configure -DCAMBER_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
recorded >"$work/program"
configure -DCAMBER_TESTS=ON
recorded >"$work/tests"
if [[ $(wc -l <"$work/program") -lt 50 ]]; then
    echo "only $(wc -l <"$work/program") commands and sources were recorded"
    exit 1
fi
if comm -23 "$work/program" "$work/tests" | grep .; then
    echo 'these commands and sources of the program change when tests and MPI are added'
    exit 1
fi
echo "$(wc -l <"$work/program") commands and sources stay the same with tests and MPI"
