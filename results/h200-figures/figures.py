#!/usr/bin/env python3
"""Draws step times over whole eruptions, and rates over the board size, from the results files of a campaign.

    python3 results/h200-figures/figures.py results/h200 results/h200-figures

Lines are measured: each point is the median of the samples from one saved state. Dashed lines are printed means of the
sources' tables; the sources' own curves have no printed values."""
import json
import statistics
import subprocess
import sys
from pathlib import Path

SIZE = (760, 380)
EDGE = {"left": 70, "right": 230, "top": 34, "bottom": 46}
COLORS = ["#1b6ca8", "#c2571a", "#2f7d32", "#7b3fa0", "#b3261e", "#5d6d7e", "#9a7d0a"]


def load(folder, name):
    plain = Path(folder) / f"{name}.json"
    if plain.exists():
        return json.loads(plain.read_text())
    return json.loads(subprocess.run(["zstd", "-dcq", f"{plain}.zst"], check=True, capture_output=True).stdout)


def ticks(low, high, wanted=6):
    step = 10 ** len(str(int(max(1, (high - low) / wanted)))) / 10
    while (high - low) / step > wanted:
        step *= 2 if str(step)[0] != "2" else 2.5
    first = int(low / step)
    return [k * step for k in range(first, int(high / step) + 1) if low <= k * step <= high]


def chart(path, title, x_name, y_name, lines, printed=()):
    """lines: name and points; printed: name and y. Axes begin at 0."""
    width, height = SIZE
    x_most = max(x for _, points in lines for x, _ in points)
    y_most = 1.05 * max([y for _, points in lines for _, y in points] + [y for _, y in printed])
    right, bottom = width - EDGE["right"], height - EDGE["bottom"]

    def at(x, y):
        return (EDGE["left"] + x / x_most * (right - EDGE["left"]), bottom - y / y_most * (bottom - EDGE["top"]))

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{EDGE["left"]}" y="20" font-size="14">{title}</text>']
    for y in ticks(0, y_most):
        left, level = at(0, y)
        svg.append(f'<path d="M{left:.1f} {level:.1f}H{right}" stroke="#ddd"/>'
                   f'<text x="{left - 6:.1f}" y="{level + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in ticks(0, x_most):
        place, _ = at(x, 0)
        svg.append(f'<text x="{place:.1f}" y="{bottom + 16}" text-anchor="middle">{x:g}</text>')
    svg.append(f'<path d="M{EDGE["left"]} {EDGE["top"]}V{bottom}H{right}" fill="none" stroke="#444"/>'
               f'<text x="{(EDGE["left"] + right) / 2}" y="{height - 10}" text-anchor="middle">{x_name}</text>'
               f'<text transform="translate(16 {(EDGE["top"] + bottom) / 2}) rotate(-90)" text-anchor="middle">{y_name}</text>')
    for k, (name, points) in enumerate(lines):
        color = COLORS[k % len(COLORS)]
        places = [at(x, y) for x, y in points]
        svg.append(f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in places)}" fill="none" stroke="{color}" stroke-width="2"/>')
        svg += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{color}"/>' for x, y in places]
        svg.append(f'<text x="{right + 12}" y="{EDGE["top"] + 14 + 18 * k}" fill="{color}">{name}</text>')
    for k, (name, y) in enumerate(printed):
        left, level = at(0, y)
        svg.append(f'<path d="M{left:.1f} {level:.1f}H{right}" stroke="#888" stroke-dasharray="6 4"/>'
                   f'<text x="{right + 12}" y="{EDGE["top"] + 14 + 18 * (len(lines) + k)}" fill="#666">{name}</text>')
    Path(path).write_text("\n".join(svg) + "\n</svg>\n")
    print(path)


def over_run(document, variants, unit):
    """Microseconds of a step over the run, by variant."""
    lines = []
    for variant, name in variants:
        for case in document["benchmarks"]:
            own = case["camber"]
            if own["variant"].split("/", 1)[1] != variant or "summed" not in own:
                continue
            lines.append((name, [(state["generation"] / unit,
                                  statistics.median(state["samples_ns"]) / state["generations"] / 1e3)
                                 for state in own["summed"]["states"]]))
    return lines


def over_size(document, techniques):
    """Millions of cells per second over the side of the board: the fastest variant of each technique."""
    best = {}
    for case in document["benchmarks"]:
        own = case["camber"]
        if own.get("status") != "ok" or own["technique"] not in techniques:
            continue
        side = own["size"]["columns"]
        cells = side * side
        ns = statistics.median(own["samples_ns"]) / own["generations_per_sample"]
        rate = cells / ns * 1e3
        key = (own["technique"], side)
        best[key] = max(best.get(key, 0), rate)
    return [(name, sorted((side, rate) for (technique, side), rate in best.items() if technique == name))
            for name in techniques if any(technique == name for technique, _ in best)]


def main():
    results, out = sys.argv[1:3]
    magflow = [("published/64x3/l1/align128", "published program"), ("halo/four_kernels/64x4/align128", "whole board"),
               ("bounding_box/device/64x4/from32/align128", "box on the device"), ("active_list/128x1/align128", "list")]
    chart(f"{out}/magflow-10m.svg", "MAGFLOW, Etna 2001, cells of 10 m", "thousand steps", "us per step",
          over_run(load(results, "magflow-etna2001"), magflow, 1e3),
          [("GTX 480, printed mean (4415/s)", 1e6 / 4415)])
    chart(f"{out}/magflow-5m.svg", "MAGFLOW, Etna 2001, cells of 5 m", "thousand steps", "us per step",
          over_run(load(results, "magflow-etna2001-5m"), magflow, 1e3),
          [("GTX 480, printed mean (1685/s)", 1e6 / 1685)])
    fv3 = [("shared_tile/six_kernels/16x16/align128", "hybrid memory"), ("global/six_kernels/16x16", "global memory"),
           ("atomics_tile/16x16/align128", "atomics, staged cells"), ("atomics_active_list/128x1/align128", "list, atomics"),
           ("active_list/128x1/align128", "list, gather"), ("bounding_box/device/64x4/from32/align128", "box")]
    chart(f"{out}/sciara-fv3.svg", "SCIARA-fv3, Etna 2006, single precision", "thousand steps", "us per step",
          over_run(load(results, "sciara_fv3-etna2006-float32"), fv3, 1e3))
    chart(f"{out}/topa-sizes.svg", "Water flow over the size of the board", "cells along a side", "million cells per second",
          over_size(load(results, "water_flow-sizes"), ["first_rows", "halo"]))


if __name__ == "__main__":
    main()
