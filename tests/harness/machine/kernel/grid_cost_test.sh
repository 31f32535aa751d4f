#!/usr/bin/env bash
# Shows that Grid, Window and Tile cost nothing on the device:  bash grid_cost_test.sh OBJECT CUOBJDUMP
#
# Counts the machine instructions of the kernels in grid_cost.cu. A kernel through the vocabulary must
# have the loads, stores and barriers of its hand-written twin, and no more instructions in all. Exits
# 77 (skipped) without cuobjdump.
set -uo pipefail

object=${1:?usage: grid_cost_test.sh OBJECT CUOBJDUMP}
cuobjdump=${2:-}
if [ ! -x "$cuobjdump" ]; then
    echo "skipped: cuobjdump is not installed; it comes with the CUDA Toolkit"
    exit 77
fi

# count FUNCTION_PATTERN OPCODE_PATTERN: instructions of the kernel whose mangled name matches.
count() {
    "$cuobjdump" --dump-sass "$object" |
        awk -v name="$1" '/Function : /{inside = ($0 ~ name)} inside' |
        grep -E '^[[:space:]]+/\*[0-9a-f]{4}\*/' | grep -vE '\bNOP\b' |
        sed -E 's/^[[:space:]]+\/\*[0-9a-f]+\*\/[[:space:]]+(@!?U?P[0-9T]+[[:space:]]+)?//' |
        grep -cE "^$2"
}

failed=0
compare() {
    local what=$1 ours=$2 theirs=$3 opcode n_ours n_theirs
    shift 3
    for opcode in LDG STG LDS STS BAR "$@" .; do
        n_ours=$(count "$ours" "$opcode")
        n_theirs=$(count "$theirs" "$opcode")
        [ "$opcode" = . ] && opcode="all instructions"
        printf '%-12s %-18s vocabulary %4d   by hand %4d\n' "$what" "$opcode" "$n_ours" "$n_theirs"
        if [ "$opcode" = "all instructions" ]; then
            { [ "$n_ours" -gt 0 ] && [ "$n_ours" -le "$n_theirs" ]; } || failed=1
        else
            [ "$n_ours" -eq "$n_theirs" ] || failed=1
        fi
    done
}

# The number of letters comes before a name: torus_halo_kernel is another.
compare halo '[0-9]halo_kernelI' 'hand_written_halo'
compare shared_tile 'shared_tile_kernelI' 'hand_written_shared_tile'
compare words 'vocabulary_words' 'hand_written_words' TEX RED 'LDG.E.128' 'STG.E.128'
if [ "$failed" -ne 0 ]; then
    echo "FAIL: the vocabulary costs instructions"
    exit 1
fi
echo "PASS: the vocabulary costs no instruction"
