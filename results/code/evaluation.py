"""Predicted and measured times of committed boards, as accuracy.py, ablation.py and calibrate.py read them."""
import json
import math
import os
import re
import statistics
import subprocess
from collections import defaultdict
from pathlib import Path

from held_out import is_held_out

root = Path(__file__).resolve().parent.parent.parent
results = root / "results"

# The newest measurement of each board: the H200's campaign is newer than the experiments, and the H100's is older.
of_both = """life life-uint8 life-torus life-8192 life-uint8-32k life-many life-bits life-bits-many life-2048-cold life-1000x777-torus-uint8
blur blur-many dog_image gaussian gaussian-r2 gaussian-r3 gaussian-r7 gaussian-r10 larger_than_life-bits larger_than_life-bits-r1
larger_than_life-bits-r5 larger_than_life-bits-r15 surface_water surface_water-counters water_flow""".split()
radii = " ".join(f"{{edges}}/larger_than_life-r{radius}" for radius in (1, 2, 3, 5, 7, 10, 15))
files = {"h200": [f"h200/{name}" for name in of_both] + f"""h200/life-1000x777 h200/life-256-graph h200/life-counters h200/blur-counters h200/dog
h200/extrema h200/gaussian-r1 h200/gaussian-r5 h200/gaussian-r15 {radii.format(edges="h200")} h200/extrema_stack
experiments/h200-requests/life-1000x777-graph experiments/h200-requests/life-2048-graph""".split()
                 + [f"experiments/odd-sizes/{name}" for name in """blur-7000x4096 extrema-4096x3500 extrema_stack-3100x2048
larger_than_life-6000x8192 life-2500x2048 surface_water-3000x4096""".split()],
         "h100": [f"h100/{name}" for name in of_both] + f"""{radii.format(edges="experiments/h100-edges")} experiments/h100-edges/extrema
experiments/h100-edges/extrema_stack""".split() + [f"experiments/h100-requests/{name}" for name in """life-1000x777 life-1000x777-graph
life-256-graph life-2048 life-2048-graph blur-2048 dog gaussian-r1 gaussian-r5 gaussian-r15""".split()]}
# Boards whose sides are no powers of two.
new_boards = sorted({f"h200/{name}" for name in (path.name.split(".json")[0] for path in (results / "h200").glob("*.json*"))
                     if re.fullmatch(r"(?!table)\w+(-r\d+)?-\d{4,5}x\d{4}", name)})
uncertain = "h200/magflow-tiled h200/sciara_fv2-tiled h200/magflow h200/sciara_fv2 h200/sph-counters".split()


def all_files():
    return files["h200"] + files["h100"] + new_boards + uncertain


# Resources that bound a launch, by group of the interval (analysis/time/reliability.cpp).
groups = {"DRAM": "memory", "L2": "memory", "starts of warps": "latency", "latency": "latency", "busy memory": "latency",
          "launch": "latency"}


def group_of(row):
    return "uncertain" if row["uncertain"] else groups.get(row["bound_by"], "throughput")


def with_intervals(rows):
    """Rows with the intervals of analysis/time/calibration.hpp, which may be newer than the program that printed them."""
    found = re.findall(r"Residuals (\w+)\{([\d.]+), ([\d.]+),", (root / "analysis/time/calibration.hpp").read_text())
    ends = {group: (min(1, float(low)), max(1, float(high))) for group, low, high in found}
    for row in rows:
        low, high = ends[group_of(row)]
        row["low"], row["high"] = row["predicted"] * low, row["predicted"] * high
    return rows


def rows_of(program, files, *options):
    """One dict per variant that `predicted-times` prints. `program`: its path, or a folder with lines that it printed."""
    if Path(program).is_dir():
        lines = [json.loads(line) for path in sorted(Path(program).glob("*.jsonl")) for line in path.read_text().splitlines()]
        return with_intervals([line for line in lines if line["file"] in files and ("--terms" in options or line["without"] == "")])
    traces = os.environ.get("CAMBER_TRACES", str(root / "build" / "traces"))
    found = subprocess.run([program, "--cache", traces, *options, *files], capture_output=True, text=True, check=True)
    if found.stderr:
        print(found.stderr, file=os.sys.stderr)
    return with_intervals([json.loads(line) for line in found.stdout.splitlines()])


def boards_of(rows):
    """Rows by board: a file has one board, except those over several sizes."""
    boards = defaultdict(list)
    for row in rows:
        boards[(row["file"], row["workload"], row["columns"], row["rows"])].append(row)
    return {key: board for key, board in boards.items() if len(board) > 1}


def held_out(board):
    row = board[0]
    return is_held_out(row["workload"], row["columns"], row["rows"], row["card"], row["measured_at"])


def sign(number):
    return (number > 0) - (number < 0)


def pairs_of(board):
    return [(a, b) for i, a in enumerate(board) for b in board[:i]]


def error(row):
    return abs(row["predicted"] / row["measured"] - 1)


def pick(board):
    return min(board, key=lambda row: row["predicted"])["measured"] / min(row["measured"] for row in board)


def ninth(values):
    return sorted(values)[math.ceil(0.9 * len(values)) - 1]


class Figures:
    """Of several boards together; tau over pairs of variants on the same board."""

    def __init__(self, boards):
        order = measured = predicted = apart = in_order = 0
        for board in boards:
            for a, b in pairs_of(board):
                x, y = sign(a["measured"] - b["measured"]), sign(a["predicted"] - b["predicted"])
                order, measured, predicted = order + x * y, measured + (x != 0), predicted + (y != 0)
                if max(a["measured"], b["measured"]) > 1.03 * min(a["measured"], b["measured"]):
                    apart, in_order = apart + 1, in_order + x * y
        rows = [row for board in boards for row in board]
        errors = [error(row) for row in rows]
        self.boards = len(boards)
        self.variants = len(rows)
        self.tau = order / math.sqrt(measured * predicted) if measured * predicted else 0
        self.apart = in_order / apart if apart else 0
        self.picks = [pick(board) for board in boards]
        self.pick = max(self.picks)
        self.median = 100 * statistics.median(errors)
        self.ninth = 100 * ninth(errors)
        self.inside = 100 * sum(row["low"] <= row["measured"] <= row["high"] for row in rows) / len(rows)
        self.uncertain = sum(row["uncertain"] for row in rows)
