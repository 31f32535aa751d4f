"""Results and model files of the program as tables."""

from __future__ import annotations

import copy
import fnmatch
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from camber.columns import CASES, COUNTERS, PREDICTIONS, SAMPLES, Column, Table, as_arrays, value_at
from camber.documents import Document, DocumentFolder, PathLike, documents_of, parsed, write_document
from camber.errors import BadInput, MissingPackage
from camber.process import call

if TYPE_CHECKING:
    import pandas as pd

    from camber.plot import Plots

_UNTIMED = "simt"  # backend whose times say nothing: it executes kernels on the CPU
_TIMES = ("samples", "median_ns", "min_ns", "iqr_ns", "ci95_low_ns", "ci95_high_ns")
_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def read(paths: PathLike | Iterable[PathLike]) -> Results:
    """Reads results files, model files, or folders of them.

    ``paths``: a file of ``camber run --out``, ``camber model --json`` or Google Benchmark, a folder,
    or several of them. As in the program, a path that begins with ``results/`` and does not exist is
    looked up among the installed files.

    Raises :class:`camber.BadInput` for a file that is none of these, and
    :class:`camber.Unavailable` for one that cannot be read.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    documents: list[Document] = []
    for path in paths:
        documents += documents_of(path)
    if not documents:
        raise BadInput("read() needs a file: give one that camber run or camber model wrote")
    return Results(documents)


def read_as(path: PathLike, name: str) -> Results:
    """Reads a temporary file; ``name`` replaces its path in the tables."""
    return Results([parsed(Path(path), name)])


class Results:
    """Cases of one or more files.

    ``frame()``, ``samples()``, ``counters()`` and ``predictions()`` return pandas frames;
    ``table(NAME)`` returns the same columns as NumPy arrays. :data:`camber.COLUMNS` lists the
    columns with their units.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = list(documents)

    @property
    def files(self) -> list[str]:
        """Names of the files."""
        return [document.name for document in self.documents]

    def __len__(self) -> int:
        return sum(1 for _ in self._cases()) + sum(1 for _ in self._models())

    def __add__(self, other: Results) -> Results:
        return Results(self.documents + other.documents)

    def __repr__(self) -> str:
        def counted(number: int, thing: str) -> str:
            return f"{number} {thing}{'' if number == 1 else 's'}"

        cases = sum(1 for _ in self._cases())
        models = sum(1 for _ in self._models())
        parts = [counted(cases, "case")] if cases or not models else []
        parts += [counted(models, "prediction")] if models else []
        return f"<camber.Results: {', '.join(parts)} from {', '.join(self.files)}>"

    # ---- tables

    def table(self, name: str = "frame") -> Table:
        """Returns a table as NumPy arrays by column: ``frame`` (cases), ``samples``, ``counters`` or
        ``predictions``. Counts are int64, or float64 with NaN if any is missing; numbers are float64
        with NaN; text is str or None."""
        makers: dict[str, tuple[tuple[Column, ...], Callable[[], list[dict[str, Any]]]]] = {
            "frame": (CASES, self._case_rows),
            "samples": (SAMPLES, self._sample_rows),
            "counters": (COUNTERS, self._counter_rows),
            "predictions": (PREDICTIONS, self._prediction_rows),
        }
        if name not in makers:
            raise BadInput(f"there is no table '{name}': choose {' or '.join(makers)}")
        columns, rows = makers[name]
        return as_arrays(columns, rows())

    def frame(self) -> pd.DataFrame:
        """Returns one row per case; of model files alone, one row per prediction. Times are
        nanoseconds per generation."""
        if not any(True for _ in self._cases()) and any(True for _ in self._models()):
            return self.predictions()
        return self._as_frame("frame", CASES)

    def samples(self) -> pd.DataFrame:
        """Returns one row per timed sample, in nanoseconds per generation, with the process and the
        round that measured it."""
        return self._as_frame("samples", SAMPLES)

    def counters(self) -> pd.DataFrame:
        """Returns one row per case, kernel and hardware counter, for one launch
        (``generations_per_launch`` generations)."""
        return self._as_frame("counters", COUNTERS)

    def predictions(self) -> pd.DataFrame:
        """Returns one row per predicted launch: those of model files, and those of counted cases.
        Amounts are per launch; predicted times are nanoseconds per generation."""
        return self._as_frame("predictions", PREDICTIONS)

    def _as_frame(self, name: str, columns: Sequence[Column]) -> pd.DataFrame:
        try:
            import pandas
        except ImportError:
            raise MissingPackage(
                "frames need pandas: run 'pip install pandas', or call table(), which returns NumPy arrays"
            ) from None
        table = self.table(name)
        frame = pandas.DataFrame(table)
        for column in columns:
            if column.kind == "count":
                frame[column.name] = frame[column.name].astype("Int64")
            elif column.kind == "flag":
                frame[column.name] = frame[column.name].astype("boolean")
        return frame

    # ---- selection and files

    def select(self, *variants: str) -> Results:
        """Returns the cases and predictions whose variant matches one of the globs, with or without
        the workload: ``select("halo/*", "life/shared_tile/64x4/*")``."""

        def matches(variant: Any) -> bool:
            text = str(variant)
            return any(
                fnmatch.fnmatchcase(name, glob)
                for glob in variants
                for name in (text, text.partition("/")[2])
            )

        chosen = []
        for document in self.documents:
            data = dict(document.data)
            if document.is_model:
                data["models"] = [one for one in data["models"] if matches(one.get("variant"))]
            elif "benchmarks" in data:
                data["benchmarks"] = [
                    one
                    for one in data["benchmarks"]
                    if matches(value_at(one, "camber.variant") or one.get("run_name"))
                ]
            if data.get("models") or data.get("benchmarks"):
                chosen.append(Document(document.name, document.path, data))
        if not chosen:
            raise BadInput(f"no case matches {' or '.join(variants)}: look at frame()['variant']")
        return Results(chosen)

    def save(self, path: PathLike) -> None:
        """Writes the file, which the program reads. Only for results of a single file."""
        if len(self.documents) != 1:
            raise BadInput(
                f"the results are those of {len(self.documents)} files: save one of them, as read({self.files[0]!r})"
            )
        write_document(self.documents[0].data, Path(path))

    def report(self, path: PathLike, title: str | None = None) -> None:
        """Writes the HTML page of ``camber report``: charts and tables, complete in itself."""
        with self.in_folder() as files:
            words = ["report", *files, "-o", os.fspath(Path(path).resolve())]
            call(words + (["--title", title] if title else []), progress=False).check()

    def report_data(self) -> dict[str, Any]:
        """Returns the data of the report's charts: data sets with ranked cases, ceilings, fits
        (``camber report --format data``)."""
        with self.in_folder() as files:
            finished = call(["report", *files, "--format", "data"], progress=False)
        finished.check()
        data: dict[str, Any] = json.loads(finished.output)
        return data

    def in_folder(self) -> DocumentFolder:
        """Returns a context with the paths of temporary files that have these documents."""
        return DocumentFolder(self.documents)

    @property
    def plot(self) -> Plots:
        """Charts: ``plot.ranking()``, ``roofline()``, ``over_size()`` and ``predicted()``."""
        from camber.plot import Plots

        return Plots(self)

    # ---- rows

    def _cases(self) -> Iterator[tuple[Document, dict[str, Any]]]:
        for document in self.documents:
            for one in document.data.get("benchmarks", []):
                if one.get("run_type") != "aggregate":
                    yield document, one

    def _models(self) -> Iterator[tuple[Document, dict[str, Any]]]:
        for document in self.documents:
            for one in document.data.get("models", []):
                yield document, one

    def _case_rows(self) -> list[dict[str, Any]]:
        return [_case_row(document, one) for document, one in self._cases()]

    def _sample_rows(self) -> list[dict[str, Any]]:
        rows = []
        for document, one in self._cases():
            row = _identity(document, one)
            case = one.get("camber", {})
            if case.get("backend") == _UNTIMED:
                continue
            per_sample = case.get("generations_per_sample", 1)
            origins = [
                (visit.get("process"), visit.get("round"))
                for visit in case.get("visits", [])
                for _ in range(visit.get("n", 0))
            ]
            samples = case.get("samples_ns", [])
            if not case and (time := _plain_time(one)) is not None:
                samples = [time]
            for number, sample in enumerate(samples):
                process, round_ = origins[number] if number < len(origins) else (None, None)
                rows.append(
                    {
                        **row,
                        "sample": number,
                        "process": process,
                        "round": round_,
                        "ns": sample / per_sample,
                    }
                )
        return rows

    def _counter_rows(self) -> list[dict[str, Any]]:
        rows = []
        for document, one in self._cases():
            row = _identity(document, one)
            launches = [("", 0, value_at(one, "camber.counters") or {})]
            for number, kernel in enumerate(value_at(one, "camber.kernel_counters") or []):
                launches.append((kernel.get("name", ""), number, kernel.get("counters", {})))
            for name, number, counters in launches:
                for metric, value in counters.items():
                    if not isinstance(value, (int, float)):
                        continue
                    rows.append(
                        {**row, "kernel": name, "launch": number, "metric": metric, "value": value}
                    )
        return rows

    def _prediction_rows(self) -> list[dict[str, Any]]:
        rows = [_prediction_row(document, one) for document, one in self._models()]
        for document, one in self._cases():
            if model := value_at(one, "camber.model"):
                case = one["camber"]
                same = {
                    key: case.get(key)
                    for key in (
                        "variant",
                        "size",
                        "cell",
                        "boundary",
                        "rule",
                        "generations_per_launch",
                    )
                }
                rows.append(_prediction_row(document, {**same, **model}))
        return rows


