#!/usr/bin/env python3
"""Compares the table of a folder that several GPUs measured with the files beside it: every row of
its README.md names its file, and has the times, the efficiency and the loss that follow from it."""
import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
NS = {"us": 1e3, "ms": 1e6}
rows = 0


def agrees(text, value):
    """Whether a number, with a unit or without, is the value in as many digits as it has."""
    number, _, unit = text.partition(" ")
    digits = len(number.partition(".")[2])
    return abs(float(number) * NS.get(unit, 1) - value) <= 0.501 * 10**-digits * NS.get(unit, 1)


for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    link = re.fullmatch(r"\[.*\]\((.*)\.txt\)", cells[0])
    if not link:
        continue
    rows += 1
    document = json.loads((folder / f"{link.group(1)}.json").read_text())
    series = [one for one in document["scaling"] if f"/{cells[1]}/" in one["variant"] + "/"]
    assert len(series) == 1, line
    one, two = series[0]["points"]
    expected = (one["median_ns"], two["median_ns"], two["efficiency"],
                two["median_ns"] - one["median_ns"] / 2)
    for text, value in zip(cells[3:], expected, strict=True):
        if not agrees(text, value):
            sys.exit(f"{folder}/README.md: {text} is {value}, in\n{line}")
    exchanges = {case["camber"]["group"]["exchange"] for case in document["benchmarks"]
                 if "group" in case["camber"]}
    assert exchanges == {cells[2]}, line
if not rows:
    sys.exit(f"{folder}/README.md has no row of a measurement")
