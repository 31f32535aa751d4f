#!/usr/bin/env python3
"""Prints ablation.md: each term of the time model is switched off in turn, on the development boards.

    python3 results/code/ablation.py build/host/predicted-times > results/code/ablation.md

In place of the program, a folder with lines that it printed (--terms) may be given.
"""
import statistics
import sys
from collections import defaultdict

from evaluation import Figures, all_files, boards_of, error, held_out, pick, rows_of, uncertain


def by_variant(board):
    return sorted(board, key=lambda row: row["variant"])


def concerned(whole, without):
    """Number of variants that a term concerns, and the median errors of their predictions with and without the term."""
    pairs = [(a, b) for key, board in without.items() for a, b in zip(by_variant(whole[key]), by_variant(board))
             if abs(b["predicted"] / a["predicted"] - 1) > 0.005]
    if not pairs:
        return ["none", "", ""]
    return [str(len(pairs))] + [f"{100 * statistics.median(error(pair[i]) for pair in pairs):.2f} %" for i in (0, 1)]


def main():
    rows = rows_of(sys.argv[1], [name for name in all_files() if name not in uncertain], "--terms")
    by_term = defaultdict(list)
    for row in rows:
        by_term[row["without"]].append(row)
    exact = boards_of(by_term.pop("estimated instructions", []))
    whole = boards_of(by_term.pop(""))
    # Boards that were predicted without each term.
    of_terms = {term: boards_of(of_term) for term, of_term in by_term.items()}
    whole = {key: board for key, board in whole.items()
             if not held_out(board) and all(len(boards.get(key, [])) == len(board) for boards in of_terms.values())}
    base = Figures(list(whole.values()))
    print(f"""# What the terms of the time model are worth

`python3 results/code/ablation.py build/host/predicted-times` prints this page. Each term of the
[model](../../docs/time-model.md) is switched off in turn, and the [development boards](held_out.py) below, of an H200 and an
H100, are predicted without it. A positive difference means that the term improves the predictions: tau falls, or errors rise,
without it. Terms may be [deleted](deleted_terms.md) if all of them together are worth less than 0.01 of tau and 0.5 % of the
median error, and no pick above 1.10 appears and no test of a board fails without them. Terms below that are worth less one by
one were not tried together with the others, or were put back.

| development boards | variants | tau | median error | nine in ten below | highest pick | picks above 1.10 |
|---:|---:|---:|---:|---:|---:|---:|
| {base.boards} | {base.variants} | {base.tau:.3f} | {base.median:.2f} % | {base.ninth:.1f} % | {base.pick:.2f} | {sum(one > 1.10 for one in base.picks)} |

Boards: {', '.join(sorted(key[0] for key in whole))}.

| without | tau | median error | nine in ten | new picks above 1.10 | variants concerned | their median error | without the term |
|---|---:|---:|---:|---|---:|---:|---:|""")
    lines = []
    for term, boards in of_terms.items():
        mine = {key: board for key, board in boards.items() if key in whole}
        figures = Figures(list(mine.values()))
        picks = [f"{key[0]} {pick(board):.2f}" for key, board in mine.items() if pick(board) > 1.10 >= pick(whole[key])]
        cells = [f"{base.tau - figures.tau:+.3f}", f"{figures.median - base.median:+.2f} %", f"{figures.ninth - base.ninth:+.1f} %",
                 ", ".join(picks) or "none", *concerned(whole, mine)]
        lines.append((figures.tau, f"| {term} | {' | '.join(cells)} |"))
    print("\n".join(line for _, line in sorted(lines)))
    counted = sorted(key for key, board in exact.items() if key in whole and all(row["counted"] for row in board))
    if not counted:
        return
    print("""
## Exact instruction counts

The instructions that a warp executes are estimated from loops, branches and accesses. Here the estimates are replaced by counted
instructions (`smsp__inst_executed`) of the same launch, the best that counting in the executor could give:

| file | variants | within 10 % of the count | tau | with counts | median error | with counts | nine in ten | with counts |
|---|---:|---:|---:|---:|---:|---:|---:|---:|""")
    for key in counted:
        model, better = Figures([whole[key]]), Figures([exact[key]])
        close = sum(abs(row["instructions"] / row["counted"] - 1) <= 0.1 for row in whole[key] if row["instructions"])
        print(f"| {key[0]} | {model.variants} | {close} | {model.tau:.3f} | {better.tau:.3f} | {model.median:.2f} % | {better.median:.2f} % "
              f"| {model.ninth:.1f} % | {better.ninth:.1f} % |")
    print("""
On these boards, exact counts leave the order nearly as it is, so that the model still estimates: a counter for each basic block of the
host's build could give no more than this.""")


if __name__ == "__main__":
    main()
