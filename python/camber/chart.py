"""Style and parts of the charts: colors, axes, bars and legends of the HTML report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from camber.errors import MissingPackage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colors and dashes of harness/page/theme.js and roofline.js: Okabe and Ito (2008), darkened.
TEXT, SOFT, GRID, LINE = "#1b2430", "#4c5866", "#e3e7eb", "#7c8896"
FAMILIES = ("#0072b2", "#c75000", "#8a6d00", "#008060", "#a8388a", "#5b4bb8", "#5d6672")
FAMILY_NAMES = (
    "global memory",
    "shared memory",
    "texture, constant",
    "several cells a thread",
    "register streaming",
    "several generations",
    "other",
)
LEVELS = ("DRAM", "L2", "L1", "shared memory")
MARKERS = ("o", "s", "v", "^")
LEVEL_DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 2)), (0, (7, 2, 2, 2)))
FLAT_DASH: Any = (0, (9, 3))
DASH: Any = (0, (4, 3))
MOST_FASTEST = 20
VIEWS = ("fastest", "techniques", "all")

_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": TEXT,
    "axes.edgecolor": LINE,
    "axes.labelcolor": TEXT,
    "axes.labelweight": "bold",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.facecolor": "white",
    "svg.fonttype": "none",
}


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MissingPackage("charts need matplotlib: run 'pip install matplotlib'") from None
    return pyplot


@contextmanager
def styled(ax: Axes | None, height: float) -> Iterator[Axes]:
    """An axes in the style of the report: the given one, or that of a new figure."""
    pyplot = _pyplot()
    with pyplot.rc_context(_STYLE):
        if ax is None:
            _, ax = pyplot.subplots(figsize=(9, height), layout="constrained")
        # The first figure of a notebook loads its backend, which shows figures if this is true.
        interactive = pyplot.isinteractive()
        yield ax
    if interactive:
        pyplot.ion()


def bars(
    *,
    rows: Sequence[tuple[str, int]],
    values: Sequence[float],
    labels: Sequence[str],
    title: str,
    axis: str,
    line: float | None,
    ax: Axes | None,
    spans: Sequence[tuple[float, float]] | None = None,
) -> Axes:
    with styled(ax, 1.5 + 0.27 * len(rows)) as ax:
        places = range(len(rows))
        ax.barh(places, values, height=0.72, color=[FAMILIES[family] for _, family in rows])
        if spans is not None:
            for place, (low, high) in zip(places, spans):
                ax.plot([low, high], [place, place], color=TEXT, linewidth=1.2, alpha=0.6)
        ends = (
            [max(value, span[1]) for value, span in zip(values, spans)]
            if spans is not None
            else values
        )
        most = max([*ends, line or 0])
        for place, label in enumerate(labels):
            ax.text(
                1.01 * most, place, "  " + label, va="center", ha="left", color=SOFT, fontsize=8.5
            )
        ax.set_yticks(
            places, [name for name, _ in rows], fontfamily="monospace", fontsize=8.5, color=TEXT
        )
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(len(rows) - 0.4, -0.6)
        ax.set_xlim(0, 1.02 * most)
        ax.grid(False, axis="y")
        if line:
            ax.axvline(line, color=TEXT, linestyle=DASH, linewidth=1.3)
            copy = line
            share = ax.secondary_xaxis(
                "top",
                functions=(
                    lambda v: np.asarray(v) / copy * 100,
                    lambda v: np.asarray(v) * copy / 100,
                ),
            )
            share.set_xlabel("% of copy bandwidth (dashed)")
        ax.set_xlabel(axis)
        finish(ax, title, (family for _, family in rows), width=True)
    return ax


def finish(ax: Axes, title: str, families: Iterable[int], width: bool = False) -> None:
    """Adds the title and the legend, which names the families."""
    from matplotlib.patches import Patch

    handles, labels = ax.get_legend_handles_labels()
    for family in sorted(set(families)):
        handles.append(Patch(color=FAMILIES[family]))
        labels.append(FAMILY_NAMES[family])
    ax.set_title(title, pad=12)
    if handles:
        ax.legend(
            handles,
            labels,
            loc="upper center",
            bbox_to_anchor=(0.5, -0.6 / _height(ax)),
            ncols=3,
            handlelength=2.2,
        )


def _height(ax: Axes) -> float:
    """Height of the axes in inches, nearly."""
    return max(0.8, float(ax.get_figure().get_figheight()) - 1.3)  # type: ignore[union-attr]


def column_labels(
    ax: Axes,
    points: Sequence[tuple[float, float, int, bool, Mapping[str, Any]]],
    x: Sequence[float],
    y: Sequence[float],
) -> None:
    """Names the technique of the fastest variant at each intensity, where there is room."""
    width, height = 72 * 8.0, 72 * _height(ax)  # points, nearly

    def place(intensity: float, rate: float) -> tuple[float, float]:
        return (
            math.log(intensity / x[0]) / math.log(x[1] / x[0]) * width,
            math.log(rate / y[0]) / math.log(y[1] / y[0]) * height,
        )

    taken = [
        (left - 4, low - 4, left + 4, low + 4)
        for left, low in (place(one[0], one[1]) for one in points)
    ]
    columns: dict[tuple[int, int], tuple[float, float, int, bool, Mapping[str, Any]]] = {}
    for one in points:
        key = (one[2], round(math.log(one[0]) / 0.06))
        if key not in columns or one[1] > columns[key][1]:
            columns[key] = one
    for intensity, rate, _, _, row in sorted(columns.values(), key=lambda one: -one[1]):
        half = 2.6 * len(row["technique"]) + 3
        centre, middle = place(intensity, rate)
        centre = min(width - half, max(half, centre))
        box = (centre - half, middle + 5, centre + half, middle + 18)
        if any(
            box[0] < one[2] and one[0] < box[2] and box[1] < one[3] and one[1] < box[3]
            for one in taken
        ):
            continue
        taken.append(box)
        ax.annotate(
            row["technique"],
            (x[0] * (x[1] / x[0]) ** (centre / width), rate),
            (0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            zorder=5,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5},
        )


def logarithmic(ax: Axes, x: Sequence[float], y: Sequence[float]) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(x[0], x[1])
    ax.set_ylim(y[0], y[1])
    for axis in (ax.xaxis, ax.yaxis):
        low, high = axis.get_view_interval()
        axis.set_major_locator(_locator(low, high))
        axis.set_major_formatter(lambda value, _: engineering(value))
        axis.set_minor_formatter(lambda value, _: "")


def _locator(low: float, high: float) -> Any:
    from matplotlib.ticker import LogLocator

    decades = math.log10(high / low)
    return LogLocator(
        subs=(1.0,) if decades > 3 else (1.0, 2.0, 5.0) if decades > 0.7 else tuple(range(1, 10))
    )


def engineering(value: float) -> str:
    for limit, scale, unit in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(value) >= limit:
            return f"{value / scale:g}{unit}"
    return f"{value:g}"


def number(value: float, digits: int = 4) -> str:
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"
