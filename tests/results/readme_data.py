"""A results folder, given as the first argument: its README.md and the files beside it."""
import functools
import pathlib
import re
import sys

from results_files import load

folder = pathlib.Path(sys.argv[1])
readme = (folder / "README.md").read_text()


@functools.cache
def document(name):
    return load(folder / f"{name}.json")


@functools.cache
def cases(name):
    """Records of the variants that passed, by name; `us`: microseconds per generation."""
    return {b["camber"]["variant"]: b["camber"] | {"us": b["real_time"] / 1e3}
            for b in document(name)["benchmarks"] if b["camber"]["status"] == "ok"}


def times(name):
    return {variant: case["us"] for variant, case in cases(name).items()}


def kernel_times(case):
    """Median of each kernel, ns."""
    return {kernel["name"]: kernel["median_ns"] for kernel in case["kernel_times"]["kernels"]}


def prose_of(section):
    """The text of a section of the page, without tables, in one line."""
    text = re.search(rf"^## {section}$(.*?)(?=^## |\Z)", readme, re.M | re.S).group(1)
    lines = [line for line in text.splitlines() if not line.startswith("|")]
    return " ".join(" ".join(lines).split())
