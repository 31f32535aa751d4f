#!/usr/bin/env bash
# The committed pages about the measurement itself are what compare.py prints of the committed data,
# and it found every target met. 77: no Python here.
set -euo pipefail
root=$1
command -v python3 >/dev/null || exit 77
for folder in "$root"/results/*/measurement; do
    [[ -e $folder/measurement.txt ]] || continue
    diff <(python3 "$folder/compare.py" "$folder") "$folder/measurement.txt"
    python3 "$folder/compare.py" "$folder" >/dev/null
done
for page in "$root"/results/*/workloads/questions.md; do
    [[ -e $page ]] || continue
    folder=$(dirname "$page")
    diff <(python3 "$folder/questions.py" "$folder") "$page"
done
for page in "$root"/results/*x[0-9]*/README.md; do
    [[ ! -e $page ]] || python3 -B "$root/tests/results/readme_groups.py" "$(dirname "$page")"
done
for script in readme_tables readme_prose; do
    python3 -B "$root/tests/results/$script.py" "$root/results/h200"
done
