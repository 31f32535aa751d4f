#!/usr/bin/env python3
"""Compares the figures of a folder of captures with the files beside its README.md: every time in a row of the table, and
the times of a program under each way of capturing it. Rows may cite files of the folder "convolution"."""
import pathlib
import re
import sys

from results_files import load, names

folder = pathlib.Path(sys.argv[1])
page = (folder / "README.md").read_text()
output = "\n".join(file.read_text() for file in sorted(folder.glob("*.txt")))
printed = [float(number) * (1000 if unit == "ms" else 1) for number, unit in re.findall(r"([0-9.]+) (us|ms)", output)]
for where in (folder, folder.parent / "convolution"):
    printed += [case["real_time"] / 1000 for name in sorted(names(where)) for case in load(where / name)["benchmarks"]]
    printed += [float(ns) / 1000 for file in sorted(where.glob("launch-*.txt"))
                for ns in re.findall(r'"median_ns": ([0-9.]+)', file.read_text())]
rows = [line for line in page.splitlines() if line.startswith("|") and "every byte" in line]
if not rows:
    sys.exit(f"{folder}/README.md has no row of a replay")
for line in rows:
    for number, unit in re.findall(r"([0-9.]+) (us|ms)", line):
        scale = 1000 if unit == "ms" else 1
        digits = 0.00051 if unit == "ms" else 0.0501
        if not any(abs(float(number) - one / scale) < digits for one in printed):
            sys.exit(f"{folder}/README.md has {number} {unit}, which its output has not, in\n{line}")

seconds = {}
for way, time in re.findall(r"^(?:(.+): )?30000 steps in ([0-9.]+) s", output, re.M):
    seconds.setdefault(way, []).append(f"{float(time):.3f}")
prose = " ".join(page.split())
for way, times in seconds.items():
    if ", ".join(times[:-1]) + " and " + times[-1] not in prose:
        sys.exit(f"{folder}/README.md lacks the times {times} of '{way}'")
mean = {way: sum(map(float, times)) / len(times) for way, times in seconds.items()}
for way, words in (("capture without a match", "a match"), ("list", "`--list`")):
    share = f"({100 * (mean[way] / mean[''] - 1):.1f} %)"
    if share not in prose:
        sys.exit(f"{folder}/README.md lacks {share} for {words}")
