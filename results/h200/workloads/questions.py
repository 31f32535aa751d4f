#!/usr/bin/env python3
"""Prints the sources' questions with this GPU's answers, as Markdown: questions.py FOLDER.

FOLDER holds the results files that measure.sh wrote.
"""
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
# counters-*.json: lava on random cells of a map, for the sake of its counters.
documents = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))
             if not path.stem.startswith("counters-")}
# Where two files have a variant, the first one's counts, so that a table compares within one run.
# Launches one by one only: graphs have files of their own.
cases = {}
for document in documents.values():
    for b in document["benchmarks"]:
        if b["camber"]["status"] == "ok" and b["camber"]["submission"] == "stream":
            cases.setdefault(b["camber"]["variant"], b["camber"] | {"ns": b["real_time"]})

# title, what the counters say, what the source says, [(variants to compare, the first being the base, and the published
# gain of the last over the base, if there is one)]
QUESTIONS = [
    ("Shared memory against global memory",
     'DRAM traffic is the same in all rows: the L1 cache already gives every cell to its neighbours, at 42 to 51 bytes of loads per cell, and staging only adds 12 to 37 wavefronts per 32 cells and a barrier. It pays where it saves computing, not loads: shared_loss computes what a cell loses once, shared_tile nine times.',
     "2011: staging a tile in shared memory is about 30 % faster than reading the neighbours from "
     "global memory (Life), 21 % for surface water; 2013: up to 1.2 times (GTX 295) to more than 4 "
     "times (9800 GT) for water flow.",
     [(["life/halo/16x16/unaligned", "life/shared_tile/16x16/unaligned"], 0.30),
      (["life/halo/64x4/align128", "life/shared_tile/64x4/align128"], None),
      (["blur/halo/64x4/align128", "blur/shared_tile/64x4/align128"], None),
      (["extrema/halo/64x4/align128", "extrema/shared_tile/64x4/align128"], None),
      (["surface_water/global/three_kernels/16x16",
        "surface_water/shared_tile/three_kernels/16x16/unaligned",
        "surface_water/shared_loss/three_kernels/16x16/unaligned"], 0.21),
      (["water_flow/halo/two_kernels/16x16/align128",
        "water_flow/first_rows/two_kernels/16x16/w19/align128",
        "water_flow/first_rows/two_kernels/16x16/w18/align128"], 0.17)]),
    ("Alignment of the rows",
     'Unaligned rows cost a quarter more sectors of loads, which L1 hides; DRAM traffic does not change.',
     "2011: rows that start at multiples of 128 bytes are about 8 % faster; 32-byte alignment is "
     "as slow as none.",
     [(["life/shared_tile/16x16/unaligned", "life/shared_tile/16x16/align32",
        "life/shared_tile/16x16/align64", "life/shared_tile/16x16/align128"], 0.08),
      (["life/halo/64x4/unaligned", "life/halo/64x4/align128"], None),
      (["surface_water/shared_loss/three_kernels/16x16/unaligned",
        "surface_water/shared_loss/three_kernels/16x16/align128"], 0.08)]),
    ("Rectangular blocks",
     "A 16-wide block's warps touch two rows each: more sectors per load, and twice the wavefronts of shared memory, by bank conflicts.",
     "2011: 64x4 threads are about 16 % faster than 16x16 (Life, aligned shared tiles), 7 % for "
     "surface water.",
     [(["life/shared_tile/16x16/align128", "life/shared_tile/32x8/align128",
        "life/shared_tile/64x4/align128"], 0.16),
      (["life/halo/16x16/align128", "life/halo/64x4/align128"], None),
      (["surface_water/shared_loss/three_kernels/16x16/align128",
        "surface_water/shared_loss/three_kernels/64x4/align128"], 0.07)]),
    ("Two elements per thread",
     'Loads per cell fall a little and the instructions that a cell costs fall a lot; 64x4 gains most, because its shared accesses are free of conflicts. For extrema the rectangular form is the faster one now: occupancy no longer holds it back.',
     "2011: 44 % faster than one (Life, 16x16), and a further 5 % with 64x4 threads; 37 % for the "
     "blur; for extrema the square form is the fastest.",
     [(["life/shared_tile/16x16/align128", "life/two_element/16x16/align128",
        "life/two_element/64x4/align128"], 0.47),
      (["blur/shared_tile/64x4/align128", "blur/two_element/64x4/align128"], 0.37),
      (["extrema/shared_tile/16x16/align128", "extrema/shared_tile/64x4/align128",
        "extrema/two_element/64x4/align128", "extrema/two_element/16x16/align128"], None)]),
    ("Packed accesses",
     'Fewer instructions for the same bytes: the difference of Gaussians then runs at the speed of a copy. Streamed rows load 9 bytes per cell where halo loads 42. One structure per cell read whole moves more sectors than it saves instructions.',
     "2011: for the difference of Gaussians packing (float2) halves the loads and was tried alone and "
     "with two elements; no times are printed. 16-byte accesses are newer.",
     [(["dog/halo/64x4/align128", "dog/two_element/64x4/align128", "dog/packed/64x4/v2/align128",
        "dog/two_element_packed/64x4/v2/align128", "dog/packed/64x4/v4/align128"], None),
      (["life/halo/64x4/align128", "life/packed/64x4/v2/align128", "life/packed/64x4/v4/align128",
        "life/row_stream/64x4/v4/r2/align128"], None),
      (["extrema/array_of_structures/64x4/unaligned", "extrema/halo/64x4/align128",
        "extrema/vector_packed/64x4/align128"], None)]),
    ("Two generations per launch",
     "DRAM traffic halves (4 bytes per cell and generation), but these kernels are no longer limited by it; the rings' extra computing and shared accesses cost more than that saves. Only with two cells per thread is it a gain, of 9 %.",
     "2011: slower than two elements per thread with the conventional loop, close to it when the "
     "first generation is computed linearly; 7 times slower for surface water.",
     [(["life/two_element/64x4/align128", "life/two_generation/64x4/align128",
        "life/two_generation_linear/64x4/align128",
        "life/two_element_two_generation_linear/64x4/align128",
        "life/n_generations/32x8/n4/align128"], None),
      (["blur/two_element/64x4/align128", "blur/two_generation/64x4/align128",
        "blur/two_element_two_generation_linear/64x4/align128"], None),
      (["surface_water/shared_loss/three_kernels/64x4/align128",
        "surface_water/two_generation_linear_load/fused/64x4/align128"], -5.82)]),
    ("Texture memory",
     'Fetches move 60 (one-dimensional) and 96 bytes (two-dimensional) per cell through the texture pipe where loads move 42, and DRAM traffic is the same: what once was the only cache is now the longer way.',
     "2011 names texture memory as cached where global memory is not; no figures.",
     [(["life/global/64x4", "life/texture_1d/64x4/align128", "life/texture_2d/64x4/align128"], None),
      (["blur/global/64x4", "blur/texture_1d/64x4/align128", "blur/texture_2d/64x4/align128"],
       None)]),
    ("L1 cache or shared memory preferred",
     'Kernels without shared memory do not care. With L1 preferred the device leaves so little shared memory that few blocks of shared_tile fit: occupancy, not the cache, decides.',
     "2011 (Bilotta et al., GTX 480): the division of a multiprocessor's memory changes kernels "
     "with large footprints by some per cent.",
     [(["life/halo/64x4/align128", "life/l1_preferred/halo/64x4/align128",
        "life/shared_preferred/halo/64x4/align128"], None),
      (["life/shared_tile/64x4/align128", "life/l1_preferred/shared_tile/64x4/align128",
        "life/shared_preferred/shared_tile/64x4/align128"], None),
      (["blur/halo/64x4/align128", "blur/l1_preferred/halo/64x4/align128",
        "blur/shared_preferred/halo/64x4/align128"], None)]),
]


