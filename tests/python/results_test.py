"""Results files as tables: columns, units, other files, damaged files."""

import csv
import io
import json
import re
import subprocess

import camber
import numpy as np
import pandas as pd
import pytest
from camber.columns import CASES, PREDICTIONS

LIFE = "results/h200/life.json"
COUNTERS = "results/h200/life-counters.json"


def schema_node(schema, node, path):
    """Schema of a dotted path below a definition; None if the schema has no such key."""
    for key in path.split("."):
        while "$ref" in node:
            node = schema["definitions"][node["$ref"].rpartition("/")[2]]
        key, listed = key.removesuffix("[]"), key.endswith("[]")
        if key.isdigit():
            node = node.get("items", {}) | {"description": node.get("description", "")}
            continue
        if key not in node.get("properties", {}):
            return None
        node = node["properties"][key]
        if listed:
            node = node["items"]
    return node


def unit_of(node):
    match = re.search(r"Unit: ([^.;]*[^.;,])", node.get("description", ""))
    return match[1] if match else ""


@pytest.mark.parametrize(
    ("file", "definition", "columns"),
    [
        ("camber-results.schema.json", "case", CASES),
        ("camber-model.schema.json", "model", PREDICTIONS),
    ],
)
def test_columns_name_keys_of_the_schema_with_its_units(source, file, definition, columns):
    schema = json.loads((source / "results/schema" / file).read_text())
    for column in columns:
        if not column.path:
            continue
        node = schema_node(schema, schema["definitions"][definition], column.path)
        if node is None:
            node = schema_node(schema, schema["definitions"].get("benchmark", {}), column.path)
        if node is None and column.name == "reason":
            node = schema["definitions"]["skipped"]["properties"]["reason"]
        assert node is not None, f"{column.name}: the schema has no {column.path}"
        if column.kind in ("number", "count"):
            assert unit_of(node) in ("", column.unit), column.name
            assert column.unit, column.name


