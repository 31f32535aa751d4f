#!/usr/bin/env python3
"""Prints analysis/time/calibration.hpp: quantiles of measured over predicted times on development boards, and how often
pairs of variants on held-out boards are in their predicted order.

    python3 results/code/calibrate.py build/host/predicted-times > calibration.hpp

Variants of a board share errors, so a new board has other residuals than a new variant of a known board. The quantiles are
those of double conformal prediction for two-layer data (Dunn, Wasserman and Ramdas 2023, "Distribution-free prediction sets for
two-layer hierarchical models"): for each board, the order statistics around `within` of its variants; of these ends, the order statistics around
`across` of the boards. Uncertain predictions are too few per board; theirs are order statistics over all variants, by split conformal prediction
(Lei et al. 2018). The levels were chosen on development boards: with them, boards of a size that is left out of the calibration are
covered in at least 95 % of all cases, over all sizes (left_out(); accuracy.md has the shares).
"""
import math
import sys

from evaluation import all_files, boards_of, group_of, held_out, pairs_of, rows_of

within, across = 0.90, 0.80
of_uncertain = 0.95
fewest = 8  # variants of a group that a board needs to count
edges = [1.0, 1.01, 1.02, 1.03, 1.05, 1.07, 1.1, 1.15, 1.2, 1.3, 1.5, 2.0]


def around(numbers, share):
    """The order statistics between which a further exchangeable number lies with this probability."""
    numbers = sorted(numbers)
    n = len(numbers)
    rank = math.ceil((n + 1) * (1 + share) / 2)
    return numbers[max(0, n - rank)], numbers[min(n, rank) - 1]


def calibrated(boards):
    """By group: low and high end of measured over predicted time, and the number of variants."""
    ratios, ends = {}, {}
    for board in boards:
        mine = {}
        for row in board:
            mine.setdefault(group_of(row), []).append(row["measured"] / row["predicted"])
        for group, some in mine.items():
            ratios.setdefault(group, []).extend(some)
            if len(some) >= fewest:
                ends.setdefault(group, []).append(around(some, within))
    found = {}
    for group, all_of_it in ratios.items():
        low, high = around(all_of_it, of_uncertain)
        if group != "uncertain" and group in ends:
            low = around([end[0] for end in ends[group]], across)[0]
            high = around([end[1] for end in ends[group]], across)[1]
        found[group] = (low, high, len(all_of_it))
    return found


def inside(board, ends):
    """Number of a board's measured times between `ends`."""
    return sum(ends[group_of(row)][0] <= row["measured"] / row["predicted"] <= ends[group_of(row)][1] for row in board)


def left_out(boards, kind):
    """By `kind` of board: the share of measured times in intervals that were calibrated without boards of that kind."""
    found = {}
    for one in sorted({kind(board[0]) for board in boards}):
        mine = [board for board in boards if kind(board[0]) == one]
        ends = calibrated([board for board in boards if kind(board[0]) != one])
        found[one] = (sum(inside(board, ends) for board in mine), sum(len(board) for board in mine))
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

// Measured over predicted time on development boards: low end, high end, number of variants.
struct Residuals {
    double low;
    double high;
    int variants;
};""")
    found = calibrated(development)
    for group in ("memory", "throughput", "latency", "uncertain"):
        low, high, n = found[group]
        print(f"inline constexpr Residuals {group}{{{low:.3f}, {high:.3f}, {n}}};")
    print("""
// Pairs of variants on held-out boards whose predicted times differ at least by this ratio, and by
// less than the next one: how many were measured, and the share of them in the predicted order.
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
