#!/usr/bin/env python3
"""Compares the table over the radius in a folder's README.md with the files beside it: of every technique the
rate of its fastest variant, in Gcell/s."""
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
files = {path.name for path in folder.glob("*-r*.json")}
techniques = []
for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if cells[0] == "radius":
        techniques = [cell.strip("`") for cell in cells[1:]]
    if not cells[0].isdigit():
        continue
    name = f"larger_than_life-r{cells[0]}.json"
    files.remove(name)
    best = {}
    for case in json.loads((folder / name).read_text())["benchmarks"]:
        camber = case["camber"]
        if camber["status"] == "ok":
            rate = camber["derived"]["cells_per_second"] / 1e9
            best[camber["technique"]] = max(rate, best.get(camber["technique"], 0))
    expected = [f"{best[one]:.0f}" if best[one] >= 100 else f"{best[one]:.1f}" for one in techniques]
    if cells[1:] != expected:
        sys.exit(f"{folder}/README.md has {cells[1:]} at radius {cells[0]}, and its file {expected}")
if files or not techniques:
    sys.exit(f"{folder}/README.md has no row of {', '.join(sorted(files))}")
