#!/usr/bin/env python3
"""Compares the table of a folder of runs whose rows move between places with the files beside it: every row
of its README.md names its file, and has the time of a generation, how many rows moved and where they are."""
import pathlib
import re
import sys

from results_files import load, names

folder = pathlib.Path(sys.argv[1])
files = names(folder)
for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    link = len(cells) == 5 and re.fullmatch(r"\[.*\]\((.*\.json)(?:\.zst)?\)", cells[1])
    if not link:
        continue
    files.remove(link[1])
    (case,) = load(folder / link[1])["benchmarks"]
    group = case["camber"]["group"]
    moved = group.get("moved_rows")
    expected = [f"{case['real_time'] / 1e3:.1f} us", "-" if moved is None else str(moved),
                "-" if moved is None else ", ".join(map(str, group["rows"]))]
    if cells[2:] != expected:
        sys.exit(f"{folder}/README.md has {cells[2:]}, and its file {expected}")
if files:
    sys.exit(f"{folder}/README.md has no row of {', '.join(sorted(files))}")
