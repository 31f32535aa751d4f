#!/usr/bin/env bash
# The committed pages about the measurement itself equal the output of compare.py for the committed
# data, and all targets are met. Exit code 77: Python is not installed.
set -euo pipefail
root=$1
export PYTHONPATH=$root/results${PYTHONPATH:+:$PYTHONPATH}  # results_files.py
command -v python3 >/dev/null || exit 77
measured=$root/results/measurement
diff <(python3 "$measured/compare.py" "$measured") "$measured/measurement.txt"
for page in "$root"/results/*x[0-9]/{,ways/,magflow/,bits/,life-and-particles/}README.md; do
    [[ ! -e $page ]] || python3 -B "$root/tests/results/readme_groups.py" "$(dirname "$page")"
done
for page in "$root"/results/*x[0-9]/balance/README.md; do
    python3 -B "$root/tests/results/readme_balance.py" "$(dirname "$page")"
done
for page in "$root"/results/*x[0-9]/{particles,life-and-particles}/README.md; do
    [[ ! -e $page ]] || python3 -B "$root/tests/results/readme_pairs.py" "$(dirname "$page")"
done
# Tables of losses equal the output of their script. lost PAGE TIMELINE: compares a multi-GPU
# timeline with the one-GPU timeline.
lost() {
    local particles=$root/results/h200x2/particles
    python3 -B "$particles/losses.py" "$particles/dam-50m-one-timeline.json" "$root/results/$2" |
        while IFS= read -r line; do
            grep -qxF -- "$line" "$root/results/$1" || { echo "results/$1 lacks: $line"; exit 1; }
        done
}
lost h200x2/particles/README.md h200x2/particles/dam-50m-two-timeline.json
lost h200x4/life-and-particles/README.md h200x4/life-and-particles/dam-50m-four-timeline.json
python3 -B "$root/tests/results/readme_figures.py" "$root"
python3 -B "$root/tests/results/readme_radii.py" "$root/docs/guide/large-neighbourhoods.md" \
    "$root/results/h200"
for script in readme_tables readme_prose; do
    python3 -B "$root/tests/results/$script.py" "$root/results/experiments/lava"
done
python3 -B "$root/tests/results/readme_captures.py" "$root/results/experiments/captures"
# The tables of flows equal the output of their script.
flows=$root/results/experiments/flows-350000
{ python3 -B "$flows/flows.py" compare "$flows/serial-float64.csv.gz" "$flows/serial-float32.csv.gz" \
      "$flows/atomics-float64.csv.gz" "$flows/atomics-float32.csv.gz"
  python3 -B "$flows/flows.py" compare "$flows/serial-float32.csv.gz" "$flows/atomics-float32.csv.gz"; } |
    while IFS= read -r line; do
        grep -qxF -- "$line" "$flows/README.md" || { echo "$flows/README.md lacks: $line"; exit 1; }
    done
