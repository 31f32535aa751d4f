#!/usr/bin/env python3
"""Prints what measure.sh measured, beside what was asked for: compare.py FOLDER.

Exit code 1 where a target is missed.
"""
import csv
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import results_files  # noqa: E402

folder = pathlib.Path(sys.argv[1])
missed = []


def load(name):
    return results_files.load(folder / name)


def cases(document):
    return [b for b in document["benchmarks"] if b["camber"]["status"] == "ok"]


def ncu_median(name):
    with open(folder / name, newline="") as file:
        rows = list(csv.DictReader(file))
    return statistics.median(float(row["Metric Value"].replace(",", "")) for row in rows)


def target(text, met):
    print(f"Asked for: {text}: {'met' if met else 'MISSED'}.")
    if not met:
        missed.append(text)


context = load("kernel-1.json")["context"]["camber"]
dirty = " (dirty)" if context["git"]["dirty"] else ""
print(f"{context['gpu']['name']}, driver {context['driver_version']}, "
      f"commit {context['git']['commit']}{dirty}")

print("\nA kernel's own time, by CUPTI activity (camber) and by ncu, and the time per launch by events")
print(f"{'variant':44} {'size':>11} {'activity':>11} {'ncu':>11} {'differ':>7} {'events':>11} "
      f"{'gap':>8} {'of events':>9}")
against_ncu, long_gaps = [], []
for number in range(1, 6):
    case = cases(load(f"kernel-{number}.json"))[0]
    camber = case["camber"]
    kernel = camber["kernel_times"]["kernels"][0]["median_ns"]
    ncu = ncu_median(f"ncu-{number}.csv")
    events = case["real_time"] * camber["generations_per_launch"]
    gap = camber["kernel_times"]["launch_gap_ns"]
    against_ncu.append(abs(kernel / ncu - 1))
    if kernel > 200e3:
        long_gaps.append(abs(gap / events))
    size = f"{camber['size']['columns']}x{camber['size']['rows']}"
    print(f"{camber['variant']:44} {size:>11} {kernel / 1e3:8.2f} us {ncu / 1e3:8.2f} us "
          f"{100 * (kernel / ncu - 1):+6.2f}% {events / 1e3:8.2f} us {gap / 1e3:+5.2f} us "
          f"{100 * gap / events:+8.2f}%")
target("activity within 2 % of ncu", max(against_ncu) < 0.02)
target("events within 1 % of activity for kernels over 200 us", max(long_gaps) < 0.01)

for name, title in (("aa.json", "8192x8192"), ("aa-small.json", "2048x2048")):
    differences = []
    for case in cases(load(name)):
        camber = case["camber"]
        first = camber["visits"][0]["n"]
        a = statistics.median(camber["samples_ns"][:first])
        b = statistics.median(camber["samples_ns"][first:])
        differences.append((abs(b / a - 1), b / a - 1, camber["variant"]))
    differences.sort(reverse=True)
    within = sum(d[0] < 0.005 for d in differences)
    print(f"\nA/A at {title}: the medians of two visits in one run differ by under 0.5 % in {within} "
          f"of {len(differences)} variants. The largest:")
    for _, difference, variant in differences[:3]:
        print(f"  {variant:56} {100 * difference:+6.2f} %")
    target("95 % of the variants", within >= 0.95 * len(differences))

print("\nTime per launch of life/halo/64x4/align128 by camber and by a bare loop of events")
overheads = []
for line in (folder / "bare.txt").read_text().splitlines():
    size, bare = line.split()
    time = cases(load(f"overhead-{size}.json"))[0]["real_time"]
    overheads.append(time / float(bare) - 1)
    print(f"  {size:>12} camber {time / 1e3:9.3f} us, bare {float(bare) / 1e3:9.3f} us: "
          f"{100 * overheads[-1]:+6.2f} %")
target("an overhead under 1 %", max(overheads) < 0.01)

print("\nUnder ncu, camber says:")
sentences = [line for line in (folder / "attached.txt").read_text().splitlines()
             if line.startswith("camber:")]
for sentence in sentences:
    print(f"  {sentence}")
target("times and one sentence", len(sentences) == 1)

sys.exit(1 if missed else 0)
