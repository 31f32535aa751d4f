#!/usr/bin/env bash
# Measures all workloads in all variants, with counters and predictions beside the times. Run it on
# a machine with a GPU, in a folder with the program camber:
#
#   measure.sh FOLDER [WORKLOAD...]
set -euo pipefail
cd "$1"
shift

# Boards beyond every cache; fewer generations where the plain reference is slow, fewer samples where
# there are many variants.
declare -A options=(
    [life]='--size 16384x16384'
    [blur]='--size 16384x16384'
    [dog]='--size 8192x8192 --generations 8'
    [dog_image]='--size 8192x8192 --generations 8 --quick'
    [extrema]='--size 8192x8192 --generations 8'
    [extrema_stack]='--size 8192x8192 --generations 8 --quick'
    [surface_water]='--size 8192x8192 --generations 8 --quick'
    [water_flow]='--size 8192x8192 --generations 8 --quick'
)
for workload in "${@:-life}"; do
    # shellcheck disable=SC2086  # several words
    ./camber run --workload "$workload" ${options[$workload]} --counters memory,shared \
        --out "$workload.json" >"$workload.txt" 2>"$workload.err" </dev/null ||
        echo "$workload: exit code $?" >>"$workload.err"
done
