"""The notebooks run, and print what is committed.

    python notebooks_test.py --update    runs them and stores their output
"""

import re
import sys
import tempfile
import time
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
jupyter_client = pytest.importorskip("jupyter_client")
pytest.importorskip("ipykernel")

FOLDER = Path(__file__).resolve().parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def executed(path, folder):
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=300, startup_timeout=300, kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
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


def test_a_kernel_that_is_interrupted_keeps_what_was_measured(tmp_path):
    """Interrupts like the stop button of a notebook."""
    manager, client = jupyter_client.manager.start_new_kernel(cwd=str(tmp_path))

    def reply_to(request):
        while (message := client.get_shell_msg(timeout=300))["parent_header"]["msg_id"] != request:
            pass
        return message["content"]

    try:
        request = client.execute(
            "import camber\n"
            "results = camber.run('life', size='400x400', backend='simt', out='r.json', progress=False)",
            # Else the kernel aborts requests that arrive right after an error.
            stop_on_error=False,
        )
        file = tmp_path / "r.json"
        while not (file.exists() and '"status"' in file.read_text()):
            time.sleep(0.1)
        manager.interrupt_kernel()
        reply = reply_to(request)
        assert reply["ename"] == "Interrupted"
        assert re.fullmatch(
            r'interrupted; \d+ cases? measured: camber.read\("r.json"\) returns what was measured',
            reply["evalue"],
        )
        # The kernel is alive, and has the results.
        request = client.execute("assert len(camber.read('r.json')) >= 1")
        assert reply_to(request)["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


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
