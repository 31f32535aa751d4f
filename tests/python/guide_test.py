"""The guide's page prints what it shows, and lists the columns of the package.

    python guide_test.py --update    writes output and tables into docs/guide/python.md
"""

import contextlib
import io
import os
import re
import sys
from pathlib import Path

import camber

SOURCE = Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs/guide/python.md"
TABLE = re.compile(r"(<!-- columns of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
CODE = re.compile(r"```python\n(.*?)```\n(\n```text\n)?(?(2)(.*?)```)", re.DOTALL)


def table_of(name):
    """Names of columns by unit; those of frame() are not repeated."""
    shared = set() if name == "frame" else {one.name for one in camber.COLUMNS["frame"]}
    names = {}
    for column in camber.COLUMNS[name]:
        unit = "as in `frame()`" if column.name in shared else column.unit or "no unit"
        names.setdefault(unit, []).append(f"`{column.name}`")
    return "".join(f"- {unit}: {', '.join(names[unit])}\n" for unit in names)


def with_tables(text):
    return TABLE.sub(lambda match: match[1] + table_of(match[2]) + match[3], text)


def with_output(text):
    """The page with what its blocks of Python print, each in the environment of those before."""
    environment = {}

    def run(match):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(match[1], "python.md", "exec"), environment)
        head = f"```python\n{match[1]}```\n"
        if match[2] is None:
            assert printed.getvalue() == ""
            return head
        return f"{head}\n```text\n{printed.getvalue()}```"

    return CODE.sub(run, text)


def test_the_guide_lists_all_columns():
    text = PAGE.read_text()
    assert {match[1] for match in TABLE.findall(text)} == set(camber.COLUMNS)
    assert text == with_tables(text), f"run {__file__} --update"


def test_the_guide_prints_what_it_shows(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(SOURCE)
    text = PAGE.read_text()
    assert with_output(text) == text, f"run {__file__} --update"


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    os.environ["MPLBACKEND"] = "Agg"
    os.chdir(SOURCE)
    PAGE.write_text(with_output(with_tables(PAGE.read_text())))
