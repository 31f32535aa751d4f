#!/usr/bin/env python3
"""Compares the order of a launch list in a run with that of a list resumed from a saved state.

usage: list_order.py FOLDER

FOLDER contains the states of one run of SCIARA-fv3 (camber run --states 200 --states-in FOLDER). A kernel reads the nine
cells around each listed cell. Printed are the 32-byte sectors that a warp reads per load, as a mean and in the warp with
most, for the order of arrival (in the run), of the distance to the vents (resumed), and of the cell numbers (sorted).
States must be so close that few cells are reached between two of them; cells reached together are in ascending order.
"""
import array
import pathlib
import re
import sys

SIZES = {"float32": 4, "float64": 8, "uint8": 1}
CELLS_PER_SECTOR = 8  # of four bytes
PADDING = 32          # rows begin at multiples of 128 bytes


def read(path):
    """Rows, columns, cells with lava, and vents."""
    data = path.read_bytes()
    at = data.index(b"\ncells\n") + len(b"\ncells\n")
    fields, boards = {}, {}
    for name, cell, columns, rows in re.findall(r"field (\S+) (\S+) (\d+) (\d+)", data[:at].decode()):
        length = int(columns) * int(rows) * SIZES[cell]
        fields[name] = data[at:at + length]
        boards[name] = int(rows), int(columns)
        at += length
    lava = array.array("f", fields["thickness"])
    return *boards["thickness"], {i for i, h in enumerate(lava) if h > 0}, [i for i, v in enumerate(fields["vents"]) if v]


class Board:
    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.pitch = (columns + 2 + PADDING - 1) // PADDING * PADDING

    def around(self, cell):
        row, column = divmod(cell, self.columns)
        for r in range(max(0, row - 1), min(self.rows - 1, row + 1) + 1):
            for c in range(max(0, column - 1), min(self.columns - 1, column + 1) + 1):
                yield r * self.columns + c

    def resumed(self, cells, vents):
        """As lava::in_order_of_arrival()."""
        left, order = set(cells), []

        def add(cell):
            for near in self.around(cell):
                if near in left:
                    left.remove(near)
                    order.append(near)
        for vent in vents:
            add(vent)
        for cell in order:
            add(cell)
        return order + sorted(left)

    def sectors(self, order):
        """Mean and maximum over the warps of sectors per load."""
        warps = []
        for first in range(0, len(order), 32):
            places = [divmod(cell, self.columns) for cell in order[first:first + 32]]
            loads = [len({((row + dr) * self.pitch + column + dc) // CELLS_PER_SECTOR for row, column in places})
                     for dr in (-1, 0, 1) for dc in (-1, 0, 1)]
            warps.append(sum(loads) / len(loads))
        return sum(warps) / len(warps), max(warps)


def main(folder):
    files = sorted(pathlib.Path(folder).glob("*.state"))
    board, run, listed, active = None, [], set(), set()

    def add(cell):
        for near in board.around(cell):
            if near not in listed:
                listed.add(near)
                run.append(near)
    print("sectors per load, mean and maximum over the warps of a list")
    print(f"{'generation':>10}  {'cells':>6}  {'run':>11}  {'resumed':>11}  {'sorted':>11}")
    for number, file in enumerate(files):
        rows, columns, lava, vents = read(file)
        if board is None:
            board = Board(rows, columns)
            for vent in vents:
                add(vent)
        for cell in sorted(lava - active):
            add(cell)
        active |= lava
        if number % 20 == 19 or number == len(files) - 1:
            orders = (run, board.resumed(listed, vents), sorted(listed))
            print(f"{int(file.stem):>10}  {len(run):>6}  " +
                  "  ".join("{:4.1f}, {:4.1f}".format(*board.sectors(order)) for order in orders))


main(sys.argv[1])
