#!/usr/bin/env python3
"""The split of boards follows its rule, and the figures of the pages are computed as they are defined.

    held_out_test.py SOURCE_DIR
"""
import json
import pathlib
import sys
import tempfile
import unittest

source = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
sys.path.insert(0, str(source / "results" / "code"))
sys.dont_write_bytecode = True

import calibrate  # noqa: E402
import evaluation  # noqa: E402
import slower  # noqa: E402
from held_out import is_held_out  # noqa: E402


def row(variant, measured, predicted, **other):
    return {"file": "h200/life", "workload": "life", "columns": 64, "rows": 64, "card": "h200", "measured_at": "2026-11-26",
            "variant": variant, "measured": measured, "predicted": predicted, "low": 0.9 * predicted, "high": 1.1 * predicted,
            "uncertain": False, "bound_by": "DRAM", "without": "", **other}


class Split(unittest.TestCase):
    def test_boards_keep_their_set(self):
        self.assertTrue(is_held_out("life", 1000, 777, "h200"))
        self.assertTrue(is_held_out("gaussian", 16384, 16384, "h100"))
        self.assertFalse(is_held_out("gaussian", 16384, 16384, "h200"))
        self.assertFalse(is_held_out("blur", 2048, 2048, "h100"))

    def test_new_boards_of_odd_sizes_are_held_out(self):
        self.assertTrue(is_held_out("blur", 7000, 4500, "h200", "2026-11-29T16:18:00+0000"))
        sizes = [(columns, 3000) for columns in range(3000, 3100)]
        older = [is_held_out("blur", *size, "h200", "2026-11-28T23:59:59+0000") for size in sizes]
        self.assertTrue(15 < sum(older) < 55)  # a third

    def test_every_new_board_is_held_out(self):
        for name in evaluation.new_boards:
            columns, rows = map(int, name.rsplit("-", 1)[1].split("x"))
            self.assertTrue(is_held_out(name.split("/")[1].split("-")[0], columns, rows, "h200", "2026-11-29"))


    def test_every_file_exists_once(self):
        files = evaluation.all_files()
        self.assertEqual(len(files), len(set(files)))
        for name in files:
            self.assertTrue(any((evaluation.results / f"{name}.json{end}").exists() for end in ("", ".zst")), name)


class Figures(unittest.TestCase):
    board = [row("a", 100, 100), row("b", 110, 99), row("c", 200, 240), row("d", 400, 600)]

    def test_figures_of_a_board(self):
        figures = evaluation.Figures([self.board])
        self.assertAlmostEqual(figures.tau, 4 / 6)
        self.assertAlmostEqual(figures.pick, 1.1)
        self.assertAlmostEqual(figures.median, 15)
        self.assertAlmostEqual(figures.ninth, 50)
        self.assertAlmostEqual(figures.inside, 25)

    def test_pairs_of_different_boards_do_not_count(self):
        other = [row("a", 1, 2, file="h200/blur"), row("b", 2, 1, file="h200/blur")]
        boards = evaluation.boards_of(self.board + other)
        self.assertEqual(len(boards), 2)
        self.assertAlmostEqual(evaluation.Figures(list(boards.values())).tau, 3 / 7)

    def test_ends_are_order_statistics(self):
        low, high = calibrate.around(list(range(1, 1001)), 0.95)
        self.assertEqual((low, high), (25, 976))
        self.assertEqual(calibrate.around([2, 1, 3], 0.95), (1, 3))

    def test_intervals_cover_boards_that_share_errors(self):
        boards = [[row(f"{name}", 100, 100 * (1 + 0.1 * board) * (1 + 0.01 * name), file=f"h200/{board}") for name in range(10)]
                  for board in range(10)]
        ends = calibrate.calibrated(boards)
        self.assertEqual([count for _, _, count in ends.values()], [100])
        covered = [calibrate.inside(board, ends) for board in boards]
        self.assertGreaterEqual(sum(count == 10 for count in covered), 8)

    def test_order_shares_count_certain_pairs_only(self):
        shares = calibrate.order_shares([self.board + [row("e", 50, 70, uncertain=True)]])
        self.assertEqual(sum(n for _, n in shares), 6)
        self.assertEqual(sum(good for good, _ in shares), 5)

    def test_lines_of_a_folder_replace_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = self.board + [row("a", 100, 120, without="loops")]
            (pathlib.Path(folder) / "life.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
            self.assertEqual(len(evaluation.rows_of(folder, ["h200/life"])), 4)
            self.assertEqual(len(evaluation.rows_of(folder, ["h200/life"], "--terms")), 5)
            self.assertEqual(evaluation.rows_of(folder, ["h200/blur"]), [])


class Slower(unittest.TestCase):
    def test_causes(self):
        def case(loads, registers=32):
            return {"kernel": {"registers": registers, "instructions": {"global_loads": loads, "total": loads, "cycles": 10 * loads}}}
        older = {"kernel": {"registers": 32, "instructions": {"global_loads": 9, "texture": 0, "total": 9}}}
        time = {"ratio": 1.05, "cycles_ratio": 1.05}
        self.assertEqual(slower.cause_of(time, older, case(9)), slower.SAME)
        self.assertEqual(slower.cause_of({**time, "cycles_ratio": 1.01}, older, case(9)), slower.CLOCK)
        self.assertEqual(slower.cause_of(time, older, case(8)), slower.CHANGED)
        self.assertEqual(slower.cause_of(time, older, case(9, 40)), slower.CHANGED)
        self.assertEqual(slower.cause_of(time, {}, case(9)), slower.UNKNOWN)

    def test_reasons_match_globs(self):
        slower.reasons[:] = [("sph*", "sph/cell_visit/*", "more registers")]
        self.assertEqual(slower.reason_for("sph-counters", "sph/cell_visit/b128"), "more registers")
        self.assertIsNone(slower.reason_for("sph-counters", "sph/all_pairs/b128"))


if __name__ == "__main__":
    unittest.main()
