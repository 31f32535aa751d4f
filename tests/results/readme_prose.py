#!/usr/bin/env python3
"""Compares figures in the prose of a README.md's section on lava with the files beside it."""
import sys

from readme_data import cases, document, folder, kernel_times, prose_of, times

prose = prose_of("Lava")


def expect(*sentences):
    for sentence in sentences:
        if sentence not in prose:
            sys.exit(f"{folder}/README.md does not say, of lava,\n{sentence}")


def percent(share, digits=0):
    return f"{100 * share:.{digits}f} %"


def slower(us, than):
    """How much less is done in the same time."""
    return percent(1 - than / us)


def thousands(count):
    return f"{count:,}".replace(",", " ")


# ---- SCIARA-fv2, the whole run
whole = cases("sciara_fv2-whole")
fv2 = times("sciara_fv2-whole")
best = whole["sciara_fv2/one_kernel/short/16x12/n2"]
plain = whole["sciara_fv2/global/four_kernels/16x16"]
exact = whole["sciara_fv2/one_kernel/16x16/n2"]
assert best["us"] == min(fv2.values())


def flow(statistics):
    """Jaccard index, share within 10 % and largest difference as they are written."""
    return (f"{statistics['jaccard']:.3f}", percent(statistics["share_within_10_percent"]),
            f"{statistics['largest_difference']:.1f} m")


steps = thousands(best["generations"])
expect(f"all {steps} steps of the community's run", f"Etna 2006 after {steps} steps of SCIARA-fv2",
       f"[SCIARA-fv2](pictures/sciara_fv2.png) after {steps} steps",
       f"with the launches gone, a step still took {exact['us']:.0f} us",
       f"and did: {exact['us']:.1f} to {best['us']:.1f} us")
graph, lasting = times("sciara_fv2-graph"), times("sciara_fv2-persistent")
PAIR = "sciara_fv2/one_kernel/short/16x12/n2"
SINGLE = "sciara_fv2/one_kernel/short/8x8"
LASTING = "sciara_fv2/persistent/short/8x8"
PLAIN = "sciara_fv2/global/four_kernels/16x16"
expect(f"{graph[PAIR]:.2f} us a step make {graph[PAIR] * best['generations'] / 1e6:.4f} s",
       f"A graph takes {fv2[PAIR] - graph[PAIR]:.1f} us off a step of two, "
       f"{lasting[SINGLE] - graph[SINGLE]:.1f} us off a launch per step and "
       f"{fv2[PLAIN] - graph[PLAIN]:.1f} us off four kernels",
       f"is {slower(lasting[SINGLE], lasting[LASTING])} faster than a launch per step "
       f"({lasting[LASTING]:.2f} against {lasting[SINGLE]:.2f} us in one run)",
       f"but {percent(graph[LASTING] / graph[SINGLE] - 1)} slower than those launches in a graph")
statistics = best["verification"]["statistics"]
jaccard, within, largest = flow(statistics)
expect(f"ends with a Jaccard index of {jaccard} of the covered cells, {within} of them within 10 %, a "
       f"largest difference of {largest} and a mass error of {statistics['mass_error']:.0e}"
       .replace("e-0", "e-"))
expect("the reference's own arithmetic with the device's powers with "
       + ", ".join(flow(plain["verification"]["statistics"])))
fits = {f"{case['verification']['statistics']['event_fit']:.2f}" for case in whole.values()}
assert len(fits) == 1
expect(f"Fit with the real event: {fits.pop()} in all")
spread = whole["sciara_fv2/atomics/five_kernels/16x16"]["verification"]["spread"]
jaccard, within, largest = flow(spread)
assert spread["runs"] == 5
expect(f"Five runs of the atomic form differ by as much as forms do: Jaccard index {jaccard}, "
       f"{within} within 10 %, {largest}")
expect(f"({fv2['sciara_fv2/copy_hand_over/five_kernels/16x16']:.1f} us against "
       f"{fv2['sciara_fv2/swap_hand_over/five_kernels/16x16']:.1f} with pointers swapped)",
       f"({fv2['sciara_fv2/ringless_tile/four_kernels/16x16/align128']:.1f} without a halo, "
       f"{fv2['sciara_fv2/shared_tile/four_kernels/16x16/align128']:.1f} with one, "
       f"{plain['us']:.1f} from global memory)")

