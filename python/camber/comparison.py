"""Outcome of a comparison of two results files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from camber.errors import MissingPackage

if TYPE_CHECKING:
    import pandas as pd


class Comparison:
    """Verdicts of ``camber compare`` on a new file against a base (docs/compare.md has the rules)."""

    def __init__(self, data: dict[str, Any], exit_code: int) -> None:
        self.data = data
        """The whole outcome, in the form of results/schema/camber-comparison.schema.json."""
        self.exit_code = exit_code
        """0: no regression; 1: regression; 4: a variant failed verification."""

    @property
    def regressed(self) -> bool:
        """True if a case is slower or costlier, or failed verification."""
        return self.exit_code != 0

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        return str(self.data["summary"])

    @property
    def counts(self) -> dict[str, int]:
        """Number of cases and quantities by outcome, such as ``slower`` and ``worse``."""
        return dict(self.data["counts"])

    def __repr__(self) -> str:
        return f"<camber.Comparison: {self.summary}>"

    def rows(self) -> list[dict[str, Any]]:
        """Returns one dictionary per case, the worst first: ``case``, ``state``, ``regressed``,
        ``verdict`` of the time (SAME, FASTER, SLOWER, UNDECIDED or None), ``ratio`` of the times (new
        over base, with its interval ``ratio_low`` to ``ratio_high``), ``changes`` (number of exact
        quantities that differ), ``worse`` (their names), and ``reason``."""
        rows = []
        for case in self.data["cases"]:
            time = case.get("time") or {}
            low, high = time.get("interval", (None, None))
            changes = case.get("changes", [])
            rows.append(
                {
                    "case": case["name"],
                    "state": case["state"],
                    "regressed": case["regressed"],
                    "verdict": time.get("verdict"),
                    "ratio": time.get("ratio"),
                    "ratio_low": low,
                    "ratio_high": high,
                    "changes": len(changes),
                    "worse": [one["quantity"] for one in changes if one["effect"] == "regression"],
                    "reason": case.get("reason"),
                }
            )
        return rows

    def change_rows(self) -> list[dict[str, Any]]:
        """Returns one dictionary per exact quantity that differs: ``case``, ``family`` (model,
        registers, memory, instructions, counters), ``quantity``, ``base``, ``new`` and ``effect``
        (regression, improvement, information). Values have the quantity's unit."""
        return [
            {
                "case": case["name"],
                **{key: one[key] for key in ("family", "quantity", "base", "new", "effect")},
            }
            for case in self.data["cases"]
            for one in case.get("changes", [])
        ]

    def frame(self) -> pd.DataFrame:
        """Returns :meth:`rows` as a pandas frame."""
        return _frame(self.rows(), "rows()")

    def changes(self) -> pd.DataFrame:
        """Returns :meth:`change_rows` as a pandas frame."""
        return _frame(self.change_rows(), "change_rows()")


def _frame(rows: list[dict[str, Any]], other: str) -> pd.DataFrame:
    try:
        import pandas
    except ImportError:
        raise MissingPackage(
            f"frames need pandas: run 'pip install pandas', or call {other}"
        ) from None
    return pandas.DataFrame(rows)
