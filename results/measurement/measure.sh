#!/usr/bin/env bash
# Measures how far camber's times can be trusted: against ncu, against themselves, against a bare
# loop of events. Run it on a machine with a GPU and ncu, in a folder with the programs camber and
# bare_loop; compare.py then prints what came out.
#
#   measure.sh FOLDER
set -euo pipefail
cd "$1"

# Five kernels from 5 us to 5 ms: the device's own time by camber, and by ncu.
cases='halo/64x4/align128 1280x1024
shared_tile/16x16/align128 2048x2048
two_generation/64x4/align128 4096x4096
global/16x16 16384x16384
thread_per_input/24x24/n4/align128 20480x16384'
number=0
while read -r variant size; do
    number=$((number + 1))
    ./camber run --variant "$variant" --size "$size" --generations 4 --out "kernel-$number.json" \
        >/dev/null </dev/null
    range=${variant//\//.}
    ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum --csv \
        --print-units base --nvtx --nvtx-include "camber@life.$range/sample/" -c 30 \
        ./camber run --variant "$variant" --size "$size" --generations 4 --rounds 1 \
        --out attached.json 2>/dev/null </dev/null | grep '^"' >"ncu-$number.csv"
done <<<"$cases"

# Under a profiler camber's own counters and kernel times are withheld: it says so and goes on.
ncu --clock-control none --metrics gpu__time_duration.sum -c 1 \
    ./camber run --variant 'halo/64x4/*' --quick --counters memory --out attached.json \
    2>&1 </dev/null | grep -v '^==' >attached.txt
rm attached.json

# A/A: every variant twice in one run, in random order.
./camber run --size 8192x8192 --rounds 2 --out aa.json >/dev/null </dev/null
./camber run --size 2048x2048 --rounds 2 --out aa-small.json >/dev/null </dev/null

# Overhead: as many launches per sample as camber took, in a loop of nothing else.
: >bare.txt
for size in 1024x1024 2048x2048 4096x4096 16384x16384; do
    ./camber run --variant halo/64x4/align128 --size "$size" --rounds 3 --generations 4 \
        --out "overhead-$size.json" >/dev/null </dev/null
    launches=$(grep -m1 -o '"generations_per_sample": [0-9]*' "overhead-$size.json" | grep -o '[0-9]*$')
    ./bare_loop "${size%x*}" "${size#*x}" "$launches" 31 >>bare.txt
done
