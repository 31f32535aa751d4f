"""The installed program: where it is, and one call of it with progress, interrupts and errors."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

from camber.errors import CamberWarning, Unavailable, error_of

Scalar = int | float | str | os.PathLike[str]
Option = None | bool | Scalar | Sequence[Scalar]
"""Value of an option of the program: see :func:`arguments`."""

PREFIX = Path(__file__).resolve().parent / "program"
"""Folder with the installed program: ``bin/camber``, ``lib/camber`` and ``share/camber``."""

_PROGRESS = re.compile(r"^\[(\d+)/(\d+)\] (.*)$")
_MESSAGE = "camber: "


def program() -> Path:
    """Returns the path of the program: the variable ``CAMBER_PROGRAM``, or the installed one.

    Raises :class:`camber.Unavailable` if there is none.
    """
    wanted = os.environ.get("CAMBER_PROGRAM")
    path = Path(wanted) if wanted else PREFIX / "bin" / "camber"
    if not os.access(path, os.X_OK) or path.is_dir():
        remedy = (
            "set CAMBER_PROGRAM to the path of the program"
            if wanted
            else "run 'pip install .' in a clone of camber, or set CAMBER_PROGRAM to a program"
        )
        raise Unavailable(f'there is no program "{path}": {remedy}')
    return path.resolve()


def found_file(path: str | os.PathLike[str]) -> Path:
    """Returns ``path``, or the compressed file of that name beside it, or the installed file if
    ``path`` begins with ``results/``, ``examples/`` or ``workloads/``, as the program does."""
    plain = _stored(Path(path))
    if plain.is_absolute() or plain.exists() or not plain.parts:
        return plain
    if plain.parts[0] not in ("results", "examples", "workloads"):
        return plain
    try:
        installed = _stored(program().parent.parent / "share" / "camber" / plain)
    except Unavailable:
        return plain
    return installed if installed.exists() else plain


def _stored(path: Path) -> Path:
    compressed = path.with_name(path.name + ".zst") if path.name else path
    return path if path.exists() or not compressed.exists() else compressed


def arguments(options: Mapping[str, Option]) -> list[str]:
    """Converts keyword arguments to options of the program.

    ``size="64x64"`` becomes ``--size 64x64``, ``leave_out_hopeless=True`` becomes
    ``--leave-out-hopeless``, and a list repeats the option. ``None`` and ``False`` are left out. A
    name of one letter, such as ``D``, becomes ``-D``.
    """
    words: list[str] = []
    for name, value in options.items():
        option = f"-{name}" if len(name) == 1 else "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        single = isinstance(value, str) or not isinstance(value, Iterable)
        for one in [value] if single else value:  # type: ignore[union-attr]
            words += [option, str(one)]
    return words


@dataclass
class Finished:
    """A call of the program that ended."""

    exit_code: int
    output: str  # standard output
    messages: list[str]  # of standard error, without "camber: "
    interrupted: bool = False

    @property
    def sentence(self) -> str:
        """The last message, which is the reason of a failure."""
        if self.messages:
            return self.messages[-1]
        if self.exit_code < 0:
            name = signal.Signals(-self.exit_code).name
            return f"the program was ended by {name}"
        lines = [line for line in self.output.splitlines() if line.strip()]
        return lines[-1].strip() if lines else f"the program ended with exit code {self.exit_code}"

    def check(self, *also: int) -> None:
        """Raises the exception for the exit code unless that is 0 or one of ``also``."""
        if self.exit_code != 0 and self.exit_code not in also:
            raise error_of(self.exit_code, self.sentence, self.output)
        if self.exit_code == 0:
            for message in self.messages:
                warnings.warn(message, CamberWarning, stacklevel=4)


class _Bar:
    """Progress bar, if tqdm is installed and wanted. It appears after a second."""

    def __init__(self, title: str, wanted: bool | None) -> None:
        self._title = title
        self._bar: Any = None
        self._class: Any = _tqdm() if wanted is None or wanted else None

    def show(self, done: int, total: int, text: str) -> None:
        if self._class is None:
            return
        if self._bar is None or self._bar.total != total:
            self.close()
            self._bar = self._class(
                total=total, desc=self._title, unit="case", leave=False, delay=1
            )
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _tqdm() -> Any:
    try:
        if "ipykernel" in sys.modules:
            import ipywidgets  # noqa: F401  (tqdm's bar for notebooks needs it)
            from tqdm.notebook import tqdm as bar
        else:
            from tqdm import tqdm as bar
    except ImportError:
        try:
            from tqdm import tqdm as bar
        except ImportError:
            return None
    return bar


_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """Runs in the child: it stops in order if Python is killed, and then keeps its results. (More
    precisely, if the thread ends that started it, and that one waits in :func:`call`.)"""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def call(
    words: Iterable[str],
    *,
    progress: bool | None = None,
    cwd: str | os.PathLike[str] | None = None,
) -> Finished:
    """Runs the program with these arguments and waits for it.

    A KeyboardInterrupt is passed on once, as SIGINT: the program then writes the results of the
    cases that it measured, and ``interrupted`` is true. A second one ends it at once.
    """
    words = list(words)
    environment = {**os.environ, "CAMBER_PROGRESS": "lines"}
    for name in ("COLUMNS", "CAMBER_BUILDER"):  # no folded lines, no build
        environment.pop(name, None)
    bar = _Bar(words[0] if words else "camber", progress)
    messages: list[str] = []
    interrupted = False
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            [str(program()), *words],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment,
            start_new_session=True,  # Ctrl-C of a terminal reaches Python alone
            preexec_fn=_end_with_parent,  # noqa: PLW1509  (one system call)
        )
        assert child.stderr is not None
        while True:
            try:
                _read(child.stderr, bar, messages)
                child.wait()
                break
            except KeyboardInterrupt:
                _signal(child, signal.SIGKILL if interrupted else signal.SIGINT)
                interrupted = True
            except BaseException:
                _signal(child, signal.SIGKILL)
                child.wait()
                raise
        child.stderr.close()
        bar.close()
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return Finished(child.returncode, text, messages, interrupted)


def _read(stream: IO[bytes], bar: _Bar, messages: list[str]) -> None:
    for raw in stream:
        line = raw.decode("utf-8", "replace").rstrip("\n")
        if match := _PROGRESS.match(line):
            bar.show(int(match[1]), int(match[2]), match[3])
        elif line.startswith(_MESSAGE):
            messages.append(line[len(_MESSAGE) :])
        elif messages:
            messages[-1] += "\n" + line  # lines of a compiler below the sentence
        elif line.strip():
            messages.append(line)


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(child.pid, number)  # also the processes that run kernels from files
    except ProcessLookupError:
        pass


def main() -> NoReturn:
    """The console script ``camber``: becomes the program."""
    try:
        path = str(program())
    except Unavailable as error:
        print(f"camber: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    os.execv(path, ["camber", *sys.argv[1:]])
