#!/usr/bin/env python3
"""Compares the tables of scaling and of MAGFLOW in a folder's README.md with the files beside it."""
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
readme = (folder / "README.md").read_text()


def expect(row):
    if row not in readme:
        sys.exit(f"{folder}/README.md has no row\n{row}")


for series in json.loads((folder / "scaling/sms.json").read_text())["scaling"]:
    second, last = series["points"][1], series["points"][-1]
    assert second["p"] == 2 and last["p"] == 16.5
    expect(f"| {series['variant'].removeprefix('life/').removesuffix('/align128')} | "
           f"{last['speedup']:.2f} | {100 * last['efficiency']:.1f} % | "
           f"{second['karp_flatt']:.4f}, {last['karp_flatt']:.4f} | "
           f"{100 * last['share_of_copy']:.0f} % |")


def times(name):
    document = json.loads((folder / f"workloads/{name}.json").read_text())
    return {b["camber"]["variant"]: b["real_time"] / 1e3 for b in document["benchmarks"]
            if b["camber"]["status"] == "ok"}


both = times("magflow"), times("magflow-float64")
best = min(both[0], key=both[0].get)
assert best == min(both[1], key=both[1].get) == "magflow/fused_minimum/three_kernels/64x4/align128"


def row(label, value):
    expect(f"| {label} | {value(both[0]):.1f} us | {value(both[1]):.1f} us |")


row("best: minimum fused into the fluxes, 64x4", lambda t: t[best])
row("plain, four kernels, global/16x16", lambda t: t["magflow/global/four_kernels/16x16"])
row("pairs of cells in shared memory (half stencil), best",
    lambda t: min(ns for name, ns in t.items() if "/half_stencil/" in name))
