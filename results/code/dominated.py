#!/usr/bin/env python3
"""Prints the variants that were removed because they lose everywhere, with the committed times that show it.

    python3 results/code/dominated.py > results/code/dominated.md
"""
import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

results = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(results))
import results_files  # noqa: E402

removed = """sciara_fv2/one_kernel/16x8 sciara_fv2/one_kernel/8x8 sciara_fv2/packed/four_kernels/64x4/v2/r4/align128
sciara_fv2/persistent/16x16 surface_water/packed/fused/64x4/v2/align128 surface_water/row_stream/fused/64x4/v2/r1/align128
surface_water/row_stream/three_kernels/64x4/v2/r1/align128
life/bit_pair/256x1/s4/n8/r2115/m1/p4/align128 life/bit_stream/32x1/s4/n8/r1064/m1/p4/align128
life/bit_stream/32x1/s4/n8/r360/m1/p4/align128 life/bit_stream/32x1/s4/n8/r1064/m2/p4/align128
life/bit_stream/32x1/s1/n8/r1064/m1/p4/align128""".split()
# Reasons to keep variants that lose as clearly, by words of their names.
kept = {"l1_preferred": "measures the price of the preference; its kernel is that of another variant",
        "shared_preferred": "measures the price of the preference; its kernel is that of another variant",
        "boxes": "measures the number of boxes; its kernel is that of another variant",
        "transfer_overlap": "measures a way to transfer data",
        "three_kernels": "measures a way to divide a generation into kernels",
        "by_layer": "measures a way to divide a generation into kernels",
        "fused": "measures a way to divide a generation into kernels",
        "1x64": "measures the published block shape"}
least_factor = 3


def measured():
    """By variant and condition: card, board, times as long as the fastest of the technique, and of all variants."""
    found = defaultdict(list)
    folders = [path for top in ("h[12]00*", "h[12]00*/*", "experiments/*") for path in sorted(results.glob(top)) if path.is_dir()]
    files = [folder / name for folder in folders for name in sorted(results_files.names(folder))]
    for path in files:
        document = results_files.load(path)
        run = document.get("context", {}).get("camber") or {}
        alike = defaultdict(list)
        for case in (one.get("camber") or {} for one in document.get("benchmarks", [])):
            if case.get("status") == "ok" and case["backend"] == "cuda" and case.get("samples_ns"):
                condition = {key: case.get(key) for key in ("workload", "cell", "size", "boundary", "cache", "submission",
                                                            "generations", "rule", "workload_parameters", "places")}
                alike[json.dumps(condition)].append(case)
        for cases in alike.values():
            if len(cases) < 4:
                continue
            times = [statistics.median(case["samples_ns"]) / case["generations_per_sample"] for case in cases]
            for case, time in zip(cases, times):
                own = min(t for c, t in zip(cases, times) if c["technique"] == case["technique"])
                size = f"{case['size']['columns']} x {case['size']['rows']}"
                found[case["variant"]].append((run["gpu"]["name"], size, time / own, time / min(times)))
    return found


def span(factors):
    return f"{min(factors):.1f} to {max(factors):.1f}"


def main():
    found = measured()
    print("# Dominated variants\n")
    print("These variants were removed: on both cards and at every committed board they take longer than other variants of the "
          "same technique.\nThe committed files still contain them. `python3 results/code/dominated.py` prints this page.\n")
    print("| removed | cards | boards | times the fastest of its technique | times the fastest |")
    print("|---|---|---|---|---|")
    for variant in removed:
        rows = found[variant]
        print(f"| `{variant}` | {', '.join(sorted({row[0].removeprefix('NVIDIA ') for row in rows}))} | "
              f"{', '.join(sorted({row[1] for row in rows}))} | {span([row[2] for row in rows])} | {span([row[3] for row in rows])} |")
    print(f"\nOther variants that take at least {least_factor} times as long as the fastest of their technique were kept:\n")
    print("| reason | variants | times the fastest of its technique |\n|---|---:|---|")
    reasons = defaultdict(list)
    for variant, rows in found.items():
        factors = [row[2] for row in rows]
        if min(factors) < least_factor or len({row[0] for row in rows}) < 2 or variant in removed:
            continue
        words = variant.split("/")
        reason = next((text for word, text in kept.items() if word in words), f"not yet examined: {variant}")
        reasons[reason] += [factors]
    for reason, factors in sorted(reasons.items()):
        print(f"| {reason} | {len(factors)} | {span([one for all_of in factors for one in all_of])} |")


main()
