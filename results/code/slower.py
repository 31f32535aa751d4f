#!/usr/bin/env python3
"""Prints the cases of a campaign that became slower since an earlier one of the same card, and why, as a page.

    python3 results/code/slower.py CAMBER OLD NEW > results/code/slower.md

OLD is a folder, or a commit whose folder of NEW's name is compared. `camber compare OLD NEW --only time` finds the cases. Where both
files contain the machine code of the case, the page distinguishes changed code from the same code, which another GPU ran. Changed code
needs a reason below. Exit code 1 if a case has none.
"""
import fnmatch
import json
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from collect import counts_of, results, text_of

from results_files import load  # noqa: E402, collect.py adds its folder to the path

root = results.parent
# Globs of a file and of a variant, and the reason why they became slower; the first match counts.
launches = "limited by the host's launches, which took longer on this machine; where kernels are timed alone, they take as long as before"
reasons = [("life-bits-many", "*", "other registers and one to four instructions more; the kernels alone take 3 % longer; the record computes seven generations per launch"),
           ("magflow-*", "*", launches), ("table-magflow-*", "*", launches), ("table-sciara-fv3-*", "*", launches),
           ("scaling-threads", "*", "the reference on the processor of another machine, where one thread alone takes 1.38 times as long")]

SAME, CLOCK, CHANGED, UNKNOWN = "same machine code", "lower SM clock", "changed machine code", "no machine code in the files"


def folder_of(old, new, scratch):
    """The folder OLD, extracted from git if it is a commit."""
    if Path(old).is_dir():
        return Path(old), old
    name = f"results/{new.name}"
    archive = subprocess.run(["git", "-C", root, "archive", old, name], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", scratch], input=archive, check=True)
    return Path(scratch) / name, f"{name} of commit {old}"


def cases_of(folder, file):
    document = load(folder / f"{file}.json")
    return {case["name"]: case["camber"] for case in document["benchmarks"]}, document["context"]["camber"]


def kernels_of(case):
    return case.get("kernels") or [case.get("kernel") or {}]


def code_of(case):
    """What identifies the machine code of a case's kernels, or None if the file lacks it."""
    kernels = kernels_of(case)
    if not all("instructions" in kernel for kernel in kernels):
        return None
    return [(kernel["registers"], kernel.get("grid"), kernel.get("block"), text_of(counts_of(kernel["instructions"])))
            for kernel in kernels]


def cause_of(time, before, after):
    old, new = code_of(before), code_of(after)
    if old is None or new is None:
        return UNKNOWN
    if old != new:
        return CHANGED
    return CLOCK if (time.get("cycles_ratio") or time["ratio"]) <= 1.03 < time["ratio"] else SAME


def instructions_of(case):
    return " + ".join(f"{kernel['instructions']['total']} ({kernel['registers']} registers)" for kernel in kernels_of(case))


def kernel_ratio(before, after):
    """Ratio of the kernels' own times per generation, if both files contain them."""
    old, new = ((case.get("kernel_times") or {}).get("ns_per_generation") for case in (before, after))
    return f"{new / old:.3f}" if old and new else "-"


def reason_for(file, variant):
    return next((text for files, variants, text in reasons
                 if fnmatch.fnmatch(file, files) and fnmatch.fnmatch(variant, variants)), None)


def main():
    camber, old, new = sys.argv[1], sys.argv[2], Path(sys.argv[3]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        base, title = folder_of(old, new, scratch)
        output = subprocess.run([camber, "compare", base, new, "--only", "time", "--format", "json"],
                                capture_output=True, text=True)
        if output.returncode not in (0, 1, 4):  # 4: cases failed verification
            sys.exit(output.stderr)
        compared = json.loads(output.stdout)
        ratios, slower, other_gpu = defaultdict(list), defaultdict(list), 0
        for file, comparison in compared["files"].items():
            before, run_before = cases_of(base, file)
            after, run_after = cases_of(new, file)
            moved = (run_before.get("gpu") or {}).get("uuid") != (run_after.get("gpu") or {}).get("uuid")
            other_gpu += moved
            for one in comparison["cases"]:
                time, name = one.get("time"), one["name"]
                if not time or name not in before or name not in after:
                    continue
                cause = cause_of(time, before[name], after[name])
                ratios[cause].append(time["ratio"])
                if time["verdict"] == "SLOWER":
                    slower[cause].append((file, name, time["ratio"], before[name], after[name]))
    print(f"""# Cases that became slower

`python3 results/code/slower.py ./camber OLD NEW` prints this page. It compares results/{new.name} with {title}: times in which the same
case became slower by more than 3 %, and whether its machine code (instructions by class, registers, grid and block) changed.

{compared['summary']} {other_gpu} files were measured on another GPU of the same model.

| cause | cases | slower by more than 3 % | median ratio | nine in ten between |
|---|---:|---:|---:|---:|""")
    for cause in (CHANGED, SAME, CLOCK, UNKNOWN):
        if found := sorted(ratios[cause]):
            tenth = len(found) // 20
            print(f"| {cause} | {len(found)} | {len(slower[cause])} | {statistics.median(found):.3f} "
                  f"| {found[tenth]:.3f} and {found[-1 - tenth]:.3f} |")
    unexplained = 0
    for cause in (CHANGED, UNKNOWN):
        if slower[cause]:
            print(f"\n## {cause.capitalize()}\n\n| file | case | ratio | kernels alone | instructions before | now | reason |\n"
                  "|---|---|---:|---:|---:|---:|---|")
        for file, name, ratio, before, after in sorted(slower[cause], key=lambda one: -one[2]):
            reason = reason_for(file, after["variant"])
            unexplained += reason is None
            counts = [instructions_of(case) if cause == CHANGED else "" for case in (before, after)]
            print(f"| {file} | `{name}` | {ratio:.3f} | {kernel_ratio(before, after)} | {counts[0]} | {counts[1]} | {reason or 'not explained'} |")
    if slower[SAME]:
        print("""
## Same machine code

The kernels are the same, and so is the SM clock. These ratios show how far two measurements of the same code on two GPUs of one model,
or at two times, differ. Beside the largest ratio of a file is the ratio of the kernels' own times in that case, without launches.

| file | slower | largest ratio | kernels alone | its case | techniques |
|---|---:|---:|---:|---|---|""")
        by_file = defaultdict(list)
        for file, name, ratio, before, after in slower[SAME]:
            by_file[file].append((ratio, name, kernel_ratio(before, after), after["technique"]))
        for file, found in sorted(by_file.items(), key=lambda one: -max(one[1])[0]):
            ratio, name, kernels, _ = max(found)
            print(f"| {file} | {len(found)} | {ratio:.3f} | {kernels} | `{name}` | {', '.join(sorted({one[3] for one in found}))} |")
    lost = [(file, one) for file, comparison in compared["files"].items() for one in comparison["cases"]
            if one["state"] in ("wrong", "missing") and one["regressed"]]
    if lost:
        print("\n## Without a time now\n")
        for file, one in lost:
            print(f"- {file}: `{one['name']}` {one.get('reason') or ''} ({one['state']})")
    if compared["not_comparable"]:
        print("\n## Not comparable\n")
        for file, reason in compared["not_comparable"].items():
            print(f"- {file}: {reason.replace(str(base), 'OLD').replace(str(new), 'NEW').split(': measure both')[0]}")
    for key, word in (("only_in_base", "Only in the earlier campaign"), ("only_in_new", "New")):
        if compared[key]:
            print(f"\n{word}: {', '.join(compared[key])}.")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
