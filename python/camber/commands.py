"""Commands of the program as functions: run, model, compare."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from camber.comparison import Comparison
from camber.documents import PathLike
from camber.errors import Interrupted, WrongResult
from camber.process import Finished, Option, arguments, call
from camber.results import Results, read_as

Variants = str | Iterable[str]
Files = PathLike | Iterable[PathLike]


def run(
    workload: str | None = None,
    *,
    variants: Variants = (),
    candidates: Files = (),
    size: str | None = None,
    generations: int | None = None,
    backend: str | None = None,
    out: PathLike | None = None,
    progress: bool | None = None,
    check: bool = True,
    **options: Option,
) -> Results:
    """Verifies variants on every cell and, on a GPU, times them (``camber run``).

    :param workload: what is computed (default: life)
    :param variants: names or globs of variants, such as ``"halo/*"`` (default: all)
    :param candidates: files with kernels or techniques of your own
    :param size: board in cells, ``"COLUMNSxROWS"``; several with commas
    :param generations: generations of the verified run
    :param backend: ``cuda``, ``simt`` (executor on the CPU, no times) or ``cpu``; default: ``cuda`` if
        a GPU is usable, else ``simt``
    :param out: results file to write; default: a temporary one, deleted when Python ends
    :param progress: show a bar; default: if tqdm is installed
    :param check: raise :class:`camber.WrongResult` if a case failed; it has the results
    :param options: other options of ``camber run``, with ``_`` for ``-``: ``quick=True``,
        ``counters="memory"``, ``param=["sigma=2"]``

    Raises :class:`camber.Interrupted` on Ctrl-C, with the cases measured until then.
    """
    path = Path(out) if out is not None else scratch_folder() / "run.json"
    words = ["run", *_common(workload, variants, candidates, size)]
    words += arguments({"generations": generations, "backend": backend, **options})
    finished = call([*words, "--out", str(path)], progress=progress)
    return _results(finished, path, path.name if out is None else str(out), check)


def model(
    workload: str | None = None,
    *,
    variants: Variants = (),
    candidates: Files = (),
    size: str | None = None,
    ceilings: PathLike | None = None,
    out: PathLike | None = None,
    progress: bool | None = None,
    **options: Option,
) -> Results:
    """Predicts memory requests, sectors, wavefronts and, with ceilings, times (``camber model``).
    Needs no GPU.

    :param workload: what is computed (default: life)
    :param variants: names or globs of variants (default: all)
    :param candidates: files with kernels or techniques of your own
    :param size: board in cells, ``"COLUMNSxROWS"``
    :param ceilings: GPU to predict times for: ``"h100"``, ``"h200"``, or a file of
        ``camber ceilings --json`` or ``camber run``
    :param out: model file to write; default: a temporary one, deleted when Python ends
    :param progress: show a bar; default: if tqdm is installed
    :param options: other options of ``camber model``, with ``_`` for ``-``: ``arch="cc2.0"``
    """
    path = Path(out) if out is not None else scratch_folder() / "model.json"
    words = ["model", *_common(workload, variants, candidates, size)]
    words += arguments({"ceilings": ceilings, **options})
    finished = call([*words, "--json", str(path)], progress=progress)
    return _results(finished, path, path.name if out is None else str(out), check=True)


def compare(
    base: PathLike | Results,
    new: PathLike | Results,
    *,
    threshold: float | str | None = None,
    allow: Variants = (),
    only: str | None = None,
    **options: Option,
) -> Comparison:
    """Judges whether ``new`` is slower or costlier than ``base`` (``camber compare``).

    :param base: file, or results of one file
    :param new: the same, of the changed kernels
    :param threshold: effects up to this share are no verdict: ``0.03`` or ``"3%"``
    :param allow: what may differ between the files, such as ``"missing"`` or ``"gpu"``
    :param only: ``model``, ``deterministic`` or ``time``
    :param options: other options of ``camber compare``

    Raises :class:`camber.Incomparable` if the files cannot be compared. A regression raises nothing:
    see :attr:`camber.Comparison.regressed`.
    """
    scratch = scratch_folder()
    files = [_file_of(one, scratch, name) for one, name in ((base, "base.json"), (new, "new.json"))]
    words = ["compare", *files, "--format", "json"]
    words += arguments({"threshold": threshold, "allow": as_list(allow), "only": only, **options})
    finished = call(words, progress=False)
    finished.check(1, 4)
    try:
        data = json.loads(finished.output)
    except ValueError:
        finished.check()
        raise
    return Comparison(data, finished.exit_code)


def _file_of(one: PathLike | Results, scratch: Path, name: str) -> str:
    if not isinstance(one, Results):
        return os.fspath(one)
    path = scratch / name
    one.save(path)
    return str(path)


def _common(
    workload: str | None, variants: Variants, candidates: Files, size: str | None
) -> list[str]:
    return arguments(
        {
            "workload": workload,
            "variant": as_list(variants),
            "candidate": [os.fspath(one) for one in as_list(candidates)],
            "size": size,
        }
    )


def as_list(values: Files) -> Sequence[PathLike]:
    return [values] if isinstance(values, (str, os.PathLike)) else list(values)


def _results(finished: Finished, path: Path, name: str, check: bool) -> Results:
    written = read_as(path, name) if path.exists() else None
    if finished.interrupted:
        count = len(written) if written is not None else 0
        raise Interrupted(
            f"interrupted; {count} case{'' if count == 1 else 's'} measured"
            + (f': camber.read("{path}") returns what was measured' if written is not None else ""),
            written,
        )
    if finished.exit_code == WrongResult.exit_code and written is not None:
        if not check:
            return written
        reasons = [str(reason) for reason in written.table()["reason"] if reason]
        error = WrongResult(reasons[0] if reasons else finished.sentence, output=finished.output)
        error.results = written
        raise error
    finished.check()
    if written is None:
        raise AssertionError(f"the program wrote no {path}")
    return written


def scratch_folder() -> Path:
    """New temporary folder, deleted when Python ends."""
    folder = tempfile.mkdtemp(prefix="camber-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
