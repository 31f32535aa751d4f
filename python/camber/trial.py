"""Trial of a kernel of your own: verified against a Python function, another kernel or a workload."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from camber.commands import as_list, scratch_folder
from camber.difference import Array, Difference, difference
from camber.documents import PathLike
from camber.errors import BadInput, Error, Interrupted, WrongResult
from camber.process import Option, arguments, call
from camber.results import Results, deep_copy, read_as

Function = Callable[..., npt.ArrayLike | Mapping[str, npt.ArrayLike]]

_ONLY = "out"  # name of a single output
_PLAIN = "cells"  # camber's name for the field of plain `in` and `out`
_UNWRITTEN = re.compile(
    r"never writes \d+ of \d+ cells of \w+, the first of them in row \d+, column \d+"
)
_CHECKED = re.compile(r"^\d+ checked, \d+ clean, (\d+) with findings", re.MULTILINE)
_DIRECTIVE = re.compile(r"//\s*camber:\s*[\w:]+(?:<.*?>)?\s*\((.*)\)")
_READ = re.compile(r"\b(?:in|inout|tex2d|tex1d)\b(?:\.(\w+))?")


@dataclass
class Trial:
    """Outcome of :func:`try_kernel`."""

    verified: bool
    """True if every cell of every output is right."""
    reason: str
    """Why it is not verified; empty if it is."""
    clean: bool | None
    """True if no race, out-of-bounds access or read of unwritten memory was found; None if that was
    not checked."""
    findings: str
    """Output of the check."""
    outputs: dict[str, Array]
    """Result of the kernel by output name; empty if it failed, or if a workload is computed."""
    differences: dict[str, Difference]
    """By output name; only with a Python function as reference."""
    results: Results | None
    """Measured cases: the kernel, its reference kernel and the variants of ``against``."""
    model: Results | None
    """Predicted memory traffic of the same cases; None if the executor could not run the kernel."""
    output: str = field(repr=False, default="")
    """Everything that ``camber try`` printed."""

    @property
    def passed(self) -> bool:
        """True if the kernel is verified and nothing was found."""
        return self.verified and self.clean is not False

    def __str__(self) -> str:
        lines = ["verified" if self.verified else f"WRONG: {self.reason}"]
        lines += [str(one) for one in self.differences.values() if self.verified]
        if self.clean is not None:
            lines.append(
                "no race, no bad access found" if self.clean else f"FOUND:\n{self.findings}"
            )
        if self.model is not None:
            table = self.model.table("predictions")
            for variant, ratio in zip(table["variant"], table["moved_over_needed"]):
                lines.append(f"{variant}: moves {ratio:.2f} times the bytes needed")
        return "\n".join(lines)

    def check(self) -> Trial:
        """Returns the trial, or raises :class:`camber.WrongResult` if it did not pass."""
        if not self.verified:
            raise WrongResult(self.reason, output=self.output)
        if self.clean is False:
            raise WrongResult("the check found a fault:\n" + self.findings, output=self.output)
        return self


def try_kernel(
    source: PathLike,
    inputs: Mapping[str, npt.ArrayLike] | None = None,
    reference: PathLike | Function | None = None,
    *,
    workload: str | None = None,
    against: str | Iterable[str] = (),
    tolerance: float | None = None,
    size: str | None = None,
    backend: str | None = None,
    name: str = "kernel",
    progress: bool | None = None,
    **options: Option,
) -> Trial:
    """Verifies a CUDA kernel on every cell, looks for races and predicts its memory traffic; on a GPU
    it is timed, too (``camber try``). Without a GPU, the executor runs it on the CPU.

    :param source: path of a file with the kernel, or the code itself (any text with a line break).
        A line ``// camber: kernel(in.a, out.b, columns, rows, pitch) block=32x8`` says how it is
        launched (docs/guide/own-kernel.md).
    :param inputs: arrays of rows and columns by the names of the launch line: ``in.a`` is ``"a"``, a
        plain ``in`` is ``"in"``. All have one shape; types: float32, float64, int32, uint32, uint8.
    :param reference: a Python function that takes the input arrays in the order of ``inputs`` and
        returns the right output, or a dictionary of outputs by name; or the path or code of a kernel
        that computes it
    :param workload: what the kernel computes, instead of a reference: ``"blur"``
    :param against: variants of the workload to compare with
    :param tolerance: allowed difference, absolute plus as a share of the right value; default 1e-5 for
        float32, 1e-12 for float64, 0 for integers
    :param size: board, ``"COLUMNSxROWS"``; default: that of the inputs
    :param backend: ``cuda`` or ``simt``; default: ``cuda`` if a GPU is usable
    :param name: file name of code that is given as text
    :param progress: show a bar; default: if tqdm is installed
    :param options: other options of ``camber try``, with ``_`` for ``-``: ``set=["block=64x4"]``,
        ``D=["ROWS=8"]``, ``timeout=5``

    A wrong kernel raises nothing: see :attr:`Trial.verified`, or call :meth:`Trial.check`. Raises
    :class:`camber.BadInput` if the kernel cannot be compiled or launched, or an array does not fit.
    """
    scratch = scratch_folder()
    names: dict[str, str] = {}  # as the sentences of the program should show them, by path
    file = _file(source, scratch, name, names)
    arrays = {
        _PLAIN if key == "in" else key: np.asarray(value) for key, value in (inputs or {}).items()
    }
    common: dict[str, Option] = {"workload": workload, "size": size, **options}
    if callable(reference):
        if workload is not None:
            raise BadInput(
                f"the reference defines what is computed, and so does workload={workload!r}: leave out one"
            )
        if not arrays:
            raise BadInput("a Python function as reference needs inputs: give inputs={'in': array}")
        if options.get("generations") not in (None, 1):
            raise BadInput(
                "a Python function as reference computes one generation: leave out generations"
            )
        common["reference"] = file
        common["tolerance"] = tolerance
    else:
        if reference is not None:
            common["reference"] = _file(reference, scratch, "reference", names)
        common["tolerance"] = tolerance
    common["input"] = [
        f"{key}={_saved(key, array, scratch, names)}" for key, array in arrays.items()
    ]
    if arrays and (file.endswith(".cu") or "reference" in common):
        _check_names(str(common.get("reference", file)), arrays)
    if callable(reference):
        names["the reference ("] = "the kernel ("
    session = _Session(scratch, names, progress)
    trial = session.run(
        file, common, as_list(against), backend, bool(arrays) or reference is not None
    )
    if callable(reference):
        _compare(trial, reference, arrays, tolerance)
    return trial


def _file(source: PathLike, scratch: Path, name: str, names: dict[str, str]) -> str:
    if isinstance(source, str) and "\n" in source:
        path = scratch / f"{name}.cu"
        path.write_text(source, encoding="utf-8")
        names[str(path)] = path.name
        return str(path)
    return os.fspath(source)


def _saved(key: str, array: Array, scratch: Path, names: dict[str, str]) -> str:
    shown = "inputs['" + ("in" if key == _PLAIN else key) + "']"
    if not re.fullmatch(r"\w+", key):
        raise BadInput(
            f"{shown} is no name of an argument: for in.image write 'image', for in write 'in'"
        )
    if array.dtype.hasobject:
        raise BadInput(f"{shown} has Python objects as elements: give an array of numbers")
    if array.ndim not in (1, 2):
        raise BadInput(
            f"{shown} has {array.ndim} dimensions, and a board has two: give an array of rows and columns"
        )
    path = scratch / f"{key}.npy"
    np.save(path, np.ascontiguousarray(array))
    names[f'"{path}"'] = names[str(path)] = shown
    return str(path)


def _check_names(file: str, arrays: Mapping[str, Array]) -> None:
    """Raises BadInput for an array that no launch line of the file reads."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return  # the program says what is wrong with it
    lines = [line for line in _DIRECTIVE.findall(text) if line]
    read = {name or _PLAIN for line in lines for name in _READ.findall(line)}
    unknown = [key for key in arrays if key not in read]
    if read and unknown:
        known = sorted("in" if name == _PLAIN else name for name in read)
        raise BadInput(
            f"inputs has '{unknown[0]}', and {Path(file).name} reads {', '.join(known)}: rename the array"
        )


