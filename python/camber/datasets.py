"""Data sets of a report, as the charts need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
