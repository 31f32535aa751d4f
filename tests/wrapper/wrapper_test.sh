#!/usr/bin/env bash
# Tests ./camber on a small project of its own:  bash wrapper_test.sh SOURCE_DIR
#
# The wrapper is copied beside a trivial CMakeLists.txt into a directory with a blank in its name.
# dpkg-query, apt-get and sudo are stubs throughout, so that this test never installs anything.
set -uo pipefail

source_dir=$(cd "${1:?usage: wrapper_test.sh SOURCE_DIR}" && pwd) || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/camber-wrapper-test.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
# The caller's settings for the real build do not apply here.
unset CAMBER_PRESET CAMBER_JOBS CAMBER_CMAKE_ARGS CAMBER_SKIP_PACKAGES CAMBER_CUDA CUDA_HOME CUDA_PATH
unset CXXFLAGS LDFLAGS NINJA_STATUS
export LC_ALL=C

project="$work/a project"
stubs="$work/stubs"
mkdir -p "$project" "$stubs" "$work/elsewhere"
cp "$source_dir/camber" "$source_dir/CMakePresets.json" "$project/"

cat >"$project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(wrapper_test LANGUAGES CXX)
find_program(NVCC nvcc)
message(STATUS "nvcc is ${NVCC}, option is ${WRAPPER_OPTION}")
message(STATUS "CUDA is ${CAMBER_CUDA}.")
add_executable(camber-run main.cpp)
set_target_properties(camber-run PROPERTIES OUTPUT_NAME camber)
add_custom_target(camber-program DEPENDS camber-run commands)
add_executable(kernels other.cpp)
add_custom_target(camber-first-table DEPENDS camber-run kernels)
add_executable(commands other.cpp)
option(CAMBER_TESTS "Build the tests" ON)
if(CAMBER_TESTS)
  add_executable(tests-alone other.cpp)
endif()
add_executable(other other.cpp)
add_custom_target(camber-complete DEPENDS other)
enable_testing()
add_test(NAME verdict COMMAND other)
add_test(NAME "long verdict" COMMAND other)
set_tests_properties("long verdict" PROPERTIES LABELS slow)
add_test(NAME "portable verdict" COMMAND other)
set_tests_properties("portable verdict" PROPERTIES LABELS portable)
add_test(NAME "docs: verdict" COMMAND other)
END
cat >"$project/main.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) std::printf("<%s>\n", argv[i]);
    const char* code = std::getenv("WRAPPER_TEST_CODE");
    return code ? std::atoi(code) : 0;
}
END
echo 'int main() { return 0; }' >"$project/other.cpp"

# stub NAME [DIRECTORY]: installs the script on standard input as the command NAME.
stub() {
    { echo '#!/bin/bash' && cat; } >"${2:-$stubs}/$1"
    chmod +x "${2:-$stubs}/$1"
}
# STUB_MISSING names the one package that the dpkg-query stub does not find.
stub dpkg-query <<'END'
for word; do
    case $word in -*|*'$'*|"${STUB_MISSING:-}") ;; *) echo "installed $word" ;; esac
done
[[ -z ${STUB_MISSING:-} ]]
END
stub apt-get <<END
echo "apt-get \$*" >>"$work/apt.log"
echo "a line of apt"
[[ \$1 != "\${STUB_APT_FAILS:-}" ]]
END
stub sudo <<END
echo "sudo \$1" >>"$work/apt.log"
exec "\$@"
END
stub id <<'END'
echo "${STUB_UID:-0}"
END
PATH="$stubs:$PATH"

failures=0
report() { # report CONDITION_STATUS NAME
    if [[ $1 == 0 ]]; then
        echo "PASS: $2"
    else
        echo "FAIL: $2"
        echo "  exit code $code; standard output, then standard error:"
        sed 's/^/  1| /' "$work/out"
        sed 's/^/  2| /' "$work/err"
        failures=$((failures + 1))
    fi
}
code=0
camber() { # runs the wrapper from another directory; leaves $code, $work/out and $work/err
    (cd "$work/elsewhere" && "$project/camber" "$@") >"$work/out" 2>"$work/err" </dev/null
    code=$?
}
check_code() { [[ $code == "$1" ]]; report $? "$2"; }
check_out() { [[ $(cat "$work/out") == "$1" ]]; report $? "$2"; }
check_says() { grep -qF -- "$1" "$work/err"; report $? "$2"; }
check_silent() { [[ ! -s $work/err ]]; report $? "$1"; }
check_printed() { grep -qF -- "$1" "$work/out"; report $? "$2"; }
all_passed='100% tests passed(, 0 tests failed)? out of' # older and newer CTest
check_passed() { grep -qE -- "$all_passed $1\$" "$work/out"; report $? "$2"; } # COUNT NAME