def per_cell(case, *metrics, scale=1.0):
    counters = case.get("counters", {})
    if not all(metric in counters for metric in metrics):
        return "-"
    cells = case["size"]["columns"] * case["size"]["rows"] * case["generations_per_launch"]
    return f"{scale * sum(counters[metric] for metric in metrics) / cells:.2f}"


def row(case, base):
    gain = base["ns"] / case["ns"] - 1
    sectors = per_cell(case, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", scale=32)
    texture = per_cell(case, "l1tex__t_sectors_pipe_tex_mem_texture.sum", scale=32)
    if sectors == "0.00" or (texture not in ("-", "0.00")):
        sectors = texture
    dram = per_cell(case, "dram__bytes_read.sum", "dram__bytes_write.sum")
    shared_wavefronts = per_cell(case, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", scale=32)
    return (f"| {case['variant']} | {case['ns'] / 1e3:.1f} | "
            f"{'' if case is base else f'{100 * gain:+.0f} %'} | {sectors} | {dram} | "
            f"{shared_wavefronts} | {case['kernel']['occupancy']:.2f} |")


context = next(iter(documents.values()))["context"]["camber"]
print(f"""# The sources' questions, answered on one {context['gpu']['name']}

Written by `questions.py` from the results files beside it, each of which names the commit that
measured it; sizes as in `measure.sh`. Faster: throughput against the table's
first row, as the sources define it. Counters are of one launch, per cell and generation: bytes that
global loads (or texture fetches) move between L1 and the cores' requests, in sectors; bytes to and
from DRAM; wavefronts of shared memory per 32 cells. Occupancy is the theoretical one, under the
kernel's preference for L1 or shared memory. Balasalle 2011 measured on a GeForce GTX 285, Topa and Mlocek 2013 on four GPUs of the
same age.""")
print("""
## The best variant of each workload

Share of the same run's copy, by the bytes per cell that the variant's own steps must move; several
generations per launch left out.

| workload | board | best variant | us/generation | bytes per cell | share of copy |
|---|---|---|---|---|---|""")
by_workload = {}
for case in cases.values():
    if case["generations_per_launch"] == 1:
        by_workload.setdefault(case["workload"], []).append(case)
for name, ran in by_workload.items():
    best = min(ran, key=lambda case: case["ns"])
    derived = best["derived"]
    print(f"| {name} | {best['size']['columns']} x {best['size']['rows']} | "
          f"{best['variant'].split('/', 1)[1]} | {best['ns'] / 1e3:.1f} | "
          f"{derived['step_bytes_per_cell']:.0f} | {100 * derived['step_share_of_copy']:.1f} % |")
for title, reading, said, tables in QUESTIONS:
    print(f"\n## {title}\n\n{said}")
    for variants, published in tables:
        known = [cases[v] for v in variants if v in cases]
        missing = [v for v in variants if v not in cases]
        if missing:
            sys.exit(f"no result of {', '.join(missing)}")
        print("\n| variant | us/generation | faster | load bytes | DRAM bytes | shared wavefronts | "
              "occupancy |\n|---|---|---|---|---|---|---|")
        for case in known:
            print(row(case, known[0]))
        gain = known[0]["ns"] / known[-1]["ns"] - 1
        if published is not None:
            # Published gains are shares of the time saved: (old - new) / old.
            then = 1 / (1 - published) - 1
            if abs(gain) < 0.03:
                verdict = "no longer matters"
            elif (gain > 0) == (then > 0):
                verdict = "holds in direction"
            else:
                verdict = "is reversed"
            print(f"\nThe last against the first: {100 * gain:+.0f} %; published {100 * then:+.0f} %. "
                  f"The conclusion {verdict}.")
    print(f"\nWhy: {reading}")
