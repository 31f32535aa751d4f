#!/usr/bin/env bash
# Scaling over the multiprocessors of a GPU, strong and weak, and over the CPU's cores. Run it on a
# machine with a GPU: measure.sh FOLDER, where FOLDER holds the program camber.
set -euo pipefail
cd "$1"

variants=(--variant global/16x16 --variant halo/64x4/align128 --variant shared_tile/16x16/align128
    --variant two_element_two_generation_linear_load/64x4/align128)
./camber scale --over sms "${variants[@]}" --out sms.json >sms.txt
./camber scale --over sms --mode weak --size 4096x4096 "${variants[@]}" --out sms-weak.json >sms-weak.txt
./camber scale --over threads --size 8192x8192 --out threads.json >threads.txt