echo '# settings'
camber test --help
[[ $code == 0 && $(wc -l <"$work/out") == 3 && ! -e $project/build ]]
report $? 'test --help prints three lines and builds nothing'
CAMBER_PRESET=fast camber x
check_code 2 'an unknown preset is a usage error'
check_says "'fast': set CAMBER_PRESET to one of release, blackwell, dev, host, sanitize" 'it is answered with the valid presets'
CAMBER_CUDA=yes camber x
check_code 2 'CAMBER_CUDA that is none of its words is a usage error'
check_says "CAMBER_CUDA is 'yes': set it to on, off or auto" 'it is answered with the words'
CAMBER_JOBS=many camber x
check_code 2 'CAMBER_JOBS that is no number is a usage error'
[[ ! -e $project/build ]]
report $? 'a wrong setting leaves nothing behind'
listed=$(cmake -S "$project" --list-presets | sed -n 's/^ *"\([a-z]*\)".*/\1/p' | sort | tr '\n' ' ')
[[ $listed == 'blackwell dev host release sanitize ' ]]
report $? 'CMakePresets.json has the presets that the wrapper names'

echo '# building and running'
camber run --workload blur
[[ ! -e $project/build/release/kernels ]]
report $? "a run of another workload does not build the usual one's kernels"
camber run
check_out '<run>' 'the command run is built and run'
[[ -e $project/build/release/kernels ]]
report $? "kernels of the usual workload are built with the program"
[[ ! -e $project/build/release/commands ]]
report $? 'the first table does not wait for the other commands'
# shellcheck disable=SC2016  # the dollar is to arrive as it is
camber one 'two words' "a 'quoted' \"word\"" '' '*' '$HOME\n' --flag=x
check_code 0 'another command builds and runs the program'
[[ -e $project/build/release/commands ]]
report $? 'another command has all of them built'
check_out "<one>
<two words>
<a 'quoted' \"word\">
<>
<*>
<\$HOME\\n>
<--flag=x>" "standard output is the program's alone, and arguments arrive unchanged"
[[ $(wc -l <"$work/err") == 1 ]] && grep -q '^camber: building the release preset' "$work/err"
report $? 'off a terminal, a build says one line on standard error'
[[ ! -e $project/build/release/other ]]
report $? 'a plain run does not build the tests'
camber --build other
check_code 0 'a part is built by its name'
check_says 'camber: building other of the release preset' 'a build of a part says of which'

start=$(date +%s%N)
WRAPPER_TEST_CODE=37 camber again
elapsed=$((($(date +%s%N) - start) / 1000000))
check_code 37 "the program's exit code is passed on"
check_silent "a second run says and builds nothing ($elapsed ms)"

ln -s "$project/camber" "$work/elsewhere/link"
(cd / && "$work/elsewhere/link" linked) >"$work/out" 2>"$work/err"
check_out '<linked>' 'it runs through a symbolic link'
check_silent 'a symbolic link leads to the same build'

sed -i 's/<%s>/[%s]/' "$project/main.cpp"
camber changed
check_out '[changed]' 'a changed source is rebuilt'
check_says 'camber: building' 'a rebuild is announced'

cp "$project/main.cpp" "$work/main.cpp"
echo 'int broken = "text";' >>"$project/main.cpp"
camber x
check_code 5 'a compile error ends with exit code 5'
check_says 'int broken = "text";' "a compile error shows the compiler's message"
check_out '' 'a compile error leaves standard output empty'
cp "$work/main.cpp" "$project/main.cpp"

cp "$project/CMakeLists.txt" "$work/CMakeLists.txt"
echo 'message(FATAL_ERROR "a broken list file")' >>"$project/CMakeLists.txt"
camber x
check_code 5 'an error in CMakeLists.txt ends with exit code 5 in a configured tree'
check_says 'a broken list file' "it shows CMake's message there"
CAMBER_PRESET=host camber x
check_code 5 'an error in CMakeLists.txt ends with exit code 5 in a fresh tree'
check_says 'a broken list file' "it shows CMake's message there too"
cp "$work/CMakeLists.txt" "$project/CMakeLists.txt"

