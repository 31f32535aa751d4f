#!/usr/bin/env python3
"""Prints what measure.sh measured: compare.py FOLDER."""
import csv
import json
import pathlib
import statistics
import sys

folder = pathlib.Path(sys.argv[1])


def load(name):
    return json.loads((folder / name).read_text())


def cases(document):
    return [b for b in document["benchmarks"] if b["camber"]["status"] == "ok"]


def ncu_median(path):
    lines = path.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    rows = list(csv.DictReader(lines[start:]))
    times = [float(row["Metric Value"].replace(",", "")) for row in rows if row["Metric Value"]]
    return statistics.median(times), len(times)


context = load("kernel-1.json")["context"]["camber"]
print(f"{context['gpu']['name']}, driver {context.get('driver_version', context['driver'])}, "
      f"commit {context['git']['commit']}{' (dirty)' if context['git']['dirty'] else ''}")

print("\nA kernel's own time, by CUPTI activity (camber) and by ncu, and the time per launch by events")
print(f"{'variant':48} {'size':>12} {'activity':>12} {'ncu':>12} {'differ':>8} {'events':>12} "
      f"{'gap':>10} {'gap/events':>10}")
for number in range(1, 6):
    case = cases(load(f"kernel-{number}.json"))[0]
    camber = case["camber"]
    kernel = camber["kernel_times"]["kernels"][0]["median_ns"]
    ncu, _ = ncu_median(folder / f"ncu-{number}.csv")
    events = case["real_time"] * camber["generations_per_launch"]
    gap = camber["kernel_times"]["launch_gap_ns"]
    size = f"{camber['size']['columns']}x{camber['size']['rows']}"
    print(f"{camber['variant']:48} {size:>12} {kernel / 1e3:9.2f} us {ncu / 1e3:9.2f} us "
          f"{100 * (kernel / ncu - 1):+7.2f}% {events / 1e3:9.2f} us {gap / 1e3:+7.2f} us "
          f"{100 * gap / events:+9.2f}%")

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
          f"of {len(differences)} variants ({100 * within / len(differences):.0f} %)")
    for _, difference, variant in differences[:3]:
        print(f"  {variant:56} {100 * difference:+6.2f} %")

print("\nTime per launch of life/halo/64x4/align128 by camber and by a bare loop of events")
for line in (folder / "bare.txt").read_text().splitlines():
    size, bare = line.split()
    case = cases(load(f"overhead-{size}.json"))[0]
    print(f"  {size:>12} camber {case['real_time'] / 1e3:9.3f} us, bare {float(bare) / 1e3:9.3f} us: "
          f"{100 * (case['real_time'] / float(bare) - 1):+6.2f} %")

print("\nUnder ncu, camber says:")
for line in (folder / "attached.txt").read_text().splitlines():
    if line.startswith("camber:"):
        print(f"  {line}")
