#!/usr/bin/env bash
# Prints the findings of compute-sanitizer for the planted faults that camber's own checker finds on the CPU
# (tests/harness/predict). The tool for each kind of fault runs on the faulty kernel and on its correct
# counterpart. Run it on a machine with a GPU:
#
#   faults.sh PLANTED_FAULTS
set -uo pipefail
faults=$(realpath "$1")

found() { # TOOL FAULT [right]
    local report
    report=$(timeout 60 compute-sanitizer --tool "$1" --error-exitcode 99 "$faults" "${@:2}" 2>&1)
    case $? in
        0) echo clean ;;
        99) grep -qE 'ERROR SUMMARY: [1-9]|RACECHECK SUMMARY: [1-9]' <<<"$report" && echo found || echo unclear ;;
        124) echo hangs ;;
        *) grep -qE 'ERROR SUMMARY: [1-9]|RACECHECK SUMMARY: [1-9]' <<<"$report" && echo found || echo failed ;;
    esac
}

printf '%-26s %-10s %-8s %s\n' fault tool faulty right
"$faults" | while read -r name tool; do
    if [[ $tool == none ]]; then
        printf '%-26s %-10s %s\n' "$name" none 'compute-sanitizer has no tool for races on global memory'
        continue
    fi
    printf '%-26s %-10s %-8s %s\n' "$name" "$tool" "$(found "$tool" "$name")" "$(found "$tool" "$name" right)"
done
