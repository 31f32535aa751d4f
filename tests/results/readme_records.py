#!/usr/bin/env python3
"""Compares the table of a folder of records with the files beside it: every row of its README.md names
its file, and has the fastest variant, its rate and its share of the copy."""
import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
files = {path.name for path in folder.glob("*.json")}
for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    link = re.fullmatch(r"\[.*\]\((.*\.json)\)", cells[0])
    if not link:
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