# ---- SCIARA-fv3
double, single = cases("sciara_fv3-float64"), cases("sciara_fv3-float32")
slow = cases("sciara_fv3-cpu")["sciara_fv3/reference/serial"]
steps = thousands(slow["generations"])
expect(f"**SCIARA-fv3**, Etna 2006, {steps} steps",
       f"cut off after {len(single)} variants",
       f"One core of the machine's CPU takes {slow['us']:.0f} us a step",
       f"[SCIARA-fv3](pictures/sciara_fv3.png) after {steps.split()[0]} 000")


def fv3(of, variant):
    return of[f"sciara_fv3/{variant}"]["us"]


BOX = "atomics_bounding_box/device/64x4/from32/align128"
sets = cases("sciara_fv3-float64-rest")
box = fv3(single, BOX)
tiles = fv3(single, "shared_preferred/six_kernels/shared_tile/16x16/align128")
expect(f"+{percent(tiles / box - 1)} here (float)",
       f"+{percent(box / fv3(single, 'atomics_active_list/128x1/align128') - 1)} here (in double "
       f"+{percent(fv3(sets, BOX) / fv3(sets, 'atomics_active_list/128x1/align128') - 1)}). "
       "Native double",
       f"{percent(fv3(double, 'atomics_cas/16x16') / fv3(double, 'atomics/16x16') - 1)} slower than "
       "need be")
replayed = times("sciara_fv3-graph")
of_graph = {name.split("/")[1]: us for name, us in replayed.items()}
stream = times("sciara_fv3-float32-rest") | times("sciara_fv3-float32")
saved = [stream[name] - us for name, us in replayed.items()]
expect(f"the list with atomics takes {of_graph['atomics_active_list']:.1f} us, the list "
       f"{of_graph['active_list']:.1f}, `halo` {of_graph['halo']:.1f} and `global` "
       f"{of_graph['global']:.1f}: {min(saved):.0f} to {max(saved):.0f} us less")
extra = [fv3(of, "bounding_box/host/64x4/from32/align128") - fv3(of, other)
         for of in (double, single)
         for other in ("bounding_box/device/64x4/from32/align128",
                       "bounding_box/host/64x4/from32/k32/align128")]
expect(f"reads the box every step costs {min(extra):.0f} to {max(extra):.0f} us of a step; every 32")
assert all(case["verification"]["method"] == "cells" for case in double.values())
limits = {case["verification"]["tolerance"] for case in double.values()}
assert len(limits) == 1
apart = max(case["verification"]["spread"]["largest_difference"] for case in double.values()
            if "spread" in case["verification"])
expect(f"in every cell within {limits.pop():.0e} m after {steps} steps".replace("e-0", "e-"),
       f"five runs differ from each other by {apart:.0e} m".replace("e-0", "e-"))
statistics = single["sciara_fv3/global/six_kernels/16x16"]["verification"]["statistics"]
expect(f"Jaccard index {statistics['jaccard']:.2f}, {percent(statistics['share_within_10_percent'])} "
       "of the cells within 10 %")

# ---- MAGFLOW
final = min(cases("magflow-final").values(), key=lambda case: case["us"])
assert final["verification"]["differing_cells"] == 0
expect(f"[MAGFLOW](pictures/magflow.png) after {thousands(final['generations'])}, which are equal to the "
       f"reference in every bit and take {final['us']:.1f} us each")
first = document("magflow")
tables, etna, rest = (cases(f"magflow-etna2001{part}") for part in ("-tables", "", "-rest"))
volcano, covered = times("magflow-volcano"), times("magflow-volcano-dense")
expect(f"At {next(iter(cases('magflow').values()))['generations']} steps",
       f"float, cut off after {len(first['benchmarks'])} of",
       f"{next(iter(etna.values()))['generations']} steps from the start, float",
       f"cut off after {len(etna)} variants",
       f"and {next(iter(cases('magflow-volcano').values()))['generations']} steps on the synthetic")


def named(variant):
    return f"magflow/{variant}/align128"


def block(shape):
    return named(f"halo/four_kernels/{shape}")


PLAIN = block("64x4")
common = [of[PLAIN]["us"] for of in (tables, etna, rest)]
expect(f"what all three have differs by {percent(max(common) / min(common) - 1)}")
shapes = {name: case["us"] for name, case in tables.items()}


def less(shape, of):
    return slower(of[block(shape)], of[PLAIN])


equal = max(shapes[block("64x3")], shapes[block("192x1")]) / shapes[PLAIN] - 1
assert all(round(of[PLAIN] / of[block("1x64")], 1) == 0.2 for of in (shapes, volcano))


def against(variant, of):
    return of[variant]["us"] / of[PLAIN]["us"]