def _identity(document: Document, one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "file": document.name,
        "case": one.get("run_name"),
        "variant": value_at(one, "camber.variant") or one.get("run_name"),
    }


def _plain_time(one: Mapping[str, Any]) -> float | None:
    """Time of an iteration of Google Benchmark's own files, in ns."""
    time = one.get("real_time")
    return None if time is None else float(time) * _NS.get(str(one.get("time_unit", "ns")), 1.0)


def _case_row(document: Document, one: Mapping[str, Any]) -> dict[str, Any]:
    case = one.get("camber") or {}
    row: dict[str, Any] = {
        column.name: value_at(case, column.path) for column in CASES if column.path
    }
    row.update(
        _identity(document, one), repetition=one.get("repetition_index"), device=document.device
    )
    if not case:  # a file of Google Benchmark
        row.update(
            median_ns=_plain_time(one),
            status="failed" if one.get("error_occurred") else "ok",
            reason=one.get("error_message"),
        )
    per_sample = case.get("generations_per_sample")
    if row["backend"] == _UNTIMED:
        row.update(dict.fromkeys(_TIMES))
    elif row["median_ns"] is None and per_sample:  # an older file
        for name in ("median_ns", "min_ns", "iqr_ns"):
            row[name] = _over(value_at(case, f"statistics.{name}"), per_sample)
        for end, name in enumerate(("ci95_low_ns", "ci95_high_ns")):
            row[name] = _over(value_at(case, f"statistics.ci95_ns.{end}"), per_sample)
    return row


def _over(value: Any, divisor: float) -> float | None:
    return None if value is None else value / divisor


def _prediction_row(document: Document, one: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {
        column.name: value_at(one, column.path) for column in PREDICTIONS if column.path
    }
    workload, _, variant = str(one.get("variant", "")).partition("/")
    moved = one.get("bytes_moved")
    if moved is None and "global_load_bytes_moved" in one and not one.get("texture_bytes_moved"):
        moved = one["global_load_bytes_moved"] + one["global_store_bytes_moved"]
    needed = one.get("bytes_needed")
    row.update(
        file=document.name,
        workload=workload,
        technique=variant.partition("/")[0],
        status=one.get("status", "ok"),
        moved_over_needed=moved / needed if moved is not None and needed else None,
        uncertain=bool(value_at(one, "time.doubts")) if "time" in one else None,
        agrees=one.get("agrees"),
    )
    return row


def deep_copy(results: Results) -> Results:
    """Returns results whose documents can be changed."""
    return Results(
        [Document(one.name, one.path, copy.deepcopy(one.data)) for one in results.documents]
    )