echo '# ./camber test'
# compiled PRESET: prints the last line of Ninja's log for each object. It contains the step's
# times, so that a repeated step changes the line.
compiled() {
    awk '/\.o\t/ { last[$4] = $0 } END { for (object in last) print last[object] }' \
        "$project/build/$1/.ninja_log" | sort
}
camber run
compiled release >"$work/before"
camber test
check_code 0 'passing tests end with exit code 0'
[[ -s $work/before && -z $(comm -23 "$work/before" <(compiled release)) ]]
report $? 'the tests compile no object of the program again'
[[ -e $project/build/release/tests-alone ]]
report $? 'the tests are built'
camber run
check_silent 'the program is up to date after the tests'
camber test
check_passed '3' "ctest's closing lines are shown, of all but slow tests"
camber test -R verdict -N
check_printed 'Test #1: verdict' 'further arguments reach ctest'
camber test -R long
check_passed '1' 'a slow test runs when it is named'
camber test -E portable
check_passed '2' 'slow tests stay out where others are left out'
CAMBER_PRESET=host camber test --all
check_passed '4' 'all tests run in a preset without CUDA'
CAMBER_PRESET=host camber test --all -N -R port
check_printed 'Total Tests: 1' 'further arguments reach ctest after --all'
stub nproc <<<'echo 6'
stub ctest <<<'echo "ctest $*"'
camber test
check_printed ' --parallel 8 ' 'a quarter more tests than cores run at once'
CAMBER_JOBS=5 camber test
check_printed ' --parallel 5 ' 'CAMBER_JOBS limits the tests, too'
rm "$stubs/nproc" "$stubs/ctest"
echo '#include <cstdio>
int main() { std::puts("why it failed"); return 1; }' >"$project/other.cpp"
camber test
[[ $code != 0 && $code != 5 ]]
report $? "a failing test ends with ctest's exit code"
check_printed 'why it failed' 'the output of a failing test is shown'

echo '# kernels for GPUs'
cuda_is() { # cuda_is WORD NAME
    grep -qxF -- "-- CUDA is $1." "$project/build/release/configure.log"
    report $? "$2"
}
stub nvcc </dev/null
camber --build other
CAMBER_CUDA=on camber test
cuda_is ON 'CAMBER_CUDA=on has them compiled'
CAMBER_CUDA=off camber test
cuda_is OFF 'CAMBER_CUDA=off does not'
CAMBER_CMAKE_ARGS=-DCMAKE_CUDA_ARCHITECTURES=80 camber test
cuda_is AUTO 'they are compiled if an architecture is named'
camber --build
cuda_is AUTO 'they are compiled for what is to be installed'
if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null && [[ ! -e /dev/dxg && ! -e /dev/nvhost-gpu && ! -e /dev/nvgpu ]]; then
    camber run
    cuda_is OFF 'a machine without a GPU does not wait for them'
fi
camber test --all
[[ $code != 0 && $code != 5 ]] && grep -q '0% tests passed, 3 tests failed out of 3' "$work/out"
report $? 'a failure in the build without CUDA ends the tests'
echo 'int main() { return 0; }' >"$project/other.cpp"
camber test --all
check_code 0 'all tests pass in both builds'
[[ $(grep -cE "$all_passed 3\$" "$work/out") == 2 ]]
report $? 'pages are tested in one build, and portable code in the other one'
cuda_is AUTO 'the last build is the one with CUDA'
rm "$stubs/nvcc"

echo '# packages'
# A system without compiler, CMake and package manager, with only the tools that the wrapper calls.
mkdir "$work/bare"
for tool in bash env dirname readlink mkdir cat nproc sort rm flock tail; do
    path=$(type -P "$tool") && ln -s "$path" "$work/bare/$tool"
done
rm -rf "$project/build/host"
CAMBER_PRESET=host CXX='' PATH="$work/bare" camber x
check_code 5 'missing tools without a package manager end with exit code 5'
check_says 'g++ cmake ninja-build' 'the missing packages are named'
check_says 'Google Benchmark' 'the names for other systems are given'

# A system with the tools and apt-get, and a user without permission to install.
mkdir "$work/user"
for tool in cmake ninja g++; do stub "$tool" "$work/user" </dev/null; done
cp "$stubs/dpkg-query" "$stubs/apt-get" "$stubs/id" "$work/user/"
CAMBER_PRESET=host STUB_MISSING=libcli11-dev STUB_UID=1000 PATH="$work/bare:$work/user" camber x
check_code 5 'a missing library ends with exit code 5 where there is neither root nor sudo'
check_says "run 'apt-get install -y --no-install-recommends libcli11-dev'" 'the command to run is given'
[[ ! -e $work/apt.log ]]
report $? 'nothing is installed without root'

