#!/usr/bin/env python3
"""Compares the tables of a folder that several GPUs measured with the files beside it.

A row that names a file has the times on one GPU and more ("-" where a number of them was not measured), the efficiency on
most of them, and what they lose a step. In a table whose head names fits ("by a serial part"), it has the efficiency on most of
them, the same by the two fits of one and two, and Karp and Flatt's e. Below a heading that names a file, a row that begins
with a way has a step's time, exposed transfer, wait and imbalance."""
import pathlib
import re
import sys

from results_files import load

folder = pathlib.Path(sys.argv[1])
NS = {"us": 1e3, "ms": 1e6}
rows = 0


def agrees(text, value):
    """True if a number, with or without a unit, is the value rounded to its digits."""
    number, _, unit = text.partition(" ")
    digits = len(number.partition(".")[2])
    return abs(float(number) * NS.get(unit, 1) - value) <= 0.501 * 10**-digits * NS.get(unit, 1)


def sentence_of(text, value):
    """The same of `12.3 +- 0.4`."""
    return all(agrees(part, one) for part, one in zip(text.split(" +- "), value, strict=True))


def series_of(name, variant=""):
    document = load(folder / f"{name}.json")
    series = [one for one in document["scaling"] if variant in one["variant"] + "/"]
    assert len(series) == 1, (name, variant)
    exchanges = {case["camber"]["group"]["exchange"] for case in document["benchmarks"]
                 if "group" in case["camber"]}
    assert len(exchanges) == 1, name
    return {point["units"]: point for point in series[0]["points"]}, exchanges.pop()


def check(line, texts, values):
    global rows
    rows += 1
    for text, value in zip(texts, values, strict=True):
        if not (sentence_of(text, value) if isinstance(value, tuple) else agrees(text, value)):
            sys.exit(f"{folder}/README.md: {text} is {value}, in\n{line}")


def check_prediction(line, name, texts):
    points, _ = series_of(name)
    one, two = points[1]["median_ns"], points[2]
    most = max(points)
    e, cost = two["karp_flatt"], two["median_ns"] / one - 1 / 2
    values = [points[most]["efficiency"], 1 / (most * (e + (1 - e) / most)),
              1 / (most * (1 / most + cost * (most - 1)))]
    values += [(point["karp_flatt"], point["karp_flatt_sigma"])
               for units, point in sorted(points.items()) if units > 1]
    check(line, texts, values)


def check_way(line, heading, cells):
    path, _, overlap = cells[0].partition(", ")
    for case in load(folder / f"{heading}.json")["benchmarks"]:
        group = case["camber"].get("group")
        if group and group["exchange"] == path and group["overlap"] == bool(overlap) \
                and group.get("partition", "rows") == "rows":
            values = [case["real_time"], group["exposed_transfer_ns"], group.get("barrier_wait_ns"),
                      group["imbalance"]]
            texts = [text for text, value in zip(cells[1:], values, strict=True) if value is not None]
            return check(line, texts, [value for value in values if value is not None])
    sys.exit(f"{folder}/README.md: {heading}.json has no case of\n{line}")


heading = None
predicted = False
for line in (folder / "README.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if line.startswith("#"):
        named = re.search(r"\((.*)\.txt\)", line)
        heading = named.group(1) if named else None
    if line.startswith("| board"):
        predicted = "by" in line
    link = re.fullmatch(r"\[.*\]\((.*)\.txt\)", cells[0])
    if link and predicted:
        check_prediction(line, link.group(1), [text for text in cells[1:] if text != "-"])
    elif link:
        points, exchange = series_of(link.group(1), f"/{cells[1]}/")
        assert exchange == cells[2], line
        most = max(points)
        check(line, [text for text in cells[3:] if text != "-"],
              [point["median_ns"] for point in points.values()]
              + [points[most]["efficiency"], points[most]["median_ns"] - points[1]["median_ns"] / most])
    elif heading and re.fullmatch(r"(?!way$)[a-z]+(, overlap)?", cells[0]) and len(cells) == 5:
        check_way(line, heading, cells)
if not rows:
    sys.exit(f"{folder}/README.md has no row of a measurement")
