"""Splits the committed boards into development boards and held-out boards.

A development board may be used for anything: to choose a term of the time model, to calibrate its intervals, to decide
what is deleted. A held-out board is predicted only when a version of the model is complete; accuracy.md lists each time.

The rule was fixed on 2026-11-29, before any board was assigned by it:

- A board is held out if the first byte of the SHA-256 digest of "WORKLOAD COLUMNSxROWS CARD" is below 85. These are
  a third of all boards. Rules, radii, cell types and submissions of one size stay together.
- A board that was measured on that day or later, and of which no side is a power of two, is held out in any case.

    python3 results/code/held_out.py WORKLOAD COLUMNSxROWS CARD...
"""
import hashlib
import sys

since = "2026-11-29"


def is_power_of_two(number):
    return number & (number - 1) == 0


def is_held_out(workload, columns, rows, card, measured=""):
    """`card`: "h100" or "h200". `measured`: date in ISO form; empty: before the rule existed."""
    if measured[:10] >= since and not is_power_of_two(columns) and not is_power_of_two(rows):
        return True
    return hashlib.sha256(f"{workload} {columns}x{rows} {card}".encode()).digest()[0] < 85


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    columns, rows = map(int, sys.argv[2].split("x"))
    for card in sys.argv[3:]:
        print(card, "held out" if is_held_out(sys.argv[1], columns, rows, card) else "development")
