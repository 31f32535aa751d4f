"""The guide's page lists the columns of the package.

    python guide_test.py --update    writes the tables into docs/guide/python.md
"""

import re
import sys
from pathlib import Path

import camber

PAGE = Path(__file__).resolve().parents[2] / "docs/guide/python.md"
TABLE = re.compile(r"(<!-- columns of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table_of(name):
    lines = ["| column | unit | content |", "|---|---|---|"]
    for column in camber.COLUMNS[name]:
        lines.append(f"| `{column.name}` | {column.unit} | {column.description} |")
    return "\n".join(lines) + "\n"


def with_tables(text):
    return TABLE.sub(lambda match: match[1] + table_of(match[2]) + match[3], text)


def test_the_guide_lists_all_columns():
    text = PAGE.read_text()
    assert {match[1] for match in TABLE.findall(text)} == set(camber.COLUMNS)
    assert text == with_tables(text), f"run {__file__} --update"


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    PAGE.write_text(with_tables(PAGE.read_text()))
