"""Measurements and predictions of GPU memory access techniques, as NumPy arrays and pandas frames.

>>> import camber
>>> results = camber.read("results/h200/life.json")
>>> results.frame()                                    # needs pandas
>>> results.plot.ranking()                             # needs matplotlib
>>> camber.model("life", variants=["halo/*"]).frame()  # needs no GPU

docs/guide/python.md explains all functions and lists the columns with their units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from camber.columns import COLUMNS as COLUMNS
    from camber.columns import Column as Column
    from camber.commands import compare as compare
    from camber.commands import model as model
    from camber.commands import run as run
    from camber.comparison import Comparison as Comparison
    from camber.difference import Difference as Difference
    from camber.errors import BadInput as BadInput
    from camber.errors import CamberWarning as CamberWarning
    from camber.errors import Error as Error
    from camber.errors import Incomparable as Incomparable
    from camber.errors import Interrupted as Interrupted
    from camber.errors import MissingPackage as MissingPackage
    from camber.errors import Unavailable as Unavailable
    from camber.errors import WrongResult as WrongResult
    from camber.process import program as program
    from camber.results import Results as Results
    from camber.results import read as read
    from camber.trial import Trial as Trial
    from camber.trial import try_kernel as try_kernel

# The console script imports this package: NumPy is imported when a function first needs it.
_HOMES = {
    "columns": ("COLUMNS", "Column"),
    "commands": ("compare", "model", "run"),
    "comparison": ("Comparison",),
    "difference": ("Difference",),
    "errors": (
        "BadInput",
        "CamberWarning",
        "Error",
        "Incomparable",
        "Interrupted",
        "MissingPackage",
        "Unavailable",
        "WrongResult",
    ),
    "process": ("program",),
    "results": ("Results", "read"),
    "trial": ("Trial", "try_kernel"),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'camber' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module("camber." + _MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
