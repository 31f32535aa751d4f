#!/usr/bin/env python3
"""Compares the table of a folder of records with the files beside it: every row of its README.md names
its file, and has the fastest variant, its rate and its share of the copy. A row that begins with a variant has
that variant's rate, in Gcell/s."""
import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
files = {path.name for path in folder.glob("*.json")}
rates = {}  # of each variant, in all files
for name in files:
    for case in json.loads((folder / name).read_text())["benchmarks"]:
        if case["camber"]["status"] == "ok":
            rate = f"{case['camber']['derived']['cells_per_second'] / 1e9:.0f}"
            rates.setdefault(f"`{case['camber']['variant'].split('/', 1)[1]}`", set()).add(rate)
for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    link = re.fullmatch(r"\[.*\]\((.*\.json)\)", cells[0])
    if not link:
        if re.fullmatch(r"`[^`]*/[^`]*`", cells[0]) and cells[1] not in rates.get(cells[0], ()):
            sys.exit(f"{folder}/README.md has {cells[1]} for {cells[0]}, and its files {rates.get(cells[0])}")
        continue
    files.remove(link[1])
    cases = json.loads((folder / link[1]).read_text())["benchmarks"]
    best = min((case for case in cases if case["camber"]["status"] == "ok"), key=lambda case: case["real_time"])
    derived = best["camber"]["derived"]
    rate = derived["cells_per_second"]
    particles = best["camber"]["workload"] == "sph"
    expected = [f"`{best['camber']['variant'].split('/', 1)[1]}`",
                f"{rate / 1e3:.0f} kip/s" if particles else f"{rate / 1e9:.0f} Gcell/s",
                f"{100 * derived['share_of_copy']:.1f} %"]
    if cells[1:] != expected:
        sys.exit(f"{folder}/README.md has {cells[1:]}, and its file {expected}")
if files:
    sys.exit(f"{folder}/README.md has no row of {', '.join(sorted(files))}")
