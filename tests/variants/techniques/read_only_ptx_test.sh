#!/usr/bin/env bash
# Shows by which path kernels load:  bash read_only_ptx_test.sh PTX
#
# The kernel of read_only must load its nine cells through the read-only data cache, that of halo by
# plain loads: else comparing the two compares nothing.
set -uo pipefail

ptx=${1:?usage: read_only_ptx_test.sh PTX}

# count KERNEL INSTRUCTION: occurrences within the kernel's .entry. In a mangled name its own length
# stands before it: torus_halo_kernel is another.
count() {
    awk -v name="$1" '/\.entry /{inside = index($0, length(name) name) > 0} inside' "$ptx" | grep -cE "$2"
}

failed=0
check() {
    local kernel=$1 instruction=$2 expected=$3 found
    found=$(count "$kernel" "$instruction")
    printf '%-18s %-28s %2d, expected %2d\n' "$kernel" "$instruction" "$found" "$expected"
    [ "$found" -eq "$expected" ] || failed=1
}

check read_only_kernel 'ld\.global\.nc\.' 9
check read_only_kernel 'ld\.global\.[^n]' 0
check halo_kernel 'ld\.global\.nc\.' 0
check halo_kernel 'ld\.global\.[^n]' 9
for kernel in read_only_kernel halo_kernel; do check "$kernel" 'st\.global\.' 1; done
if [ "$failed" -ne 0 ]; then
    echo "FAIL: kernels do not load as their techniques say"
    exit 1
fi
echo "PASS: read_only loads through the read-only data cache, halo does not"