structures = "magflow/array_of_structures/four_kernels/64x4/unaligned"
texture, vectors = named("texture_2d/four_kernels/64x4"), named("vector_packed/four_kernels/64x4")
expect("4x64, 3x64 and 1x192 are equal within 1 %, "
       f"1x64 is {less('64x1', shapes)} and 8x8 {less('8x8', shapes)} slower, and 64x1 makes a fifth; on "
       f"the volcano {less('64x1', volcano)}, {less('8x8', volcano)} and a fifth",
       f"are {percent(against(texture, etna) - 1)} slower now, and "
       f"{percent(1 - covered[texture] / covered[PLAIN])} faster where lava is everywhere",
       f"A structure per cell is {percent(1 - 1 / against(structures, etna))} slower, vectors of four "
       f"and two words are {percent(1 / against(vectors, etna) - 1)} faster")
assert equal < 0.01
read_back = etna[named("read_back/four_kernels/64x4")]["us"]
library = rest[named("library_minimum/four_kernels/64x4")]["us"]
by_host = rest[named("vent_cpu/three_kernels/64x4")]["us"] - rest[PLAIN]["us"]
expect(f"the published way, costs {read_back - library:.0f} us of every {read_back:.0f}, and rates sent by "
       f"the host {by_host:.0f} us")
ahead = [covered[PLAIN] / covered[named(variant)] - 1
         for variant in ("fused_minimum/three_kernels/64x4", "half_stencil/three_kernels/64x4",
                         "persistent/64x4")]
expect(f"the list is {percent(covered[named('active_list/128x1')] / covered[PLAIN] - 1)} slower than the "
       "plain kernels",
       f"{100 * min(ahead):.0f} to {percent(max(ahead))} ahead")
kernels = kernel_times(cases("magflow")["magflow/halo/four_kernels/64x4/align128"])
share = {name: f"{100 * ns / sum(kernels.values()):.0f}" for name, ns in kernels.items()}
expect(f"the fluxes take {share['flux']} %, the update {share['update']}, the minimum "
       f"{share['minimum']} and the eruption {share['erupt']};")
small = [kernels[name] / 1e3 for name in ("update", "minimum", "erupt")]
expect(f"each small kernel costs {min(small):.1f} to {max(small):.1f} us")
kernels = kernel_times(cases("tiled-magflow")[PLAIN])
large = [f"{100 * kernels[name] / sum(kernels.values()):.0f}"
         for name in ("flux", "update", "minimum", "erupt")]
expect(f"on the large map below the shares are {', '.join(large[:3])} and {large[3]} %")

sizes = [one["size"] for one in (plain, etna[PLAIN])]
cells = [size["columns"] * size["rows"] / 1e6 for size in sizes]
expect(f"The maps have {min(cells):.1f} to {max(cells):.1f} million cells")


# ---- maps in tiles, and kernel by kernel
name = "sciara_fv2/{}".format
rings = times("tiled-sciara_fv2")
added = {case["added_density"] for model in ("sciara_fv2", "sciara_fv3", "magflow")
         for case in cases(f"tiled-{model}").values()}
assert len(added) == 1
expect(f"with lava added to {percent(added.pop())} of the cells",
       f"is {percent(rings[name('cfame/three_kernels/32x8')] / rings[name('halo/four_kernels/64x4/align128')] - 1)}"
       " slower: it computes outflows of rings twice")
registers = {kernel["registers"] for kernel in cases("tiled-sciara_fv3")["sciara_fv3/atomics/16x16"]["kernels"]
             if kernel["name"] in ("candidates", "scatter")}
expect(f"in SCIARA-fv3 {registers.pop()} registers leave room for a quarter of the warps")
assert not registers

LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
LOADED = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
predicted = [(kernel, case["cell"]) for part in ("sciara_fv2", "sciara_fv3", "magflow", "magflow-library")
             for case in cases(f"counters-{part}").values()
             for kernel in case.get("kernel_counters", []) if "model" in kernel]
exact = sum(kernel["model"]["agrees"] for kernel, _ in predicted)
most = max(kernel["counters"][LOADS] / kernel["model"]["global_load_requests"]
           for kernel, _ in predicted if kernel["model"]["global_load_requests"])
moved = max(1 - kernel["counters"][LOADED] / kernel["model"]["global_load_sectors"]
            for kernel, _ in predicted if kernel["model"]["global_load_sectors"])
expect(f"of {len(predicted)} kernels of launches {exact} move exactly what the model says",
       f"up to {most:.1f} times what the source reads",
       f"up to {percent(moved)} of a kernel's sectors")
