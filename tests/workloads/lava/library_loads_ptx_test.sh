#!/usr/bin/env bash
# Shows which functions of CUDA's library load from global memory:  bash library_loads_ptx_test.sh PTX
#
# In double, sin and cos read coefficients by three loads of 16 bytes, which a model that traces the
# source does not know; the other functions of the lava models read nothing. kernel_counters_test.cpp
# explains counters by this.
set -uo pipefail

ptx=${1:?usage: library_loads_ptx_test.sh PTX}

# count KERNEL: loads within the kernel's .entry, of coefficients and in all.
count() {
    awk -v name=" $1(" '/\.(entry|func) /{inside = index($0, name) > 0}
        inside && /ld\.global/ {all++; if (/ld\.global\.nc\.v2\.f64/) coefficients++}
        END {print coefficients + 0, all + 0}' "$ptx"
}

failed=0
check() {
    local found
    found=$(count "$1_kernel")
    printf '%-6s coefficients, all loads: %s, expected %s\n' "$1" "$found" "$2"
    [ "$found" = "$2" ] || failed=1
}

for function in sin cos; do check "$function" "3 4"; done
for function in acos atan exp cbrt; do check "$function" "0 1"; done
[ "$failed" -eq 0 ] || { echo "FAIL: other functions load from global memory than was found"; exit 1; }
echo "PASS: of these functions sin and cos alone read coefficients, by three loads each"
