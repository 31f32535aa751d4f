#!/usr/bin/env python3
"""Writes campaign-boards.md: least times of the campaign's boards on cards of Blackwell, from published figures.

    campaign_boards.py CAMBER            writes the page; CAMBER: the program, which needs no GPU
    campaign_boards.py CAMBER --check    exit code 1 if the page is not what this script writes
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
from results_files import load  # noqa: E402

# Results files of the campaign, of boards far beyond any L2.
FILES = ["life", "life-uint8-32k", "life-bits", "blur", "gaussian-r1", "larger_than_life-r1"]
CARDS = [("b200", "B200"), ("rtx-5090", "RTX 5090")]

HEAD = """# Boards of the campaign on Blackwell

Least times that DRAM takes on cards of Blackwell, from [published figures](README.md#blackwell): nothing here was measured on such a card. A row has
the fastest variant of [the campaign on an H200](../h200/README.md) that computes one generation per launch, the time measured there, and the same
least time of the H200. Kernels that arithmetic limits are not here: no source states how many integer instructions these cards start per cycle.

[campaign_boards.py](campaign_boards.py) writes this page.

"""


def fastest(file):
    """Time of a generation and case of the fastest variant with one generation per launch."""
    cases = [case["camber"] for case in load(here.parent / "h200" / (file + ".json"))["benchmarks"]]
    cases = [case for case in cases if case.get("generations_per_launch") == 1 and case.get("statistics")]
    return min(((case["statistics"]["median_ns"] / case["generations_per_sample"] * 1e-9, case) for case in cases), key=lambda pair: pair[0])


def options_of(case):
    yield from ("--workload", case["workload"], "--cell", case["cell"], "--boundary", case["boundary"])
    yield from ("--size", "{columns}x{rows}".format(**case["size"]), "--variant", case["variant"].split("/", 1)[1])
    if case.get("rule"):
        yield from ("--rule", case["rule"])
    if case["workload"] == "gaussian":
        for name, values in case["workload_parameters"].items():
            yield from ("--param", f"{name}={values[0]:g}")


def least_seconds(camber, case, card):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "model.json"
        subprocess.run([camber, "model", *options_of(case), "--ceilings", card, "--json", str(out)], check=True, stdout=subprocess.DEVNULL)
        model, = json.loads(out.read_text())["models"]
    bounds = {bound["resource"]: bound["seconds"] for bound in model["bounds"]}
    if model["largest_bound"] != "DRAM":
        raise SystemExit(f"{case['variant']} is not limited by DRAM on {card}: {bounds}")
    return bounds["DRAM"]


def page(camber):
    rows = []
    for file in FILES:
        seconds, case = fastest(file)
        times = [least_seconds(camber, case, card) for card, _ in CARDS] + [seconds, least_seconds(camber, case, "h200")]
        board = "{} on {}, {columns} x {rows}".format(case["workload"].replace("_", " "), case["cell"], **case["size"])
        rows.append(f"| {board} | `{case['variant'].split('/', 1)[1]}` | " + " | ".join(f"{time * 1e6:.1f} us" for time in times) + " |")
    names = " | ".join(f"{name}, at least" for _, name in CARDS)
    return HEAD + f"| board | variant | {names} | H200, measured | H200, at least |\n|---|---|---:|---:|---:|---:|\n" + "\n".join(rows) + "\n"


def main():
    written = page(sys.argv[1])
    target = here / "campaign-boards.md"
    if sys.argv[2:] == ["--check"]:
        sys.exit(written != target.read_text())
    target.write_text(written)


if __name__ == "__main__":
    main()
