#!/usr/bin/env python3
"""Where several GPUs lose time against their share of one, by timelines: of twelve iterations, one of which makes lists
anew. Prints the table of a README.md.

    python3 results/h200x2/particles/losses.py ONE-TIMELINE.json SEVERAL-TIMELINE.json"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from results_files import load  # noqa: E402

WORK = ("kernel", "fill", "copy", "download")
PARTS = {  # kernels by what they are for; the sort of a list's particles is any other
    "forces": ["forces"],
    "finding neighbours": ["neighbours"],
    "moving particles": ["predictor", "corrector"],
    "the minimum": ["DeviceReduceKernel", "DeviceReduceSingleTileKernel", "clock"],
}


def united(pieces):
    """Pieces of time that do not overlap, in order."""
    found = []
    for begin, end in sorted(pieces):
        if found and begin <= found[-1][1]:
            found[-1][1] = max(found[-1][1], end)
        else:
            found.append([begin, end])
    return found


def length(pieces):
    return sum(end - begin for begin, end in united(pieces))


def parts_of(spans):
    """Microseconds of each part on one GPU. Spans are by the end of the last one before: a wait is what no span covers."""
    pieces = {name: [] for name in [*PARTS, "sorting particles"]}
    for name, begin, end in spans:
        part = next((part for part, kernels in PARTS.items() if name in kernels), "sorting particles")
        pieces[part].append((begin, end))
    parts = {name: length(found) for name, found in pieces.items()}
    busy = united([(begin, end) for _, begin, end in spans])
    parts["nothing runs"] = busy[-1][1] - busy[0][0] - sum(end - begin for begin, end in busy)
    parts["all"] = busy[-1][1] - busy[0][0]
    return parts


def timeline(path):
    """The parts of each GPU."""
    spans = {}
    for event in load(path)["traceEvents"]:
        if event["ph"] == "X" and event.get("cat") in WORK:
            # Copies of a number lie between the kernels of the minimum: they are part of its wait.
            if event["cat"] != "copy":
                spans.setdefault(event["pid"], []).append((event["name"], event["ts"], event["ts"] + event["dur"]))
    return [parts_of(found) for _, found in sorted(spans.items())]


SHARES = {2: "half", 3: "a third", 4: "a quarter"}
(one,) = timeline(sys.argv[1])
several = timeline(sys.argv[2])
heads = ["part", f"{SHARES[len(several)]} of one GPU", *(f"GPU {i}" for i in range(1, len(several) + 1))]
print("| " + " | ".join(heads) + " |")
print("|---" + "|---:" * (len(heads) - 1) + "|")
for part in one:
    cells = [one[part] / len(several), *(place[part] for place in several)]
    print(f"| {part} | " + " | ".join(f"{cell / 1000:.2f} ms" for cell in cells) + " |")