stub cmake "$work/user" <<<'echo "cmake version 3.22.1"'
CAMBER_PRESET=host PATH="$work/bare:$work/user" camber x
check_code 5 'an old CMake ends with exit code 5'
check_says 'cmake 3.22.1 is too old' 'an old CMake is named with its version'
stub cmake "$work/user" <<<'echo "cmake version 3.25.1"'
stub g++ "$work/user" <<<'echo 11.4.0'
CAMBER_PRESET=host CXX='' PATH="$work/bare:$work/user" camber x
check_code 5 'an old g++ ends with exit code 5'
check_says 'g++ 11.4.0 is too old' 'an old g++ is named with its version'

CAMBER_PRESET=host STUB_MISSING=libcli11-dev STUB_APT_FAILS=install camber x
check_code 5 'a package manager that fails ends with exit code 5'
check_says "'apt-get install -y --no-install-recommends libcli11-dev' failed" 'the failed command is named'
rm -f "$work/apt.log"

# This build also checks the search for nvcc; the first one on PATH takes precedence.
toolkit="$work/cuda toolkit"
mkdir -p "$toolkit/bin"
stub nvcc "$toolkit/bin" </dev/null
type -P nvcc >/dev/null && expected=$(type -P nvcc) || expected=$toolkit/bin/nvcc
CAMBER_PRESET=host CUDA_HOME=$toolkit STUB_MISSING=libcli11-dev STUB_UID=1000 camber x
check_code 0 'after an installation through sudo the program is built and run'
check_out '[x]' 'the package manager writes nothing to standard output'
[[ $(cat "$work/apt.log") == 'sudo env
apt-get update
sudo env
apt-get install -y --no-install-recommends libcli11-dev' ]]
report $? 'the installation is an update and one install of what is missing'
grep -qF "nvcc is $expected, option is " "$project/build/host/configure.log"
report $? 'the configure step sees nvcc, on PATH or in CUDA_HOME'

# Stubs for a download and for its extraction.
stub apt-get <<END
echo "apt-get \$*" >>"$work/apt.log"
[[ \$1 != "\${STUB_APT_FAILS:-}" ]] || exit 1
[[ \$1 != download ]] || : >"\$2_1_all.deb"
END
stub dpkg-deb <<'END'
[[ $1 == -x && -e $2 ]] && mkdir -p "$3/usr/include/valijson"
END
rm "$work/apt.log"
CAMBER_PRESET=host STUB_MISSING=libvalijson-dev STUB_APT_FAILS=download camber test
grep -qxF 'apt-get install -y --no-install-recommends libvalijson-dev' "$work/apt.log"
report $? 'a package of headers that cannot be downloaded is installed'
rm "$work/apt.log" "$project/build/host/.configured"
CAMBER_PRESET=host STUB_MISSING=libvalijson-dev camber test
[[ $code == 0 && $(cat "$work/apt.log") == 'apt-get download libvalijson-dev' &&
    -d $project/build/packages/usr/include/valijson ]]
report $? 'its headers are unpacked without the packages that it depends on'

export CUDA_HOME=$toolkit CAMBER_PRESET=host
CAMBER_CMAKE_ARGS='-DWRAPPER_OPTION=on  -DANOTHER=*' camber x
grep -q 'option is on' "$project/build/host/configure.log"
report $? 'CAMBER_CMAKE_ARGS reaches the configure step of a configured tree'
camber x
! grep -q 'option is on' "$project/build/host/configure.log"
report $? 'taking CAMBER_CMAKE_ARGS away takes the option away'
camber x
check_silent 'unchanged settings do not configure again'
compiled host >"$work/before"
STUB_MISSING=catch2 camber test
[[ -s $work/before && -z $(comm -23 "$work/before" <(compiled host)) ]]
report $? 'packages that come with the tests leave all objects as they are'
stub mpicxx </dev/null
camber x
check_says 'camber: building' 'MPI that was installed later is configured'
rm "$stubs/mpicxx"
# The compiler's name is part of every compile command.
printf '#!/bin/bash\nexec %q "$@"\n' "$(type -P g++)" >"$work/another-g++"
chmod +x "$work/another-g++"
compiled host >"$work/before"
CXX=$work/another-g++ camber test
grep -q "^CMAKE_CXX_COMPILER:[A-Z]*=$work/another-g++\$" "$project/build/host/CMakeCache.txt" &&
    ! compiled host | grep -qFxf "$work/before" -
report $? 'another compiler replaces the first one and recompiles everything'

echo
if [[ $failures != 0 ]]; then
    echo "$failures checks failed"
    exit 1
fi
echo 'all checks passed'
