#!/usr/bin/env python3
"""Compares flows of lava cell by cell: how many cells are within 10 % of the serial program's?

    python3 results/experiments/flows-350000/flows.py extract STATE FLOW.csv.gz     takes the lava out of a saved state
    python3 results/experiments/flows-350000/flows.py compare EXPECTED FLOW...      prints a table in Markdown

A cell counts if lava covers it in either flow. It is within 10 % if the thicknesses differ by at most a tenth of the
larger one (as in results files: share_within_10_percent)."""
import array
import csv
import gzip
import sys
from pathlib import Path

KINDS = {"float32": "f", "float64": "d", "uint8": "B"}


def read_state(path):
    """Fields of a saved state by name, and its number of columns."""
    with open(path, "rb") as file:
        fields = []
        for line in iter(file.readline, b""):
            words = line.decode("ascii").split()
            if words[0] == "field":
                fields.append((words[1], words[2], int(words[3]), int(words[4])))
            if words[0] == "cells":
                break
        found = {}
        for name, kind, columns, rows in fields:
            cells = array.array(KINDS[kind])
            cells.frombytes(file.read(cells.itemsize * columns * rows))
            found[name] = (columns, cells)
    return found


def extract(state, flow):
    fields = read_state(state)
    columns, thickness = fields["thickness"]
    solid = fields["solidified"][1]
    with gzip.open(flow, "wt", newline="", compresslevel=9) as file:
        rows = csv.writer(file)
        rows.writerow(("row", "column", "thickness", "solidified"))
        for cell, (fluid, cold) in enumerate(zip(thickness, solid)):
            if fluid > 0 or cold > 0:
                rows.writerow((cell // columns, cell % columns, f"{fluid:.9g}", f"{cold:.9g}"))


def read_flow(path):
    """Thickness by cell, fluid lava alone, and with solid lava."""
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    cell = [(int(row["row"]), int(row["column"])) for row in rows]
    fluid = {at: float(row["thickness"]) for at, row in zip(cell, rows) if float(row["thickness"]) > 0}
    both = {at: float(row["thickness"]) + float(row["solidified"]) for at, row in zip(cell, rows)}
    return fluid, both


def statistics(expected, actual):
    covered = expected.keys() | actual.keys()
    shared = expected.keys() & actual.keys()
    off = {at: abs(expected.get(at, 0) - actual.get(at, 0)) for at in covered}

    def within(cells):
        good = sum(off[at] <= 0.1 * max(expected.get(at, 0), actual.get(at, 0)) for at in cells)
        return 100 * good / max(1, len(cells))

    ordered = sorted(off.values())
    return [len(actual), len(shared) / max(1, len(covered)), within(covered), within(shared),
            ordered[len(ordered) // 2], sum(ordered) / len(ordered), ordered[-1]]


def compare(expected, flows):
    print("| flow | lava | cells | Jaccard | within 10 %, either | within 10 %, both | median, m | mean, m | largest, m |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    serial = read_flow(expected)
    for flow in flows:
        for kind, one, other in zip(("fluid", "fluid and solid"), serial, read_flow(flow)):
            cells, jaccard, either, both, median, mean, largest = statistics(one, other)
            print(f"| {Path(flow).name.removesuffix('.csv.gz')} | {kind} | {cells} | {jaccard:.3f} | {either:.1f} % "
                  f"| {both:.1f} % | {median:.2g} | {mean:.2g} | {largest:.2g} |")


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "extract":
        extract(sys.argv[2], sys.argv[3])
    elif len(sys.argv) > 3 and sys.argv[1] == "compare":
        compare(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