class _Session:
    """Calls of the program for one trial."""

    def __init__(self, scratch: Path, names: Mapping[str, str], progress: bool | None) -> None:
        self._scratch = scratch
        self._names = names
        self._progress = progress

    def run(
        self,
        file: str,
        common: Mapping[str, Option],
        against: Sequence[PathLike],
        backend: str | None,
        own: bool,
    ) -> Trial:
        results_file = self._scratch / "results.json"
        output_file = self._scratch / "output.npy"
        words = [
            "try",
            file,
            *arguments({**common, "against": [str(one) for one in against], "backend": backend}),
        ]
        words += ["--out", str(results_file)] + (["--out-npy", str(output_file)] if own else [])
        finished = call(words, progress=self._progress)
        results = read_as(results_file, "try.json") if results_file.exists() else None
        if finished.interrupted:
            raise Interrupted("interrupted; the kernel was not judged", results)
        sentence = self._readable(finished.sentence)
        unwritten = _UNWRITTEN.search(sentence)
        if finished.exit_code not in (0, WrongResult.exit_code) and not unwritten:
            finished.messages[-1:] = [sentence]
            finished.check()
        reason = ""
        if unwritten:
            reason = "the kernel " + unwritten[0]
        elif results is not None:
            reasons = [str(one) for one in results.table()["reason"] if one]
            reason = self._readable(reasons[0]) if reasons else ""
        elif finished.exit_code != 0:
            reason = sentence
        findings, clean = _check_of(finished.output)
        return Trial(
            verified=not reason,
            reason=reason,
            clean=clean,
            findings=findings,
            outputs=self._outputs(output_file),
            differences={},
            results=results,
            model=self._model(file, common, against),
            output=finished.output,
        )

    def _model(
        self, file: str, common: Mapping[str, Option], against: Sequence[PathLike]
    ) -> Results | None:
        path = self._scratch / "model.json"
        kept = {
            key: value
            for key, value in common.items()
            if key not in ("tolerance", "generations", "arch")
        }
        words = [
            "model",
            *arguments({**kept, "candidate": [file], "variant": [str(one) for one in against]}),
        ]
        try:
            finished = call([*words, "--json", str(path)], progress=self._progress)
            if finished.interrupted:
                raise Interrupted("interrupted; the memory traffic was not predicted")
            finished.check()
        except Error:
            return None  # a kernel that does not end has no prediction; the trial has the reason
        return read_as(path, "model.json")

    def _outputs(self, path: Path) -> dict[str, Array]:
        outputs = {}
        for one in sorted(path.parent.glob("output*.npy")):
            outputs[one.stem.partition("-")[2] or _ONLY] = np.load(one)
        return outputs

    def _readable(self, sentence: str) -> str:
        for path, name in self._names.items():
            sentence = sentence.replace(path, name)
        return sentence.replace(
            "--input means nothing without a reference: give --reference FILE",
            "inputs mean nothing without a reference: give reference, a Python function or a kernel",
        )


