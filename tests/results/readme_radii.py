#!/usr/bin/env python3
"""Compares tables over the radius with the files that they are made of: of every technique the rate of its fastest
variant, in Gcell/s.

    readme_radii.py PAGE RESULTS [--update]

The table of a workload is the first of PAGE after a line that names its files, `WORKLOAD-r*`, and links into the folder
RESULTS. A workload without files there has none. --update writes what the files have."""
import pathlib
import re
import sys

from results_files import load, names


def rates(file):
    best = {}
    for case in load(file)["benchmarks"]:
        camber = case["camber"]
        if camber["status"] == "ok":
            rate = camber["derived"]["cells_per_second"] / 1e9
            best[camber["technique"]] = max(rate, best.get(camber["technique"], 0))
    return best


def compare(workload):
    # Of one board for all radii: names of other boards continue.
    files = {name for name in names(results, f"{workload}-r[0-9]*.json") if re.fullmatch(r".*-r\d+\.json", name)}
    named, link = f"`{workload}-r*`", f"results/{results.resolve().name}/"
    first = next((i for i, line in enumerate(lines) if named in line and link in line), None)
    start = next((i for i in range(first or 0, len(lines)) if lines[i].startswith("| radius |")), None)
    if not files:
        if first is not None:
            sys.exit(f"{page} names files {named}, and {results} has none")
        print(f"{results} has no files {named}: there is no table of them to compare")
        return
    if first is None or start is None:
        sys.exit(f"{page} has no line that names {named} and links into {link} before a table over the radius")
    techniques = [cell.strip().strip("`") for cell in lines[start].strip("|").split("|")][1:]
    for i in range(start + 2, len(lines)):
        if not lines[i].startswith("|"):
            break
        radius, *found = [cell.strip() for cell in lines[i].strip("|").split("|")]
        name = f"{workload}-r{radius}.json"
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


page, results = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
update = sys.argv[3:] == ["--update"]
lines = page.read_text().splitlines()
for one in ("larger_than_life", "gaussian"):
    compare(one)
if update:
    page.write_text("\n".join(lines) + "\n")
