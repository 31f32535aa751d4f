#!/usr/bin/env bash
# Measures two builds of camber on one machine, workload by workload in turn, and compares them:
#     two_builds.sh BASE NEW ETNA2001 ETNA2006 OUT
# BASE and NEW are programs, ETNA2001 and ETNA2006 the folders of the eruptions. OUT gets the page of
# `camber compare`, and what each program's kernels take of registers and memory.
set -u
base=$1 new=$2 etna2001=$3 etna2006=$4 out=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

both() { # NAME ARGS...
    local name=$1
    shift
    for build in base new; do
        "${!build}" run --order-seed 1 "$@" --out "$work/$name-$build.json" >"$work/$name-$build.txt" ||
            echo "$name $build: exit code $?"
    done
    {
        echo "## $name"
        echo
        echo "\`camber run $*\`" | sed "s|$etna2001|etna2001|; s|$etna2006|etna2006|"
        echo
        "$new" compare "$work/$name-base.json" "$work/$name-new.json" --threshold 0.01 \
            --format markdown --allow parameters | sed "s|$work/||g"
        echo
    } >>"$out/two_builds.md"
}

registers() { # PROGRAM: what every kernel takes, without its name
    cuobjdump -res-usage "$1" 2>/dev/null | grep -o 'REG:.*' | sort | uniq -c
}

echo '# Two builds on one machine' >"$out/two_builds.md"
{
    echo
    for build in base new; do echo "- $build: $("${!build}" --version), commit COMMIT_$build"; done
    if cmp -s <(registers "$base") <(registers "$new"); then
        echo "- registers, stack, shared and constant memory of all $(registers "$new" |
            awk '{n += $1} END {print n}') kernels: equal"
    else
        echo '- registers, stack, shared and constant memory differ:'
        diff <(registers "$base") <(registers "$new") | sed 's/^/    /'
    fi
    echo
} >>"$out/two_builds.md"

both life --size 8192x8192 --variant 'row_stream/64x4/*' --variant 'packed/64x4/v4/*' \
    --variant 'halo/64x4/*' --variant 'global/16x16' --variant 'shared_tile/64x4/*' \
    --variant 'two_generation/64x4/*' --variant 'texture_2d/64x4/*'
both extrema --workload extrema --size 8192x8192 --variant 'row_stream/*' --variant 'halo/64x4/*' \
    --variant 'global/16x16' --variant 'shared_tile/64x4/*'
both water_flow --workload water_flow --size 8192x8192 --variant 'row_stream/*' \
    --variant 'halo/*/64x4/*' --variant 'global/*/16x16' --variant 'shared_tile/*/64x4/*'
both surface_water --workload surface_water --size 8192x8192 --variant 'halo/*/64x4/*' \
    --variant 'global/*/16x16' --variant 'shared_tile/*/64x4/*' --variant 'packed/*/64x4/*'
both magflow --workload magflow --input "$etna2001" --param pulse=30 --generations 2000 \
    --from-start --rounds 2 --cell float32 --variant 'halo/*/64x4/align128' \
    --variant 'persistent/64x4*' --variant 'half_stencil/*/64x4/*' --variant 'fused_minimum/*/64x4*'
both sciara_fv2 --workload sciara_fv2 --input "$etna2006" --generations 16000 --from-start --rounds 2 \
    --graph --variant 'one_kernel/short/16x12/n2' --variant 'one_kernel/short/8x8' \
    --variant 'persistent/short/8x8'
for build in base new; do
    commit=$(grep -o '"commit": "[0-9a-f]*"' "$work/life-$build.json" | head -n 1 | cut -d'"' -f4)
    sed -i "s/COMMIT_$build/${commit:0:7}/" "$out/two_builds.md"
done