def test_frame_agrees_with_the_csv_of_the_program(source):
    """The figures of frame() are those of `camber report --format csv`."""
    names = {
        "median_ns": "median_ns_per_generation",
        "ci95_low_ns": "ci95_low_ns",
        "iqr_ns": "iqr_ns",
        "share_of_copy": "share_of_copy",
        "step_share_of_copy": "step_share_of_copy",
        "speedup": "speedup_vs_baseline",
        "registers": "registers_per_thread",
        "occupancy": "theoretical_occupancy",
        "samples": "samples",
        "compared_cells": "compared_cells",
        "generations_per_launch": "generations_per_launch",
    }
    for file in (LIFE, COUNTERS):
        path = source / file
        text = subprocess.run(
            [camber.program(), "report", path, "--format", "csv"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        table = camber.read(path).table()
        places = {variant: place for place, variant in enumerate(table["variant"])}
        assert len(places) == len(rows) > 50
        for row in rows:
            place = places["life/" + row["variant"]]
            one = {column: values[place] for column, values in table.items()}
            for column, name in names.items():
                value = float(row[name]) if row[name] else np.nan
                if row["status"] != "ok" and not row[name].strip("0"):
                    continue
                assert float(one[column]) == pytest.approx(value, rel=1e-12, nan_ok=True), name
            if row["Gcell_per_s"]:
                assert one["cells_per_second"] / 1e9 == pytest.approx(float(row["Gcell_per_s"]))


def test_tables_have_the_documented_columns_and_types():
    results = camber.read(COUNTERS)
    assert len(results) > 50
    for name, columns in camber.COLUMNS.items():
        table = results.table(name)
        assert list(table) == [column.name for column in columns]
        frame = getattr(results, name)()
        assert list(frame.columns) == list(table)
        assert len(frame) == len(next(iter(table.values()))) > 0
        for column in columns:
            kinds = {"text": "O", "flag": "O", "count": "if", "number": "f"}[column.kind]
            assert table[column.name].dtype.kind in kinds, column.name
    assert isinstance(results.frame()["registers"].dtype, pd.Int64Dtype)
    with pytest.raises(camber.BadInput, match="no table 'frames': choose frame"):
        results.table("frames")


def test_samples_are_per_generation_and_know_their_round():
    results = camber.read(LIFE)
    samples = results.samples()
    frame = results.frame().set_index("case")
    medians = samples.groupby("case")["ns"].median()
    assert np.allclose(medians, frame.loc[medians.index, "median_ns"], rtol=1e-9)
    assert set(samples["round"]) == {0, 1}
    assert set(samples["process"]) == {0}


def test_counters_and_predictions_of_counted_cases_agree():
    results = camber.read(COUNTERS)
    counters = results.counters()
    metric = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
    counted = counters[(counters["metric"] == metric) & (counters["kernel"] == "")]
    predicted = results.predictions().set_index("variant")["global_load_requests"]
    pairs = [(row.value, predicted[row.variant]) for row in counted.itertuples()]
    assert len(pairs) > 50
    assert all(value == expected for value, expected in pairs)


def test_several_files_and_folders_are_one_table(source, tmp_path):
    both = camber.read([source / LIFE, source / COUNTERS])
    assert len(both) == len(camber.read(source / LIFE)) + len(camber.read(source / COUNTERS))
    assert both.files == [str(source / LIFE), str(source / COUNTERS)]
    assert set(both.frame()["file"]) == set(both.files)
    assert len(both.select("halo/*", "life/global/16x16")) < len(both)
    folder = tmp_path / "folder"
    folder.mkdir()
    camber.read(LIFE).select("halo/*").save(folder / "a.json")
    (folder / "notes.json").write_text("{}")
    assert len(camber.read(folder)) == len(camber.read(LIFE).select("halo/*"))
    with pytest.raises(camber.BadInput, match="no case matches none"):
        both.select("none")
    with pytest.raises(camber.BadInput, match="those of 2 files"):
        both.save("both.json")


def test_older_files_have_times_per_generation_too(tmp_path):
    results = camber.read(LIFE)
    data = json.loads(json.dumps(results.documents[0].data))
    for one in data["benchmarks"]:
        one["camber"].pop("per_generation", None)
    (tmp_path / "old.json").write_text(json.dumps(data))
    old = camber.read("old.json").frame()
    assert np.allclose(old["median_ns"], results.frame()["median_ns"], rtol=1e-12, equal_nan=True)
    assert np.allclose(old["ci95_high_ns"], results.frame()["ci95_high_ns"], rtol=1e-12, equal_nan=True)


def test_files_of_google_benchmark_are_read(tmp_path):
    times = [("BM_copy", 2.5, "us"), ("BM_copy", 2.7, "us"), ("BM_sum", 800, "ns")]
    data = {
        "context": {"date": "2026-01-01T00:00:00+00:00"},
        "benchmarks": [
            {
                "name": name,
                "run_name": name,
                "run_type": "iteration",
                "repetition_index": index % 2,
                "iterations": 10,
                "real_time": time,
                "cpu_time": time,
                "time_unit": unit,
            }
            for index, (name, time, unit) in enumerate(times)
        ]
        + [{"name": "BM_copy_mean", "run_name": "BM_copy", "run_type": "aggregate"}],
    }
    (tmp_path / "gbench.json").write_text(json.dumps(data))
    frame = camber.read("gbench.json").frame()
    assert list(frame["case"]) == ["BM_copy", "BM_copy", "BM_sum"]
    assert list(frame["median_ns"]) == [2500, 2700, 800]
    assert list(camber.read("gbench.json").samples()["ns"]) == [2500, 2700, 800]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[1, 2]", "is no results file"),
        ('{"a": 1}', "has neither cases nor models"),
        ('{"benchmarks": 5}', "no list of objects"),
        ('{"benchmarks": [5]}', "no list of objects"),
        (
            '{"context": {"camber": {"schema_version": 9}}, "benchmarks": []}',
            "has schema version 9, and this camber reads version 1",
        ),
    ],
)
def test_a_file_that_is_none_is_one_sentence(tmp_path, text, words):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(camber.BadInput, match=words) as caught:
        camber.read("bad.json")
    assert caught.value.exit_code == 2
    assert '"bad.json"' in str(caught.value)


def test_missing_and_unreadable_files_are_one_sentence(tmp_path):
    with pytest.raises(camber.BadInput, match='cannot read "none.json": No such file'):
        camber.read("none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(camber.BadInput, match="is no text"):
        camber.read("binary.json")
    (tmp_path / "empty").mkdir()
    with pytest.raises(camber.BadInput, match="no results file"):
        camber.read("empty")
    with pytest.raises(camber.BadInput, match="needs a file"):
        camber.read([])


def test_report_writes_a_page(tmp_path):
    results = camber.read(LIFE).select("halo/*")
    data = results.report_data()
    assert data["groups"][0]["cases"][0]["technique"] == "halo"
    try:
        results.report("page.html", title="Halo")
    except camber.Unavailable as error:  # built without the chart library
        assert "HTML" in str(error)
    else:
        assert "<title>Halo" in (tmp_path / "page.html").read_text()
