"""Data sets of a report, as the charts need them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from camber.chart import FAMILY_NAMES
from camber.errors import BadInput, Error
from camber.process import call

if TYPE_CHECKING:
    from camber.results import Results

MOST_FASTEST = 20


def title_of(group: Mapping[str, Any]) -> str:
    return str(group["title"])


def board_of(row: Mapping[str, Any]) -> str:
    return f"{row['workload']}, {row['columns']:.0f} x {row['rows']:.0f}, {row['cell']}"


def ranked(group: Mapping[str, Any], view: str) -> list[dict[str, Any]]:
    timed = [one for one in group["cases"] if one.get("rank")]
    if view == "techniques":
        first: dict[str, int] = {}
        for one in timed:
            first.setdefault(one["technique"], one["rank"])
        return [one for one in timed if first[one["technique"]] == one["rank"]]
    if view == "fastest":
        return [
            one
            for one in timed
            if one["rank"] <= MOST_FASTEST or one["variant"] == group["baseline"]
        ]
    return timed


def size_series(report: Mapping[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Data sets that differ only in the board size, the newest files last."""
    series: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for group in report["groups"]:
        if any(one.get("bandwidth") for one in group["cases"]):
            key = tuple(
                group.get(name)
                for name in ("device", "workload", "cell", "rule", "boundary", "backend")
            )
            series.setdefault(key, []).append(group)
    found = []
    for (device, workload, cell, _, boundary, backend), groups in series.items():
        if len({(group["columns"], group["rows"]) for group in groups}) < 2:
            continue
        groups.sort(key=lambda group: str(report["files"][group["file"]]["date"]))
        words = [
            workload,
            cell,
            "torus" if boundary == "torus" else "",
            backend if backend != "cuda" else "",
        ]
        found.append((f"{', '.join(word for word in words if word)} ({device})", groups))
    return found


def size_lines(groups: Sequence[Mapping[str, Any]], techniques: bool) -> list[list[dict[str, Any]]]:
    """Points by variant and size, of the fastest variant of each technique or family on its largest
    board."""
    lines: dict[str, dict[tuple[int, int], dict[str, Any]]] = {}
    for group in groups:
        for one in group["cases"]:
            if one.get("bandwidth"):
                area = group["columns"] * group["rows"]
                point = {**one, "area": area, "bytes": one["bandwidth"] / one["cells_rate"] * area}
                lines.setdefault(one["variant"], {})[group["columns"], group["rows"]] = point
    several = [
        sorted(line.values(), key=lambda point: float(point["area"]))
        for line in lines.values()
        if len(line) > 1
    ]
    several.sort(key=lambda line: (-line[-1]["area"], -line[-1]["bandwidth"]))
    first: dict[Any, list[dict[str, Any]]] = {}
    for line in several:
        first.setdefault(line[0]["technique"] if techniques else line[0]["family"], line)
    return list(first.values())


def size_fits(
    report: Mapping[str, Any],
    groups: Sequence[Mapping[str, Any]],
    lines: Sequence[Sequence[Mapping[str, Any]]],
) -> list[dict[str, Any]]:
    """Fits of a floor and a line to the times of these lines of a series."""
    return [
        fit
        for fit in report["saturations"]
        if any(fit["variant"] == line[0]["variant"] for line in lines)
        and all(
            (fit.get(key) or "") == (groups[0].get(key) or "")
            for key in ("device", "workload", "cell", "boundary", "rule", "backend")
        )
    ]


class ReportData:
    """Data of ``camber report --format data`` for results."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def report(self) -> dict[str, Any]:
        return self._results.report_data()

    def group(
        self,
        dataset: int | str | None,
        *,
        timed: bool,
        needed: bool = True,
        predicted: bool = False,
    ) -> dict[str, Any] | None:
        """The chosen data set; by default the one at which the report opens, or the first that fits."""

        def fits(group: Mapping[str, Any]) -> bool:
            cases = [one for one in group["cases"] if one.get("rank")]
            return bool(cases) and (not predicted or any(one.get("predicted") for one in cases))

        try:
            report = self.report()
        except Error:
            if (
                needed
                or dataset is not None
                or not any(one.is_model for one in self._results.documents)
            ):
                raise
            return None
        groups: list[dict[str, Any]] = report["groups"]
        if dataset is None:
            order = [groups[report["opening"]], *groups] if groups else []
            chosen = next((group for group in order if fits(group)), None)
            if chosen is None and needed:
                raise BadInput(
                    "no case has a predicted and a measured time: add those of camber.model(measured=FILE)"
                    if predicted
                    else "no case has a time: measure on a GPU, or read results such as results/h200/life.json"
                )
            return chosen
        titles = [title_of(group) for group in groups]
        if isinstance(dataset, str) and dataset in titles:
            return groups[titles.index(dataset)]
        if isinstance(dataset, int) and 0 <= dataset < len(groups):
            return groups[dataset]
        raise BadInput(
            f"there is no data set {dataset!r}: choose an index from 0 to {len(groups) - 1}, or a title of plot.datasets()"
        )

    def prediction_rows(self) -> list[dict[str, Any]]:
        table = self._results.table("predictions")
        rows = [dict(zip(table, values)) for values in zip(*table.values())]
        rows = [
            row
            for row in rows
            if row["status"] == "ok" and not math.isnan(row["moved_over_needed"])
        ]
        if not rows:
            raise BadInput(
                "ranking() needs times or predictions: measure on a GPU, or call camber.model()"
            )
        families: dict[str, int] = {}
        for workload in {row["workload"] for row in rows}:
            families |= _families(workload)
        for row in rows:
            row["family"] = families.get(row["technique"], len(FAMILY_NAMES) - 1)
        return rows


def _families(workload: str) -> dict[str, int]:
    """Number of the family of each technique of a workload."""
    finished = call(
        ["list", "variants", "--workload", workload, "--format", "json"], progress=False
    )
    if finished.exit_code != 0:
        return {}  # a problem of a kernel of one's own
    return {
        one["technique"]: FAMILY_NAMES.index(one["family"])
        for one in json.loads(finished.output)
        if one.get("family") in FAMILY_NAMES
    }
