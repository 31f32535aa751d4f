#!/usr/bin/env python3
"""Compares a table over the radius with the files that it is made of: of every technique the rate of its fastest
variant, in Gcell/s.

    readme_radii.py PAGE RESULTS [--update]

It is the first table of PAGE after a link into the folder RESULTS. --update writes what the files have."""
import json
import pathlib
import sys


def rates(file):
    best = {}
    for case in json.loads(file.read_text())["benchmarks"]:
        camber = case["camber"]
        if camber["status"] == "ok":
            rate = camber["derived"]["cells_per_second"] / 1e9
            best[camber["technique"]] = max(rate, best.get(camber["technique"], 0))
    return best


page, results = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
update = sys.argv[3:] == ["--update"]
files = {path.name for path in results.glob("larger_than_life-r*.json")}
lines = page.read_text().splitlines()
link = f"results/{results.resolve().name}/"
first = next((i for i, line in enumerate(lines) if link in line), None)
start = next((i for i in range(first or 0, len(lines)) if lines[i].startswith("| radius |")), None)
if first is None or start is None:
    sys.exit(f"{page} has no link into {link} before a table over the radius")
techniques = [cell.strip().strip("`") for cell in lines[start].strip("|").split("|")][1:]
for i in range(start + 2, len(lines)):
    if not lines[i].startswith("|"):
        break
    radius, *found = [cell.strip() for cell in lines[i].strip("|").split("|")]
    name = f"larger_than_life-r{radius}.json"
    if name not in files:
        sys.exit(f"{page} has a row of radius {radius}, and there is no {results / name}")
    files.remove(name)
    best = rates(results / name)
    expected = [f"{best[one]:.0f}" if best[one] >= 100 else f"{best[one]:.1f}" for one in techniques]
    if found != expected:
        if not update:
            sys.exit(f"{page} has {found} at radius {radius}, and {results / name} {expected}")
        lines[i] = f"| {radius} | {' | '.join(expected)} |"
if files:
    sys.exit(f"{page} has no row of {', '.join(sorted(files))}")
if update:
    page.write_text("\n".join(lines) + "\n")
