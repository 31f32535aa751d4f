#!/usr/bin/env python3
"""Compares three tables of pages with the files that they name: clusters of one block on a multiprocessor and of two
(results/experiments), MAGFLOW beside the printed efficiencies (results/h200x4/magflow), and particles on several GPUs
(results/h200x4/life-and-particles)."""
import re
import sys
from pathlib import Path

from results_files import load

root = Path(sys.argv[1])
checked = {}


def expect(page, line, cells, figures):
    checked[page] = checked.get(page, 0) + 1
    if cells != figures:
        sys.exit(f"{page} has {cells}, and its files {figures}, in\n{line}")


def rows(page):
    for line in (root / page).read_text().splitlines():
        if line.startswith("|"):
            yield line, [cell.strip() for cell in line.strip("|").split("|")]


page = "results/experiments/README.md"
BLOCKS = {"no cluster": 1, "cluster of two": 2, "cluster of four": 4}
for line, cells in rows(page):
    if named := re.fullmatch(r"\[.*\]\((clusters-.*)\.txt\), (.*)", cells[0]):
        cases = load(root / f"results/experiments/{named[1]}.json")["benchmarks"]
        times = {case["camber"]["variant"].partition("/")[2]: case["real_time"] for case in cases}
        expect(page, line, cells[1:],
               [f"{times[f'cluster_tile/{block}/v8/n8/r6/c{BLOCKS[named[2]]}/align128'] / 1e3:.1f} us"
                for block in ("32x8", "32x16")])

page = "results/h200x4/magflow/README.md"
text = (root / "results/h200x4/magflow/rustico-6.1.txt").read_text()
measured = text[text.index("Measured on H200: magflow/fused_minimum"):].splitlines()
for line, cells in rows(page):
    if re.fullmatch("[234]", cells[0]):
        found = next(row.split() for row in measured if row.startswith(cells[0] + " "))
        expect(page, line, cells[1:],
               [f"{float(found[2]):.3f}", f"{found[4]} us", f"{float(found[7]):.3f}"])

page = "results/h200x4/life-and-particles/README.md"
document = load(root / "results/h200x4/life-and-particles/dam-10m.json")
particles = document["benchmarks"][0]["camber"]["size"]["columns"]
points = {point["units"]: point for point in document["scaling"][0]["points"]}
UNITS = {"one": 1, "two": 2, "three": 3, "four": 4}
for line, cells in rows(page):
    if cells[0] in UNITS and len(cells) == 4:
        ns = points[UNITS[cells[0]]]["median_ns"]
        efficiency = points[1]["median_ns"] / ns / UNITS[cells[0]]
        expect(page, line, cells[1:], [f"{ns / 1e6:.3f} ms", f"{particles / ns:.2f}",
                                       f"{efficiency:.3f}" if UNITS[cells[0]] > 1 else "1"])

if list(checked.values()) != [4, 3, 4]:
    sys.exit(f"rows of pages that were compared: {checked}")
