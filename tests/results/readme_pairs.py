#!/usr/bin/env python3
"""Compares the table of a folder that measured the same on one GPU and on two with the files beside it: every row
of its README.md names both files, and has the times, the rate and the efficiency that follow from them."""
import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])


def cases_of(name):
    return json.loads((folder / name).read_text())["benchmarks"]


def time_text(ns):
    return f"{ns / 1e6:.3f} ms"


rows = 0
for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    link = len(cells) == 6 and re.fullmatch(r"\[one\]\((.*)\.txt\), \[two\]\((.*)\.txt\)", cells[1])
    if not link:
        continue
    rows += 1
    (one,) = cases_of(f"{link[1]}.json")
    two = min(cases_of(f"{link[2]}.json"), key=lambda case: case["real_time"])
    assert "group" not in one["camber"] and two["camber"]["group"]["places"] == 2, line
    assert one["camber"]["variant"] == two["camber"]["variant"], line
    assert one["camber"]["workload_parameters"] == two["camber"]["workload_parameters"], line
    alone, shared = one["real_time"], two["real_time"]
    particles = one["camber"]["size"]["columns"]
    expected = [time_text(alone), time_text(shared), f"{particles * 1e6 / shared:.0f}", f"{alone / shared / 2:.3f}"]
    if cells[2:] != expected:
        sys.exit(f"{folder}/README.md has {cells[2:]}, and its files {expected}")
if not rows:
    sys.exit(f"{folder}/README.md has no row of a measurement")
