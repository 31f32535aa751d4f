#!/usr/bin/env python3
"""Compares the tables of lava in a folder's README.md with the files beside it."""
import json
import sys

from readme_data import cases, folder, kernel_times, readme, times


def expect(row):
    if row not in readme:
        sys.exit(f"{folder}/README.md has no row\n{row}")


both = times("magflow"), times("magflow-float64")
best = min(both[0], key=both[0].get)
assert best == min(both[1], key=both[1].get) == "magflow/fused_minimum/three_kernels/64x4/align128"


def row(label, value):
    expect(f"| {label} | {value(both[0]):.1f} us | {value(both[1]):.1f} us |")


row("best: minimum fused into the fluxes, 64x4", lambda t: t[best])
row("plain, four kernels, global/16x16", lambda t: t["magflow/global/four_kernels/16x16"])
row("pairs of cells in shared memory (half stencil), best",
    lambda t: min(ns for name, ns in t.items() if "/half_stencil/" in name))


def lava(name, variant):
    return times(name)[variant]


def whole_run(label, name, variant):
    step = lava(name, f"sciara_fv2/{variant}")
    replayed = times("sciara_fv2-graph").get(f"sciara_fv2/{variant}")
    graph = f"{replayed:.2f} us" if replayed else ""
    expect(f"| {label} | {step:.2f} us | {step * 16000 / 1e6:.4f} s | {graph} |")


ONE = "sciara_fv2-one_kernel"
WHOLE = "sciara_fv2-whole"
for label, name, variant in (
        ("one launch for two steps, short arithmetic, 16x12", WHOLE,
         "one_kernel/short/16x12/n2"),
        ("one launch per step, short arithmetic, 8x8", ONE,
         "one_kernel/short/8x8"),
        ("one launch for the run, short arithmetic, 8x8", "sciara_fv2-persistent",
         "persistent/short/8x8"),
        ("one launch for the run, the reference's arithmetic, 16x16", "sciara_fv2-persistent",
         "persistent/16x16"),
        ("one launch for two steps, the reference's arithmetic, 16x16", WHOLE,
         "one_kernel/16x16/n2"),
        ("one launch per step, the reference's arithmetic, 16x8", ONE,
         "one_kernel/16x8"),
        ("one launch per step, the reference's arithmetic, 16x16", ONE,
         "one_kernel/16x16"),
        ("cfame, three kernels, 32x8", WHOLE,
         "cfame/three_kernels/32x8"),
        ("cfamo, three kernels, 16x16", WHOLE,
         "cfamo/three_kernels/16x16"),
        ("list of active cells, sorted every 16 steps", WHOLE,
         "sorted_list/256x1/m16/align128"),
        ("list of active cells", WHOLE,
         "active_list/128x1/align128"),
        ("atomic additions, 16x16", WHOLE,
         "atomics/five_kernels/16x16"),
        ("global, four kernels, 16x16", WHOLE,
         "global/four_kernels/16x16"),
        ("bounding box, read by the host every 32 steps", WHOLE,
         "bounding_box/host/64x4/from32/k32/align128"),
        ("block with its ring, 16x16", WHOLE,
         "ring_block/four_kernels/16x16"),
        ("tile without halo, 16x16", WHOLE,
         "ringless_tile/four_kernels/16x16/align128"),
        ("bounding box, kept by the device", WHOLE,
         "bounding_box/device/64x4/from32/align128"),
        ("in place with a side buffer, 16x16", WHOLE,
         "side_buffer/five_kernels/16x16"),
        ("two cells per thread, 16x16", WHOLE,
         "several_cells/four_kernels/16x16/k2"),
        ("tile with halo, 16x16", WHOLE,
         "shared_tile/four_kernels/16x16/align128"),
        ("bounding box, read by the host every step", WHOLE,
         "bounding_box/host/64x4/from32/align128"),
        ("rows on threadIdx.x, 16x16", WHOLE,
         "transposed/four_kernels/16x16"),
        ("buffers handed over by copies, 16x16", WHOLE,
         "copy_hand_over/five_kernels/16x16")):
    whole_run(label, name, variant)


def strategy(label, variant):
    cells = []
    for parts in (("sciara_fv3-float64", "sciara_fv3-float64-rest"),
                  ("sciara_fv3-float32", "sciara_fv3-float32-rest", "sciara_fv3-final")):
        for part in parts:
            step = times(part).get(f"sciara_fv3/{variant}")
            if step:
                base = times(part)["sciara_fv3/global/six_kernels/16x16"]
                cells.append(f"{step:.1f} us | {base / step:.2f}x")
                break
        else:
            cells.append(" | ")
    expect(f"| {label} | {cells[0]} | {cells[1]} |")


