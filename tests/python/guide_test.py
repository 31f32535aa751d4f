"""The guide's page prints what it shows.

    python guide_test.py --update    writes output into docs/guide/python.md
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
CODE = re.compile(r"```python\n(.*?)```\n(\n```text\n)?(?(2)(.*?)```)", re.DOTALL)


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


def test_the_guide_prints_what_it_shows(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(SOURCE)
    text = PAGE.read_text()
    assert with_output(text) == text, f"run {__file__} --update"


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    os.environ["MPLBACKEND"] = "Agg"
    os.chdir(SOURCE)
    PAGE.write_text(with_output(PAGE.read_text()))
