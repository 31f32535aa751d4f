#!/usr/bin/env bash
# Builds the wheel from a build tree, installs it into a virtual environment, and runs the Python tests
# and the notebooks there:
#     bash python_test.sh BUILD_DIR SOURCE_DIR [--program]
# --program: only the tests of the wheel and of the program in it, which depend on the build.
# The environment stays in the build tree for the next call. Exit code 77: it cannot be made here. Nothing
# is compiled.
set -uo pipefail
build=$(cd "${1:?usage: python_test.sh BUILD_DIR SOURCE_DIR}" && pwd) || exit 2
source=$(cd "${2:?usage: python_test.sh BUILD_DIR SOURCE_DIR}" && pwd) || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/camber-python-test.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
unset CAMBER_BUILDER CAMBER_PROGRAM PYTHONPATH MPLBACKEND
skip() {
    echo "test skipped: $1"
    exit 77
}
packages='numpy pandas pytest scikit-build-core' tests=("$source/tests/python")
if [[ ${3:-} == --program ]]; then
    tests=("$source"/tests/python/{package,commands,trial}_test.py -k 'wheel or console or run_verifies or workload')
else
    packages+=' matplotlib tqdm mypy nbclient ipykernel'
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    skip 'there is no python3 of version 3.10 or newer'
venv=$build/tests/python
# What the environment has: each line names a Python and packages that are installed.
has="$(python3 -VV | tr '\n' ' ')$(command -v python3):"
# The pip of python3 installs into an environment without one, which is made faster.
pip=(python3 -m pip --python "$venv/bin/python" --disable-pip-version-check --quiet)
if ! grep -qsF -- "$has $packages" "$venv/installed"; then
    if ! { python3 -m venv --clear --without-pip "$venv" && "${pip[@]}" --version; } >"$work/log" 2>&1; then
        pip=("$venv/bin/python" -m pip --disable-pip-version-check --quiet)
        python3 -m venv --clear "$venv" >"$work/log" 2>&1 ||
            skip "python3 makes no virtual environment: $(tail -n 1 "$work/log")"
    fi
    # shellcheck disable=SC2086  # one package per word
    "${pip[@]}" install --no-compile --retries 1 $packages >"$work/log" 2>&1 || skip "pip cannot install the packages of the test: $(tail -n 1 "$work/log")"
    echo "$has $packages" >"$venv/installed"
fi
[[ ! -x $venv/bin/pip ]] || pip=("$venv/bin/python" -m pip --disable-pip-version-check --quiet)

fail() {
    tail -n 30 "$work/log"
    echo "FAIL: $1"
    exit 1
}
# Without a compiler, the output ends with one sentence that names the remedy.
if CXX=$work/none "${pip[@]}" wheel "$source" --no-deps --no-build-isolation -w "$work" \
    -Cbuild-dir="$work/without" >"$work/log" 2>&1 ||
    ! grep -q 'camber was not built.*: it needs g++ 12 or newer' "$work/log"; then
    fail 'a missing compiler is one sentence'
fi
"${pip[@]}" wheel "$source" --no-deps --no-build-isolation -w "$work" -Cbuild-dir="$work/build" \
    -Ccmake.define.CAMBER_PREBUILT="$build" >"$work/log" 2>&1 || fail 'pip wheel builds the wheel'
wheels=("$work"/camber-*-py3-none-*.whl)
size=$(stat -c %s "${wheels[0]}") || fail 'there is a wheel for this platform'
echo "wheel: ${wheels[0]##*/}, $((size / 1000)) kB"
"${pip[@]}" install --no-compile --no-deps --force-reinstall "${wheels[0]}" >"$work/log" 2>&1 || fail 'pip installs the wheel'
export XDG_CACHE_HOME="$work/cache"
cd "$work" || exit 2
"$venv/bin/python" -m pytest -q -p no:cacheprovider -c "$source/pyproject.toml" --rootdir "$source" \
    --durations=8 "${tests[@]}"
