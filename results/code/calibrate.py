#!/usr/bin/env python3
"""Prints analysis/time/calibration.hpp: quantiles of measured over predicted times on development boards, and how often
pairs of variants on held-out boards are in their predicted order.

    python3 results/code/calibrate.py build/host/predicted-times > calibration.hpp
"""
import math
import sys

from evaluation import all_files, boards_of, held_out, pairs_of, rows_of

coverage = 0.95
groups = {"DRAM": "memory", "L2": "memory", "starts of warps": "latency", "latency": "latency", "busy memory": "latency",
          "launch": "latency"}
edges = [1.0, 1.01, 1.02, 1.03, 1.05, 1.07, 1.1, 1.15, 1.2, 1.3, 1.5, 2.0]


def group_of(row):
    return "uncertain" if row["uncertain"] else groups.get(row["bound_by"], "throughput")


def quantiles(ratios):
    """Split conformal prediction: the two order statistics between which a further value lies with this probability."""
    ratios = sorted(ratios)
    n = len(ratios)
    rank = math.ceil((n + 1) * (1 + coverage) / 2)
    return ratios[max(0, n - rank)], ratios[min(n, rank) - 1], n


def residuals(boards):
    found = {}
    for board in boards:
        for row in board:
            found.setdefault(group_of(row), []).append(row["measured"] / row["predicted"])
    return found


def order_shares(boards):
    """Of pairs by predicted ratio: in the measured order, and all. Times that differ by 1 % or less have no order."""
    counts = [[0, 0] for _ in edges]
    for board in boards:
        certain = [row for row in board if not row["uncertain"]]
        for a, b in pairs_of(certain):
            fast, slow = sorted((a, b), key=lambda row: row["predicted"])
            ratio = slow["predicted"] / fast["predicted"]
            measured = slow["measured"] / fast["measured"]
            if abs(measured - 1) <= 0.01:
                continue
            place = max(i for i, edge in enumerate(edges) if ratio >= edge)
            counts[place][0] += measured > 1
            counts[place][1] += 1
    return counts


def main():
    boards = list(boards_of(rows_of(sys.argv[1], all_files())).values())
    development = [board for board in boards if not held_out(board)]
    print("""// Figures measured on committed boards: python3 results/code/calibrate.py prints this file.
#pragma once

#include <array>

namespace camber::calibration {

// Measured over predicted time on development boards: 2.5 % quantile, 97.5 % quantile, variants.
struct Residuals {
    double low;
    double high;
    int variants;
};""")
    found = residuals(development)
    for group in ("memory", "throughput", "latency", "uncertain"):
        low, high, n = quantiles(found[group])
        print(f"inline constexpr Residuals {group}{{{low:.3f}, {high:.3f}, {n}}};")
    print("""
// Pairs of variants on held-out boards whose predicted times differ at least by this ratio, and by less
// than the next one: how many were measured, and the share of them in the predicted order.
struct OrderShare {
    double ratio;
    double share;
    int pairs;
};
inline constexpr std::array order_shares{""")
    shares = order_shares([board for board in boards if held_out(board)])
    print(",\n".join(f"    OrderShare{{{edge:.2f}, {good / max(1, n):.3f}, {n}}}" for edge, (good, n) in zip(edges, shares)) + "};")
    print("""
}  // namespace camber::calibration""")


if __name__ == "__main__":
    main()
