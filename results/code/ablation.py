#!/usr/bin/env python3
"""Prints ablation.md: each term of the time model is switched off in turn, on committed boards.

    python3 results/code/ablation.py build/host/predicted-times > results/code/ablation.md
"""
import statistics
import sys
from collections import defaultdict

from evaluation import Figures, all_files, boards_of, error, held_out, pick, rows_of, uncertain


def concerned(whole, without):
    """Number of variants that a term concerns, and the median errors of their predictions with and without the term."""
    pairs = [(a, b) for key, board in without.items() for a, b in zip(by_variant(whole[key]), by_variant(board))
             if abs(b["predicted"] / a["predicted"] - 1) > 0.005]
    if not pairs:
        return ["none", "", ""]
    return [str(len(pairs))] + [f"{100 * statistics.median(error(pair[i]) for pair in pairs):.2f} %" for i in (0, 1)]


def by_variant(board):
    return sorted(board, key=lambda row: row["variant"])


def main():
    rows = rows_of(sys.argv[1], [name for name in all_files() if name not in uncertain], "--terms")
    by_term = defaultdict(list)
    for row in rows:
        by_term[row["without"]].append(row)
    exact = boards_of(by_term.pop("estimated instructions", []))
    whole = boards_of(by_term.pop(""))
    # Boards that were predicted without each term.
    of_terms = [boards_of(of_term) for of_term in by_term.values()]
    whole = {key: board for key, board in whole.items() if all(len(boards.get(key, [])) == len(board) for boards in of_terms)}
    development = {key for key, board in whole.items() if not held_out(board)}
    print("""# What the terms of the time model are worth

`python3 results/code/ablation.py build/host/predicted-times` prints this page. Each term of the
[model](../../docs/time-model.md) is switched off in turn, and the boards below, of an H200 and an H100, are predicted
without it. A positive difference means that the term improves the predictions: tau falls, or errors rise, without it.
[Development and held-out boards](held_out.py) are shown apart; only development boards decide.

A term stays if it is worth 0.01 of tau or 0.5 % of the median error, or if a pick above 1.10 appears without it. Most terms
concern few variants, and are worth little over all of them. Therefore a term also stays if it is worth 0.5 % of the median error of the variants
that it concerns: those whose predicted times change by more than 0.5 % without it. Development boards cannot judge a term that
concerns none of their variants, and two terms are needed by single development boards. [Deleted terms](deleted_terms.md) have a page of their own.
""")
    print("| boards | number | variants | tau | median error | nine in ten below | highest pick | picks above 1.10 |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    sets = {"development": [board for key, board in whole.items() if key in development],
            "held out": [board for key, board in whole.items() if key not in development]}
    base = {name: Figures(boards) for name, boards in sets.items()}
    for name, figures in base.items():
        above = sum(one > 1.10 for one in figures.picks)
        print(f"| {name} | {figures.boards} | {figures.variants} | {figures.tau:.3f} | {figures.median:.2f} % | {figures.ninth:.1f} % "
              f"| {figures.pick:.2f} | {above} |")
    print(f"\nBoards: {', '.join(sorted(key[0] for key in whole))}.")
    print("""
| without | tau | median error | nine in ten | new picks above 1.10 | variants concerned | their median error | without the term | held out: tau | median error | new picks above 1.10 |
|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---|""")
    lines = []
    for term, of_term in by_term.items():
        boards = {key: board for key, board in boards_of(of_term).items() if key in whole}
        cells, worth = [], 0
        for name in sets:
            mine = {key: board for key, board in boards.items() if (key in development) == (name == "development")}
            figures = Figures(list(mine.values()))
            picks = [f"{key[0]} {pick(board):.2f}" for key, board in mine.items() if pick(board) > 1.10 >= pick(whole[key])]
            cells += [f"{base[name].tau - figures.tau:+.3f}", f"{figures.median - base[name].median:+.2f} %"]
            if name == "development":
                worth = base[name].tau - figures.tau
                cells.append(f"{figures.ninth - base[name].ninth:+.1f} %")
            cells.append(", ".join(picks) or "none")
            if name == "development":
                cells += concerned(whole, mine)
        lines.append((-worth, f"| {term} | {' | '.join(cells)} |"))
    print("\n".join(line for _, line in sorted(lines)))
    counted = {key for key, board in exact.items() if key in whole and all(row["counted"] for row in board)}
    if counted:
        print("""
## Exact instruction counts

The instructions that a warp executes are estimated from loops, branches and accesses. Here the estimates are replaced by counted
instructions (`smsp__inst_executed`) of the same launch, the best that counting in the executor could give:

| file | variants | within 10 % of the count | tau | with counts | median error | with counts | nine in ten | with counts |
|---|---:|---:|---:|---:|---:|---:|---:|---:|""")
        for key in sorted(counted):
            model, better = Figures([whole[key]]), Figures([exact[key]])
            close = sum(abs(row["instructions"] / row["counted"] - 1) <= 0.1 for row in whole[key] if row["instructions"])
            print(f"| {key[0]} | {model.variants} | {close} | {model.tau:.3f} | {better.tau:.3f} | {model.median:.2f} % | {better.median:.2f} % "
                  f"| {model.ninth:.1f} % | {better.ninth:.1f} % |")
        print("""
On these boards, exact counts leave the order as it is or make it worse, and lower the median error by at most 0.5 %. That is why the
model still estimates: a counter for each basic block of the host's build could give no more than this.""")


if __name__ == "__main__":
    main()
