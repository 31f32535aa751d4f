"""Comparison of an array with its expected values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from camber.errors import BadInput

Array = npt.NDArray[Any]

_TOLERANCE = {"f4": 1e-5, "f8": 1e-12}  # those of camber try


@dataclass(frozen=True)
class Difference:
    """Comparison of one output with its expected values. A cell differs if
    ``|actual - expected| > tolerance + tolerance * |expected|``, or if either is no number."""

    name: str
    compared: int  # cells
    differing: int  # cells
    largest: float  # largest absolute difference, in the unit of the array; 0 for equal arrays
    tolerance: float
    first: tuple[int, int] | None  # row and column of the first cell that differs
    expected: float | int | None  # value expected there
    actual: float | int | None  # value of the kernel there

    def __str__(self) -> str:
        if self.differing == 0:
            return (
                f"{self.name}: all {self.compared} cells are right (tolerance {self.tolerance:g})"
            )
        assert self.first is not None
        return (
            f"{self.name}: {self.differing} of {self.compared} cells are wrong, the first in row {self.first[0]}, "
            f"column {self.first[1]}: {self.actual!r} in place of {self.expected!r} (tolerance {self.tolerance:g})"
        )


def difference(
    name: str, expected: Array, actual: Array, tolerance: float | None = None
) -> Difference:
    """Compares two arrays by the rule of :class:`Difference`."""
    if expected.ndim == 1:
        expected = expected[np.newaxis, :]
    if expected.shape != actual.shape:
        raise BadInput(
            f"the reference returns {name} of shape {expected.shape}, and the kernel's has shape {actual.shape}: "
            "return the whole board"
        )
    allowed = tolerance if tolerance is not None else _TOLERANCE.get(actual.dtype.str[1:], 0.0)
    if actual.dtype.kind != "f":
        allowed = 0.0
    wide = np.result_type(expected.dtype, actual.dtype, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(actual.astype(wide) - expected.astype(wide))
        right = off <= allowed + allowed * np.abs(expected.astype(wide))  # false for NaN
    wrong = np.flatnonzero(~right)
    finite = off[np.isfinite(off)]
    first = None if wrong.size == 0 else divmod(int(wrong[0]), actual.shape[1])
    return Difference(
        name=name,
        compared=actual.size,
        differing=int(wrong.size),
        largest=float(finite.max()) if finite.size else 0.0,
        tolerance=allowed,
        first=first,
        expected=None if first is None else expected[first].item(),
        actual=None if first is None else actual[first].item(),
    )
