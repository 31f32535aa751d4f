"""Exceptions of the package: each has camber's sentence and the exit code of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camber.results import Results


class Error(Exception):
    """Base of all exceptions. ``str(error)`` is one sentence that names the object, its value and
    the remedy."""

    exit_code: int = 5
    """Exit code with which the program ends in the same case (docs/guide/install.md)."""

    def __init__(self, sentence: str, exit_code: int | None = None, output: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if exit_code is not None:
            self.exit_code = exit_code
        self.output = output
        """Standard output of the program, if it printed any."""


class BadInput(Error, ValueError):
    """An unknown name, an impossible size, or a malformed file or array (exit code 2)."""

    exit_code = 2


class Incomparable(Error):
    """Two results files that cannot be compared (exit code 3)."""

    exit_code = 3


class WrongResult(Error):
    """A variant failed verification, a check found a fault, or a kernel crashed (exit code 4)."""

    exit_code = 4
    results: Results | None = None
    """Results of all cases, with the reasons of the failed ones, if the program wrote a file."""


class Unavailable(Error):
    """This machine cannot do it: no GPU, no compiler, too little memory, a file that cannot be
    written (exit code 5)."""

    exit_code = 5


class MissingPackage(Unavailable, ImportError):
    """A Python package of an extra, such as pandas, is not installed."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C or the stop button of a notebook ended the work. The program has stopped in order;
    ``results`` has the cases that were measured until then."""

    def __init__(self, sentence: str, results: Results | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.results = results


class CamberWarning(UserWarning):
    """A message that the program printed although it succeeded."""


_BY_CODE: dict[int, type[Error]] = {2: BadInput, 3: Incomparable, 4: WrongResult, 5: Unavailable}


def error_of(exit_code: int, sentence: str, output: str = "") -> Error:
    """Returns the exception for an exit code of the program."""
    return _BY_CODE.get(exit_code, Error)(sentence, exit_code, output)
