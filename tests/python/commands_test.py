"""Commands as functions: results, errors, progress and interrupts."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import camber
import numpy as np
import pytest
from camber.process import arguments, call

SMALL = {"size": "64x64", "backend": "simt", "progress": False}


def test_run_verifies_and_has_no_times_without_a_gpu():
    results = camber.run("life", variants="halo/16x16/*", **SMALL)
    frame = results.frame()
    assert list(frame["variant"]) == ["life/halo/16x16/unaligned", "life/halo/16x16/align128"]
    assert set(frame["verification"]) == {"passed"}
    assert frame["median_ns"].isna().all()
    assert set(frame["file"]) == {"run.json"}
    assert results.samples().empty
    with pytest.raises(camber.BadInput, match="needs times or predictions"):
        results.plot.ranking()


def test_run_writes_the_file_that_it_is_told(tmp_path):
    camber.run("life", variants=["halo/16x16/unaligned"], out="mine.json", **SMALL)
    assert len(camber.read("mine.json")) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine.json"]


def test_model_predicts_the_counts_of_the_first_lesson():
    model = camber.model("life", variants="halo/64x4/align128", size="2048x2048", progress=False)
    row = model.frame().iloc[0]
    assert row["global_load_requests"] == 9 * 2048 * 2048 // 32
    assert row["global_load_sectors"] == 5505024
    assert row["moved_over_needed"] == 5.75


def test_compare_judges_results_and_files(tmp_path):
    before = camber.model("life", variants="halo/64x4/align128", size="256x256", progress=False)
    data = json.loads(json.dumps(before.documents[0].data))
    data["models"][0]["global_load_sectors"] += 100
    (tmp_path / "after.json").write_text(json.dumps(data))
    outcome = camber.compare(before, "after.json")
    assert outcome.regressed
    assert outcome.exit_code == 1
    assert outcome.summary.endswith("REGRESSION.")
    assert outcome.counts["worse"] == 1
    changes = outcome.changes()
    assert list(changes["quantity"]) == ["global_load_sectors"]
    assert list(outcome.frame()["worse"]) == [["global_load_sectors"]]
    assert not camber.compare(before, before).regressed


def test_compare_has_verdicts_of_times(source):
    base = source / "results/experiments/surface_water-divisions.json"
    new = source / "results/experiments/surface_water-reciprocals.json"
    outcome = camber.compare(base, new, allow=["missing"], only="time")
    frame = outcome.frame()
    assert (frame["verdict"] == "FASTER").sum() == outcome.counts["faster"] > 100
    one = frame[frame["verdict"] == "FASTER"].iloc[0]
    assert one["ratio_low"] < one["ratio"] < one["ratio_high"] < 1
    h200, h100 = source / "results/h200/life.json", source / "results/h100/life.json"
    with pytest.raises(camber.Incomparable, match="--allow gpu") as caught:
        camber.compare(h200, h100)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("call_", "error", "words"),
    [
        (lambda: camber.run("lif", **SMALL), camber.BadInput, "workload 'lif' is unknown"),
        (lambda: camber.run(nonsense=1, **SMALL), camber.BadInput, "'--nonsense' is unknown"),
        (lambda: camber.run(variants="hallo/*", **SMALL), camber.BadInput, "hallo"),
        (lambda: camber.run(out="no/x.json", **SMALL), camber.Unavailable, 'create the folder'),
        (lambda: camber.model(ceilings="h300"), camber.BadInput, "h300"),
        (lambda: camber.compare("a.json", "b.json"), camber.BadInput, "a.json"),
    ],
)
def test_errors_have_the_sentence_and_the_exit_code(call_, error, words):
    with pytest.raises(error, match=words) as caught:
        call_()
    assert caught.value.exit_code == error.exit_code
    assert "\n" not in str(caught.value)
    assert not str(caught.value).startswith("camber:")


def test_a_wrong_variant_raises_with_the_results(tmp_path):
    wrong = tmp_path / "wrong.cu"
    new = subprocess.run([camber.program(), "try", "--new", "blur"], capture_output=True, text=True)
    wrong.write_text(new.stdout.replace("dx <= 1", "dx < 1"))
    with pytest.raises(camber.WrongResult) as caught:
        camber.run("blur", candidates=wrong, **SMALL)
    assert caught.value.exit_code == 4
    results = caught.value.results
    assert list(results.frame()["status"]) == ["failed"]
    assert results.frame()["reason"][0] == str(caught.value)
    assert len(camber.run("blur", candidates=[wrong], check=False, **SMALL)) == 1


def test_options_become_words():
    assert arguments({"size": "4x4", "quick": True, "graph": False, "budget": None}) == [
        "--size",
        "4x4",
        "--quick",
    ]
    words = arguments({"leave_out_hopeless": True, "D": ["A=1", "B=2"], "seed": np.int64(3)})
    assert words == ["--leave-out-hopeless", "-D", "A=1", "-D", "B=2", "--seed", "3"]
    assert arguments({"out": Path("a b.json")}) == ["--out", "a b.json"]


def test_progress_goes_to_tqdm(monkeypatch):
    seen = []

    class Bar:
        def __init__(self, total, desc, **_):
            self.total, self.n = total, 0
            seen.append((desc, total))

        def set_postfix_str(self, text, refresh):
            seen.append(text)

        def update(self, steps):
            self.n += steps

        def close(self):
            seen.append("closed")

    monkeypatch.setattr("camber.process._tqdm", lambda: Bar)
    camber.run("life", variants="halo/16x16/*", size="64x64", backend="simt")
    assert seen[0] == ("run", 2)
    assert "life/halo/16x16/align128/64x64/uint32/simt" in seen
    assert seen[-1] == "closed"


def test_no_program_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("CAMBER_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(camber.Unavailable, match="there is no program .*none.: set CAMBER_PROGRAM"):
        camber.run("life")


def test_an_interrupt_keeps_what_was_measured(tmp_path):
    """Interrupts like Ctrl-C, or like the stop button of a notebook."""
    file = tmp_path / "r.json"

    def interrupt():
        while not (file.exists() and '"status"' in file.read_text()):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(camber.Interrupted) as caught:
        camber.run("life", size="400x400", backend="simt", out=file, progress=False)
    assert isinstance(caught.value, KeyboardInterrupt)
    results = caught.value.results
    assert 1 <= len(results) < 84
    assert set(results.frame()["status"]) == {"ok"}
    assert f'camber.read("{file}")' in str(caught.value)
    assert len(camber.read(file)) == len(results)


def test_the_program_stops_if_python_is_killed(tmp_path):
    file = tmp_path / "r.json"
    code = f"""
        import camber
        camber.run("life", size="1024x1024", backend="simt", out={str(file)!r}, progress=False)
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)])
    path = f"/proc/{child.pid}/task/{child.pid}/children"
    while not (started := open(path).read().split()):
        time.sleep(0.05)
    while "run" not in open(f"/proc/{started[0]}/cmdline").read().split("\0"):
        time.sleep(0.05)
    child.kill()
    child.wait()
    for _ in range(600):
        try:
            state = open(f"/proc/{started[0]}/stat").read().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.1)
    raise AssertionError("the program still runs a minute after Python was killed")


def test_messages_of_a_success_are_warnings():
    finished = call(["list", "backends"], progress=False)
    assert finished.exit_code == 0
    finished.messages.append("something to know")
    with pytest.warns(camber.CamberWarning, match="something to know"):
        finished.check()
