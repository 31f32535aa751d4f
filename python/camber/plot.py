"""Charts of results, in the style of the HTML report, with matplotlib.

They draw the data of ``camber report --format data``, so that ranks, shares, ceilings and fits are
those of the report.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from camber.chart import (
    DASH,
    FAMILIES,
    FLAT_DASH,
    LEVEL_DASHES,
    LEVELS,
    LINE,
    MARKERS,
    TEXT,
    VIEWS,
    bars,
    column_labels,
    engineering,
    finish,
    logarithmic,
    number,
    styled,
)
from camber.datasets import (
    MOST_FASTEST,
    ReportData,
    board_of,
    ranked,
    size_fits,
    size_lines,
    size_series,
    title_of,
)
from camber.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from camber.results import Results


class Plots:
    """Charts of :class:`camber.Results`. Each method draws one into ``ax``, or into a new figure, and
    returns the matplotlib axes."""

    def __init__(self, results: Results) -> None:
        self._data = ReportData(results)

    def __repr__(self) -> str:
        return "<camber charts: ranking(), roofline(), over_size(), predicted()>"

    def datasets(self) -> list[str]:
        """Titles of the data sets: cases of one file with the same device, workload, board, cell and
        boundary. Only these are ranked against each other."""
        return [title_of(group) for group in self._data.report()["groups"]]

    def ranking(
        self, view: str = "fastest", dataset: int | str | None = None, ax: Axes | None = None
    ) -> Axes:
        """Ranked bars: application bandwidth in GB/s, with the copy bandwidth as a dashed line.

        Results without times show predictions in its place: times in us per generation, or bytes moved
        over bytes needed.

        :param view: ``fastest`` (20), ``techniques`` (the best of each technique) or ``all``
        :param dataset: index or title of a data set (:meth:`datasets`); default: the report's choice
        """
        if view not in VIEWS:
            raise BadInput(f"ranking() has no view '{view}': choose {' or '.join(VIEWS)}")
        group = self._data.group(dataset, timed=True, needed=False)
        if group is None:
            return self._predicted_ranking(view, ax)
        rows = ranked(group, view)
        by_bandwidth = any(row.get("bandwidth") is not None for row in rows)
        copy = group.get("copy") if by_bandwidth else None
        values = [row["bandwidth"] / 1e9 if by_bandwidth else row["median"] / 1e3 for row in rows]
        labels = []
        for row, value in zip(rows, values):
            label = number(value) + (" GB/s" if by_bandwidth else " us")
            if by_bandwidth and row.get("copy") is not None:
                label += f" \u00b7 {100 * row['copy']:.1f} %"
            labels.append(label)
        what = "application bandwidth" if by_bandwidth else "time, shorter is better"
        return bars(
            rows=[(row["variant"], row["family"]) for row in rows],
            values=values,
            labels=labels,
            title=f"{title_of(group)} ({group['device']}): {what}",
            axis="application bandwidth, GB/s" if by_bandwidth else "time per generation, us",
            line=copy / 1e9 if copy else None,
            ax=ax,
        )

    def _predicted_ranking(self, view: str, ax: Axes | None) -> Axes:
        rows = self._data.prediction_rows()
        timed = all(not math.isnan(row["predicted_ns"]) for row in rows)
        key = "predicted_ns" if timed else "moved_over_needed"
        rows.sort(key=lambda row: float(row[key]))
        if view == "techniques":
            first = {row["technique"]: row for row in reversed(rows)}
            rows = [row for row in rows if first[row["technique"]] is row]
        elif view == "fastest":
            rows = rows[:MOST_FASTEST]
        scale = 1e-3 if timed else 1.0
        values = [row[key] * scale for row in rows]
        spans = (
            [(row["predicted_low_ns"] * scale, row["predicted_high_ns"] * scale) for row in rows]
            if timed
            else None
        )
        unit = " us" if timed else ""
        return bars(
            rows=[(row["variant"].partition("/")[2], row["family"]) for row in rows],
            values=values,
            labels=[number(value, 3) + unit for value in values],
            title=f"{board_of(rows[0])}: "
            + (
                "predicted time, shorter is better"
                if timed
                else "bytes moved over bytes needed, fewer are better"
            ),
            axis="predicted time per generation, us" if timed else "bytes moved / bytes needed",
            line=None,
            spans=spans,
            ax=ax,
        )

    def roofline(
        self, level: str = "DRAM", dataset: int | str | None = None, ax: Axes | None = None
    ) -> Axes:
        """Cell updates per second over cell updates per byte (Williams, Waterman and Patterson 2009).

        Filled points use bytes from hardware counters, hollow ones those of the model.

        :param level: ``DRAM``, ``L2``, ``L1``, ``shared memory`` or ``all``
        :param dataset: index or title of a data set (:meth:`datasets`)
        """
        if level != "all" and level not in LEVELS:
            raise BadInput(
                f"roofline() has no level '{level}': choose {' or '.join((*LEVELS, 'all'))}"
            )
        group = self._data.group(dataset, timed=True)
        assert group is not None
        points = []
        for row in group["cases"]:
            if not row.get("rank") or row.get("cells_rate") is None:
                continue
            for place, traffic in enumerate(row["traffic"]):
                if traffic and level in ("all", LEVELS[place]):
                    points.append(
                        (1 / traffic[0], row["cells_rate"] / 1e9, place, traffic[1] == "model", row)
                    )
        if not points:
            raise BadInput(
                f"no case has bytes of {level}: measure with --counters memory, or choose another level"
            )
        flat = group.get("flat_roof") or {
            "name": "fastest variant",
            "rate": max(one[1] for one in points) * 1e9,
            "estimate": False,
        }
        top = flat["rate"] / 1e9
        roofs = [
            (place, rate / 1e9)
            for place, rate in enumerate(group["ceilings"])
            if rate and level in ("all", LEVELS[place])
        ]
        x = [
            min([one[0] / 1.4 for one in points] + [top / rate / 3 for _, rate in roofs]),
            max([one[0] for one in points] + [top / rate for _, rate in roofs]) * 1.4,
        ]
        y = [min(one[1] for one in points) / 2, max([one[1] for one in points] + [top]) * 1.5]
        with styled(ax, 5) as ax:
            for place, rate in roofs:
                style: dict[str, Any] = {
                    "color": TEXT,
                    "linestyle": LEVEL_DASHES[place],
                    "linewidth": 1.3,
                }
                ax.plot([x[0], top / rate], [x[0] * rate, top], **style)
                ax.plot(
                    [],
                    [],
                    marker=MARKERS[place],
                    markersize=5,
                    label=f"{LEVELS[place]}, {number(rate)} GB/s",
                    **style,
                )
            start = min((top / rate for _, rate in roofs), default=x[0])
            ax.plot(
                [start, x[1]],
                [top, top],
                color=TEXT,
                linestyle=FLAT_DASH,
                linewidth=1.3,
                label=f"{flat['name']}, {number(top, 3)} Gcell/s"
                + (" (estimate)" if flat["estimate"] else ""),
            )
            if roofs:
                ax.scatter(
                    [top / rate for _, rate in roofs],
                    [top] * len(roofs),
                    marker="D",
                    s=28,
                    color=TEXT,
                    label="ridge",
                    zorder=3,
                )
            for intensity, rate, place, by_model, row in points:
                color = FAMILIES[row["family"]]
                ax.scatter(
                    intensity,
                    rate,
                    marker=MARKERS[place],
                    s=26,
                    linewidths=1.2,
                    edgecolors=color,
                    facecolors="white" if by_model else color,
                    zorder=4,
                )
            if any(one[3] for one in points):
                ax.scatter(
                    [],
                    [],
                    marker="o",
                    s=26,
                    facecolors="white",
                    edgecolors=LINE,
                    label="by the model",
                )
            logarithmic(ax, x, y)
            column_labels(ax, points, x, y)
            ax.set_xlabel("cell updates per byte")
            ax.set_ylabel("Gcell/s")
            where = "all levels" if level == "all" else level
            finish(
                ax,
                f"{title_of(group)} ({group['device']}): cell updates over bytes of {where}",
                (one[4]["family"] for one in points),
            )
        return ax

    def over_size(
        self, timed: bool = False, techniques: bool = False, series: int = 0, ax: Axes | None = None
    ) -> Axes:
        """Application bandwidth over the bytes of a generation, from results of several board sizes.

        :param timed: draw the time per generation over the cells, with the fit of a floor and a line
        :param techniques: the fastest variant of each technique; default: of each technique family
        :param series: index of the series, if the results have several workloads or devices
        """
        report = self._data.report()
        all_series = size_series(report)
        if not all_series:
            raise BadInput(
                "over_size() needs results of several board sizes: measure with size='1024x1024..8192x8192'"
            )
        if not 0 <= series < len(all_series):
            raise BadInput(f"there is no series {series}: choose 0 to {len(all_series) - 1}")
        title, groups = all_series[series]
        lines = size_lines(groups, techniques)
        fits = size_fits(report, groups, lines) if timed else []
        with styled(ax, 4.4) as ax:
            curve = [] if timed else report["files"][groups[-1]["file"]]["copy_curve"]
            devices = groups[-1].get("devices", 1)
            for line in lines:
                xs = [one["area"] if timed else one["bytes"] / 1e6 for one in line]
                ys = [one["median"] / 1e3 if timed else one["bandwidth"] / 1e9 for one in line]
                color = FAMILIES[line[0]["family"]]
                ax.plot(
                    xs,
                    ys,
                    color=None if timed else color,
                    linewidth=0 if timed else 1.8,
                    marker="o",
                    markersize=5,
                    markerfacecolor=color,
                    markeredgecolor="white",
                    label=line[0]["variant"] if techniques else None,
                )
            everything = [
                one["area"] if timed else one["bytes"] / 1e6 for line in lines for one in line
            ]
            x = [min(everything) / 1.6, max(everything) * 1.6]
            copies = [
                (size * devices / 1e6, rate * devices / 1e9)
                for size, rate in curve
                if x[0] <= size * devices / 1e6 <= x[1]
            ]
            if copies:
                ax.plot(
                    *zip(*copies),
                    color=TEXT,
                    linestyle=DASH,
                    linewidth=1.3,
                    label="copy bandwidth",
                )
            for fit in fits:
                cells = np.geomspace(min(min(everything), fit["knee"]), fit["largest"], 80)
                ax.plot(
                    cells,
                    (fit["floor"] + fit["slope"] * np.maximum(0, cells - fit["knee"])) / 1e3,
                    color=TEXT,
                    linestyle=DASH,
                    linewidth=1.2,
                    label="floor and line" if fit is fits[0] else None,
                )
                family = next(
                    line[0]["family"] for line in lines if line[0]["variant"] == fit["variant"]
                )
                ax.scatter(
                    fit["knee"],
                    fit["floor"] / 1e3,
                    marker="D",
                    s=50,
                    facecolors="white",
                    edgecolors=FAMILIES[family],
                    linewidths=1.6,
                    zorder=4,
                )
            ax.set_xscale("log")
            ax.set_xlim(x[0], x[1])
            ax.xaxis.set_major_formatter(lambda value, _: engineering(value))
            if timed:
                ax.set_yscale("log")
                ax.yaxis.set_major_formatter(lambda value, _: engineering(value))
                ax.set_xlabel("cells")
                ax.set_ylabel("time of a generation, us")
            else:
                ax.set_ylim(bottom=0)
                ax.set_xlabel("MB that a generation must move")
                ax.set_ylabel("application bandwidth, GB/s")
            what = "time of a generation" if timed else "application bandwidth"
            finish(
                ax,
                f"{title}: {what} over size",
                () if techniques else (line[0]["family"] for line in lines),
            )
        return ax

    def predicted(self, dataset: int | str | None = None, ax: Axes | None = None) -> Axes:
        """Predicted over measured times, with predicted intervals. Hollow points are uncertain.

        The results must have measured cases and their predictions: ``camber.read(["life.json",
        "models.json"])``, or ``measured + camber.model(measured=..., ...)``.

        :param dataset: index or title of a data set (:meth:`datasets`)
        """
        group = self._data.group(dataset, timed=True, predicted=True)
        assert group is not None
        rows = [row for row in group["cases"] if row.get("rank") and row.get("predicted")]
        errors = sorted(abs(row["predicted"][0] / row["median"] - 1) for row in rows)
        ends = [value / 1e3 for row in rows for value in (row["median"], *row["predicted"][:3])]
        domain = [min(ends) / 1.15, max(ends) * 1.15]
        with styled(ax, 5.4) as ax:
            ax.plot(domain, domain, color=TEXT, linestyle=DASH, linewidth=1.2, label="equal")
            for row in rows:
                ns, low, high, _, uncertain = row["predicted"]
                color = FAMILIES[row["family"]]
                ax.plot(
                    [row["median"] / 1e3] * 2,
                    [low / 1e3, high / 1e3],
                    color=color,
                    alpha=0.3,
                    linewidth=1.2,
                )
                ax.scatter(
                    row["median"] / 1e3,
                    ns / 1e3,
                    s=26,
                    linewidths=1.2,
                    edgecolors=color,
                    facecolors="white" if uncertain else color,
                    zorder=4,
                )
            if any(row["predicted"][4] for row in rows):
                ax.scatter(
                    [], [], marker="o", s=26, facecolors="white", edgecolors=LINE, label="uncertain"
                )
            logarithmic(ax, domain, domain)
            ax.set_xlabel("measured, us per generation")
            ax.set_ylabel("predicted, us")
            middle = 100 * float(np.median(errors))
            finish(
                ax,
                f"{title_of(group)} ({group['device']}): predicted against measured, median error {middle:.1f} %",
                (row["family"] for row in rows),
            )
        return ax
