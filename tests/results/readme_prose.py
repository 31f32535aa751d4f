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
       f"({fv2['sciara_fv2/ringless_tile/four_kernels/16x16/align128']:.1f} without a halo, ",
       f" with one, {plain['us']:.1f} from global memory)")

# ---- SCIARA-fv3
double, single = cases("sciara_fv3-float64"), cases("sciara_fv3-float32")
slow = cases("sciara_fv3-cpu")["sciara_fv3/reference/serial"]
steps = thousands(slow["generations"])
expect(f"**SCIARA-fv3**, Etna 2006, {steps} steps",
       f"cut off after {len(single)} of {len(double)} variants",
       f"One core of the machine's CPU takes {slow['us']:.0f} us a step",
       f"[SCIARA-fv3](pictures/sciara_fv3.png) after {steps.split()[0]} 000")


def fv3(of, variant):
    return of[f"sciara_fv3/{variant}"]["us"]


box = fv3(single, "atomics_bounding_box/device/64x4/from32/align128")
tiles = fv3(single, "shared_preferred/six_kernels/shared_tile/16x16/align128")
expect(f"+{percent(tiles / box - 1)} here (float)",
       f"+{percent(box / fv3(single, 'atomics_active_list/128x1/align128') - 1)} here. Native double",
       f"{percent(fv3(double, 'atomics_cas/16x16') / fv3(double, 'atomics/16x16') - 1)} slower than "
       "need be")
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
first, etna = document("magflow"), cases("magflow-etna2001")
expect(f"At {next(iter(cases('magflow').values()))['generations']} steps",
       f"float, cut off after {len(first['benchmarks'])} of",
       f"{next(iter(etna.values()))['generations']} steps from the start, float",
       f"cut off after {len(etna)} variants")


def us(variant):
    return etna[f"magflow/{variant}/align128"]["us"]


def block(shape):
    return us(f"halo/four_kernels/{shape}")


equal = max(block("64x3"), block("192x1")) / block("64x4") - 1
more_l1 = (us("shared_preferred/four_kernels/halo/64x4")
           / us("l1_preferred/four_kernels/halo/64x4") - 1)
expect(f"4x64, 3x64 and 1x192 are equal within {percent(equal)}, 1x64 is "
       f"{slower(block('64x1'), block('64x4'))} and 8x8 {slower(block('8x8'), block('64x4'))} slower",
       f"and gives {percent(more_l1)}.",
       f"are {percent(us('texture_2d/four_kernels/64x4') / block('64x4') - 1)} slower now")
read_back = us("read_back/four_kernels/64x4")
expect(f"the published way, costs {read_back - us('library_minimum/four_kernels/64x4'):.0f} us of every "
       f"{read_back:.0f}")
kernels = kernel_times(cases("magflow")["magflow/halo/four_kernels/64x4/align128"])
share = {name: f"{100 * ns / sum(kernels.values()):.0f}" for name, ns in kernels.items()}
expect(f"the fluxes take {share['flux']} %, the update {share['update']}, the minimum "
       f"{share['minimum']} and the eruption {share['erupt']};")

sizes = [one["size"] for one in (plain, next(iter(etna.values())))]
cells = [size["columns"] * size["rows"] / 1e6 for size in sizes]
expect(f"The maps have {min(cells):.1f} to {max(cells):.1f} million cells")
assert round(block("64x4") / block("1x64"), 1) == 0.2
expect("and 64x1 makes a fifth")


# ---- maps in tiles
def tiled(name):
    """The fastest case of a tiled map, the copy in bytes per second and cell, its kernels' times."""
    fastest = min(cases(f"tiled-{name}").values(), key=lambda case: case["us"])
    copy = document(f"tiled-{name}")["context"]["camber"]["ceilings"]["copy_bytes_per_second"]
    size = fastest["size"]
    return fastest, copy / (size["columns"] * size["rows"]), kernel_times(fastest)


def described(case):
    technique = case["variant"].split("/", 1)[1].removesuffix("/align128")
    return f"best `{technique}`, {case['us'] / 1e3:.2f} ms"


def board(case):
    return f"{case['size']['columns']}x{case['size']['rows']}"


fastest, copy_per_cell, kernels = tiled("sciara_fv2")
expect(f"with lava added to {percent(fastest['added_density'])} of the cells",
       f"SCIARA-fv2 on {board(fastest)} cells, double: {described(fastest)} a step, "
       f"{percent(fastest['derived']['share_of_copy'], 1)} of the copy",
       f"Its exchange moves 97 bytes a cell at {percent(97e9 / kernels['exchange'] / copy_per_cell)} of "
       "the copy",
       f"the outflows take {percent(kernels['outflows'] / sum(kernels.values()))} of the step at "
       f"{percent(89e9 / kernels['outflows'] / copy_per_cell)} of the copy: powers")
rings = times("tiled-sciara_fv2")["sciara_fv2/cfame/three_kernels/32x8"]
expect(f"is {percent(rings / fastest['us'] - 1)} slower for the same reason")
fastest, copy_per_cell, kernels = tiled("magflow")
expect(f"MAGFLOW on {board(fastest)}, float: {described(fastest)}, "
       f"{percent(fastest['derived']['share_of_copy'])} of the copy; the fluxes take "
       f"{percent(kernels['flux'] / sum(kernels.values()))} of it at "
       f"{percent(29e9 / kernels['flux'] / copy_per_cell)} of the copy")
