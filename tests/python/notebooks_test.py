"""The notebooks run, and print what is committed.

    python notebooks_test.py --update    runs them and stores their output
"""

import re
import sys
import tempfile
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

FOLDER = Path(__file__).resolve().parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def executed(path, folder):
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times
    return notebook


def printed(notebook):
    """Text of all outputs, cell by cell. Cells with the tag "varies" print figures of the machine."""
    pages = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or "varies" in cell.metadata.get("tags", []):
            continue
        texts = []
        for output in cell.outputs:
            data = output.get("data", {})
            text = output.get("text") or data.get("text/plain", "")
            texts.append("<image>" if "image/png" in data else text)
        pages.append("".join(texts))
    return pages


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_prints_what_is_committed(path, tmp_path):
    committed = nbformat.read(path, as_version=4)
    nbformat.validate(committed)
    for cell in committed.cells:
        if ".plot." in cell.source and cell.cell_type == "code":
            assert "image/png" in str(cell.outputs), cell.source
    for page, new in zip(printed(committed), printed(executed(path, tmp_path)), strict=True):
        assert new == page


def test_links_of_the_notebooks_lead_somewhere():
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                for link in re.findall(r"\]\(([^)#]+)", cell.source):
                    assert "://" in link or (FOLDER / link).exists(), link


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    for notebook in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(notebook, folder), notebook)