for label, variant in (
        ("list of active cells, atomic additions (LAC)",
         "atomics_active_list/128x1/align128"),
        ("list of active cells, sorted every 128 steps",
         "sorted_list/256x1/m128/align128"),
        ("list of active cells",
         "active_list/128x1/align128"),
        ("bounding box, read by the host every 32 steps",
         "bounding_box/host/64x4/from32/k32/align128"),
        ("atomic additions, whole board",
         "atomics/16x16"),
        ("atomic additions, centre in registers",
         "atomics_centre/16x16"),
        ("atomic additions by compare-and-swap",
         "atomics_cas/16x16"),
        ("bounding box, atomic additions (AHM)",
         "atomics_bounding_box/device/64x4/from32/align128"),
        ("bounding box, kept by the device",
         "bounding_box/device/64x4/from32/align128"),
        ("list sorted every step",
         "sorted_list/256x1/m1/align128"),
        ("halo in place of tests at the edge",
         "halo/six_kernels/16x16/align128"),
        ("minimum fused into the candidates, 32x8",
         "fused_minimum/32x8"),
        ("flows in tiles of a warp",
         "warp_tiled/16x16"),
        ("bounding box, read by the host every step",
         "bounding_box/host/64x4/from32/align128"),
        ("global (GM)",
         "global/six_kernels/16x16"),
        ("two boxes, placed every 128 steps",
         "boxes/2/64x4/from32/m128/align128"),
        ("four boxes, placed every 128 steps",
         "boxes/4/64x4/from32/m128/align128"),
        ("angles without branches",
         "if_free/16x16"),
        ("buffers handed over by copies",
         "copy_hand_over/16x16"),
        ("four boxes, placed every 16 steps",
         "boxes/4/64x4/from32/m16/align128"),
        ("shared tiles (HM)",
         "shared_tile/six_kernels/16x16/align128"),
        ("shared tiles, shared memory preferred",
         "shared_preferred/six_kernels/shared_tile/16x16/align128"),
        ("shared tiles, L1 preferred",
         "l1_preferred/six_kernels/shared_tile/16x16/align128"),
        ("list sorted every 16 steps, atomic additions",
         "atomics_sorted_list/256x1/m16/align128"),
        ("flows by substate and cell",
         "substate_major/16x16"),
        ("rows on threadIdx.x",
         "transposed/six_kernels/16x16"),
        ("flows by cell",
         "cell_major/16x16")):
    strategy(label, variant)

MAGFLOW = (
        ("bounding box, kept by the device", "bounding_box/device/64x4/from32/align128"),
        ("bounding box, read by the host every 32 steps",
         "bounding_box/host/64x4/from32/k32/align128"),
        ("list of active cells", "active_list/128x1/align128"),
        ("list of active cells, sorted every 16 steps", "sorted_list/256x1/m16/align128"),
        ("one launch for many steps, 64x4", "persistent/64x4/align128"),
        ("one launch for many steps, 16x16", "persistent/16x16/align128"),
        ("minimum fused into the fluxes", "fused_minimum/three_kernels/64x4/align128"),
        ("rates of vents from a table", "vent_table/three_kernels/64x4/align128"),
        ("records of four and two words", "vector_packed/four_kernels/64x4/align128"),
        ("tile, all pairs gathered", "tile_gather/four_kernels/64x4/align128"),
        ("32 registers for the fluxes", "register_cap/four_kernels/64x4/align128"),
        ("a thread per vent", "vent_gpu/four_kernels/64x4/align128"),
        ("textures, linear", "texture_1d/four_kernels/64x4/align128"),
        ("plain, 4x64 threads", "halo/four_kernels/64x4/align128"),
        ("plain, 1x192", "halo/four_kernels/192x1/align128"),
        ("plain, 3x64", "halo/four_kernels/64x3/align128"),
        ("plain, 1x128", "halo/four_kernels/128x1/align128"),
        ("plain, 2x64", "halo/four_kernels/64x2/align128"),
        ("plain, 1x64", "halo/four_kernels/64x1/align128"),
        ("plain, 8x8", "halo/four_kernels/8x8/align128"),
        ("plain, 64x1", "halo/four_kernels/1x64/align128"),
        ("stored by columns, 64x1", "column_major/four_kernels/1x64/align128"),
        ("half stencil, minimum fused", "half_stencil/three_kernels/64x4/align128"),
        ("half stencil", "half_stencil/four_kernels/64x4/align128"),
        ("compensated sums in the update", "kahan_update/four_kernels/64x4/align128"),
        ("tile with halo", "shared_tile/four_kernels/64x4/align128"),
        ("tests at the edge, no halo", "global/four_kernels/64x4"),
        ("minimum by CUB", "library_minimum/four_kernels/64x4/align128"),
        ("minimum in two passes", "two_pass_minimum/four_kernels/64x4/align128"),
        ("textures", "texture_2d/four_kernels/64x4/align128"),
        ("bounding box, read by the host every step", "bounding_box/host/64x4/from32/align128"),
        ("two boxes", "boxes/2/64x4/from32/m128/align128"),
        ("a structure per cell", "array_of_structures/four_kernels/64x4/unaligned"),
        ("minimum by CUB, read back by the host", "read_back/four_kernels/64x4/align128"),
        ("rates of vents from the host", "vent_cpu/three_kernels/64x4/align128"))


