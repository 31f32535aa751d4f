#!/usr/bin/env python3
"""Compares the table of a folder that measured the same on one GPU and on several with the files beside it: every row
of its README.md names both files, as [one](NAME.txt), [four](NAME.txt), and has the times, the rate and the efficiency
that follow from them."""
import pathlib
import re
import sys

from results_files import load

folder = pathlib.Path(sys.argv[1])
NUMBERS = {"two": 2, "three": 3, "four": 4}


def cases_of(name):
    return load(folder / name)["benchmarks"]


def time_text(ns):
    return f"{ns / 1e6:.3f} ms"


rows = 0
for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    link = len(cells) == 6 and re.fullmatch(r"\[one\]\((.*)\.txt\), \[(\w+)\]\((.*)\.txt\)", cells[1])
    if not link:
        continue
    rows += 1
    (one,) = cases_of(f"{link[1]}.json")
    several = min(cases_of(f"{link[3]}.json"), key=lambda case: case["real_time"])
    places = NUMBERS[link[2]]
    assert "group" not in one["camber"] and several["camber"]["group"]["places"] == places, line
    assert one["camber"]["variant"] == several["camber"]["variant"], line
    assert one["camber"]["workload_parameters"] == several["camber"]["workload_parameters"], line
    alone, shared = one["real_time"], several["real_time"]
    particles = one["camber"]["size"]["columns"]
    expected = [time_text(alone), time_text(shared), f"{particles * 1e6 / shared:.0f}", f"{alone / shared / places:.3f}"]
    if cells[2:] != expected:
        sys.exit(f"{folder}/README.md has {cells[2:]}, and its files {expected}")
if not rows:
    sys.exit(f"{folder}/README.md has no row of a measurement")