def _check_of(output: str) -> tuple[str, bool | None]:
    """Section of the check in the output of `camber try`, and whether it found nothing."""
    start = output.find("== Races, bounds")
    if start < 0:
        return "", None
    section = output[start:].split("\n== ")[0].partition("\n")[2]
    found = [int(count) for count in _CHECKED.findall(section)]
    return section.strip(), sum(found) == 0 if found else None


def _compare(
    trial: Trial, reference: Function, arrays: Mapping[str, Array], tolerance: float | None
) -> None:
    """Compares the outputs with those of the function; the results then say what was found."""
    if trial.results is not None:
        trial.results = deep_copy(trial.results)
    expected = reference(*(array.copy() for array in arrays.values()))
    if not isinstance(expected, Mapping):
        if len(trial.outputs) > 1:
            names = ", ".join(f"'{one}'" for one in trial.outputs)
            raise BadInput(
                f"the kernel has several outputs, {names}: let the reference return a dictionary of them"
            )
        expected = {next(iter(trial.outputs), _ONLY): expected}
    elif len(expected) == 1 and list(trial.outputs) == [_ONLY]:
        trial.outputs = {next(iter(expected)): trial.outputs[_ONLY]}
    if not trial.outputs:
        return  # the kernel failed, and the reason is known
    if set(expected) != set(trial.outputs):
        raise BadInput(
            f"the reference returns {', '.join(sorted(expected))}, and the kernel's outputs are {', '.join(sorted(trial.outputs))}: "
            "return an array for each"
        )
    for name, values in expected.items():
        trial.differences[name] = difference(
            name, np.asarray(values), trial.outputs[name], tolerance
        )
    wrong = [one for one in trial.differences.values() if one.differing]
    if wrong and trial.verified:
        trial.verified = False
        trial.reason = str(wrong[0])
    if trial.results is not None:
        _record(trial.results, trial)


def _record(results: Results, trial: Trial) -> None:
    """Stores the comparison with the function in the results in place of the program's, which
    compared the kernel with a second execution of itself."""
    verification = {
        "status": "passed" if trial.verified else "failed",
        "compared_cells": sum(one.compared for one in trial.differences.values()),
        "differing_cells": sum(one.differing for one in trial.differences.values()),
        "tolerance": max(one.tolerance for one in trial.differences.values()),
        "relative_tolerance": max(one.tolerance for one in trial.differences.values()),
        "largest_difference": max(one.largest for one in trial.differences.values()),
        "generations": 1,
        "method": "cells",
    }
    for document in results.documents:
        for one in document.data["benchmarks"]:
            case = one.get("camber", {})
            if case.get("status") != "ok":
                continue
            case["verification"] = dict(verification)
            if not trial.verified:
                case.update(status="failed", reason=trial.reason)
                for key in ("statistics", "per_generation", "derived"):
                    case.pop(key, None)