def magflow_row(label, variant):
    variant = f"magflow/{variant}"
    step = next(times(name)[variant]
                for name in ("magflow-etna2001-tables", "magflow-etna2001", "magflow-etna2001-rest")
                if variant in times(name))
    others = [times(name).get(variant)
              for name in ("magflow-graph", "magflow-volcano", "magflow-volcano-dense")]
    cells = " | ".join(f"{other:.1f} us" if other else "" for other in others)
    return f"| {label} | {step:.1f} us | {1e6 / step:.0f} | {cells} |"


for label, variant in MAGFLOW:
    expect(magflow_row(label, variant))

PEAK = "dram__throughput.avg.pct_of_peak_sustained_elapsed"
ISSUE = "sm__issue_active.avg.pct_of_peak_sustained_elapsed"
FP64 = "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"
AT_WORK = "smsp__average_thread_inst_executed_per_inst_executed.ratio"


def tiled_rows(title, name, cell, wanted):
    """The fastest case of a map in tiles, then its kernels that take longest."""
    fastest = min(cases(f"tiled-{name}").values(), key=lambda case: case["us"])
    medians = kernel_times(fastest)
    technique = fastest["variant"].split("/", 1)[1].removesuffix("/align128")
    size = fastest["size"]
    start = (f"| {title}, {size['columns']}x{size['rows']}, {cell}, `{technique}` | "
             f"{fastest['us'] / 1e3:.2f} ms | {100 * fastest['derived']['share_of_copy']:.1f} %")
    for kernel in fastest["kernel_counters"]:
        if kernel["name"] not in wanted:
            continue
        counted = kernel["counters"]
        share = 100 * medians[kernel["name"]] / sum(medians.values())
        expect(f"{start} | {kernel['name']} | {share:.0f} % | {counted[PEAK]:.0f} % | "
               f"{counted[ISSUE]:.0f} % | {counted[FP64]:.0f} % | {counted[AT_WORK]:.1f} |")
        start = "| | |"


tiled_rows("SCIARA-fv2", "sciara_fv2", "double", ("outflows", "exchange", "cooling"))
tiled_rows("SCIARA-fv3", "sciara_fv3", "double", ("candidates", "scatter", "cooling"))
tiled_rows("MAGFLOW", "magflow", "float", ("flux", "update"))

# ---- MAGFLOW's tables 5, 6 and 7, as published and here
published = {table["id"]: table for table in json.loads(
    (folder.parent.parent / "published/bilotta-2011.json").read_text())["tables"]}


def printed_of(table, row):
    """Values of a table row by column."""
    table = published[table]
    values = next(one["values"] for one in table["rows"] if one["name"] == row)
    return dict(zip((column["name"] for column in table["columns"]), values))


def block_row(rows, columns):
    shape = f"{columns}x{rows}/align128"
    block = f"{rows}x{columns}"
    here = [1e6 / times(name)[f"magflow/halo/four_kernels/{shape}"]
            for name in ("magflow-etna2001-tables", "magflow-volcano")]
    speeds = printed_of("magflow-6", "GTX 480")
    speed = speeds.get(block) or printed_of("magflow-5", block)["GTX 480"]
    gains = ["", "", ""]
    if block in printed_of("magflow-7", "prefer L1"):
        l1, shared = (int(printed_of("magflow-7", row)[block])
                      for row in ("prefer L1", "prefer shared memory"))
        gains = [f"{100 * (l1 / shared - 1):+.1f} %"]
        for name in ("magflow-etna2001-tables", "magflow-volcano"):
            l1, shared = (times(name)[f"magflow/{kind}_preferred/four_kernels/halo/{shape}"]
                          for kind in ("l1", "shared"))
            gains.append(f"{100 * (shared / l1 - 1):+.1f} %")
    return (f"| {block} | {speed} | {here[0]:.0f} | {here[1]:.0f} | " + " | ".join(gains) + " |")


for rows, columns in ((1, 64), (1, 128), (1, 192), (2, 64), (3, 64), (4, 64), (8, 8), (64, 1)):
    expect(block_row(rows, columns))
