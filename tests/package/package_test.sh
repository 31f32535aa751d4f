#!/usr/bin/env bash
# Installs camber, builds its packages, and runs the results outside of the source tree:
#     bash package_test.sh BUILD_DIR
set -uo pipefail
build=$(cd "${1:?usage: package_test.sh BUILD_DIR}" && pwd) || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/camber-package-test.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
unset CAMBER_BUILDER
failures=0
export XDG_CACHE_HOME=$work/cache
with_cuda=$(grep '^CMAKE_CUDA_ARCHITECTURES:' "$build/CMakeCache.txt")
for_gpu=()
if [[ $with_cuda ]] && command -v nvcc /usr/local/cuda/bin/nvcc >/dev/null; then for_gpu=(--arch sm_90); fi
check() { # check NAME COMMAND...: the command must succeed
    if "${@:2}" >"$work/log" 2>&1; then
        echo "PASS: $1"
    else
        echo "FAIL: $1"
        tail -n 20 "$work/log" | sed 's/^/  | /'
        failures=$((failures + 1))
    fi
}

# Tests the program of the installation in an otherwise empty folder.
try_program() {
    local prefix=$work/installed folder=$work/elsewhere
    local camber=$prefix/bin/camber
    mkdir "$folder" && cd "$folder" || exit 2
    check "installed: it starts" "$camber" --version
    check "installed: its libraries stand beside it" bash -c "! ldd '$camber' | grep -q 'not found'"
    check "installed: it measures and verifies" \
        "$camber" run --workload blur --backend simt --size 64x64 --variant 'halo/16x16*' --out blur.json
    check "installed: it has every workload" "$camber" model --workload magflow --size 64x64 \
        --variant 'magflow/*global*16x16*' --json model.json
    check "installed: it prints published tables" "$camber" reproduce topa-1
    check "installed: it draws charts" "$camber" report blur.json -o page.html
    check "installed: the charts' library is in the page" grep -q vega page.html
    if [ -e "$build/camber-mpi.so" ]; then
        check "installed: it finds MPI" bash -c "'$camber' list backends | grep -q '^ranks usable'"
    fi
    check "installed: it has the recorder of captures" \
        bash -c "'$camber' capture --list -- true 2>&1 | grep -q 'did not use a GPU'"
    check "installed: bash completes its commands" \
        bash -n "$prefix/share/bash-completion/completions/camber"
    check "installed: it has the cards' ceilings" bash -c "'$camber' model --variant 'halo/16x16/*' \
        --ceilings h200 | grep -q 'NVIDIA H200'"
    check "installed: it has the campaigns" bash -c "'$camber' reproduce balasalle-life \
        --from results/h200 --from results/h100 | grep -q 'H100'"
    check "installed: it has the guide's kernels" bash -c "'$camber' model --workload blur \
        --candidate examples/kernels/blur_columns.cu --size 64x64 | grep -q blur_columns"
    mkdir cmake && printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(p LANGUAGES NONE)' \
        'find_package(camber 0.1 REQUIRED)' >cmake/CMakeLists.txt
    check "installed: CMake finds it" cmake -S cmake -B cmake/build -D CMAKE_PREFIX_PATH="$prefix"
    check "installed: it writes gates into a project" bash -c "mkdir project && '$camber' init project"
    check "installed: the schema came along" test -s "$prefix/share/camber/schema/camber-results.schema.json"
    # Uses only the installed sources; with CUDA, also compiles for a GPU.
    check "installed: it tries a technique from a file" "$camber" try \
        "$prefix/share/camber/examples/techniques/four_rows.hpp" --workload blur --size 64x64 \
        --backend simt "${for_gpu[@]}"
    check "installed: the header of libraries came along" \
        gcc -std=c99 -fsyntax-only -xc "$prefix/include/camber/launch.h"
    cd "$work" || exit 2
}

# Stripped, as the packages are.
check 'cmake --install works' cmake --install "$build" --prefix "$work/installed" --strip
try_program

# The guide's commands find their input files in the installation; other projects find the installation,
# and gate their kernels with it. Neither depends on CUDA, so only a build without it runs them
# (`./camber test --all` makes both builds).
if command -v python3 >/dev/null && [[ ! $with_cuda ]]; then
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    check 'the commands of the guide work outside of a clone' \
        python3 "$root/tests/docs/console_test.py" "$root" "$work/installed/bin/camber" \
        README.md $(cd "$root" && ls docs/guide/*.md | grep -v foreign-project) --outside
    check 'the page about other projects shows what the installed program prints' \
        python3 "$root/tests/docs/console_test.py" "$root" \
        "$work/installed/bin/camber" docs/guide/foreign-project.md
    check 'another project is gated by the installed program' \
        python3 "$root/tests/foreign/foreign_test.py" "$root" "$work/installed"
fi

check 'CPack makes packages' cpack --config "$build/CPackConfig.cmake" -B "$work/packages"
# For CI to store: the only files that this test leaves behind.
mkdir -p "$build/packages" && cp "$work"/packages/*.{deb,tar.gz} "$build/packages/"
mkdir "$work/archive"
check 'there is an archive' \
    bash -c "tar -xzf '$work'/packages/*.tar.gz -C '$work/archive' --strip-components=1"
# Equal files: what was tried of the installation applies to the archive and to the Debian package.
check 'the archive has the files of the installation' diff -r "$work/installed" "$work/archive"
check 'archive: it starts' "$work/archive/bin/camber" --version
check 'archive: its libraries stand beside it' \
    bash -c "! ldd '$work/archive/bin/camber' | grep -q 'not found'"
# Contains the campaigns' summaries, not the campaigns.
check 'the archive is small' bash -c "[ \$(du -sm '$work/archive/share/camber' | cut -f1) -lt 60 ]"
if command -v dpkg-deb >/dev/null; then
    check 'there is a Debian package' bash -c "dpkg-deb -x '$work'/packages/*.deb '$work/debian'"
    check 'the Debian package has the files of the archive' diff -r "$work/archive" "$work/debian/usr"
    check 'Debian package: it starts' "$work/debian/usr/bin/camber" --version
    # Bundled libraries satisfy all dependencies except run-time libraries of the system.
    check 'it depends on run-time libraries only' \
        bash -c "dpkg-deb -f '$work'/packages/*.deb Depends | grep libc6 | grep -qv -e -dev -e cuda"
fi
echo "$failures failures"
exit $((failures > 0))
