#!/usr/bin/env python3
"""Programs that read Google Benchmark's JSON accept camber's results, and services its exports.

    consumers_test.py CAMBER SOURCE_DIR

- compare.py of Google Benchmark (Debian package libbenchmark-tools; downloaded if it is not installed
  and apt-get can). It needs SciPy for geometric means and a U test; without SciPy, this test supplies
  the means and leaves out the U test.
- The reader "googlecpp" of github-action-benchmark takes name, real_time, time_unit, iterations,
  cpu_time and threads of every element of "benchmarks"; its list for customSmallerIsBetter has name,
  unit and value, and optionally range and extra, as texts (README of github-action-benchmark).
- Bencher Metric Format: benchmarks, their measures, and value, lower_value and upper_value of each
  (bencher.dev, reference "Bencher Metric Format").

Exit code 77: everything else passed, and there is no compare.py.
"""
import importlib.util
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CAMBER, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
MEAN = """import math
class Means(list):
    def any(self):
        return any(map(bool, self))
def gmean(rows):
    return Means(math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*rows))
mannwhitneyu = None
"""
faults = []


def fault(text):
    print(text)
    faults.append(text)


def expect(condition, text):
    if not condition:
        fault(text)


def camber(folder, *arguments):
    done = subprocess.run([CAMBER, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"camber {' '.join(map(str, arguments))} failed: {done.stderr}")
    return done.stdout


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def check_googlecpp(file):
    """The rules of the reader googlecpp, which looks at every element."""
    for case in json.loads(file.read_text())["benchmarks"]:
        where = f"{file.name}: {case.get('name')}"
        for key, fits in (("name", lambda value: isinstance(value, str) and value),
                          ("real_time", is_number), ("cpu_time", is_number),
                          ("time_unit", lambda value: value in ("ns", "us", "ms", "s")),
                          ("iterations", is_number), ("threads", is_number)):
            expect(key in case and fits(case[key]), f"{where}: {key} is {case.get(key)!r}")


def check_smaller_is_better(text, names):
    elements = json.loads(text)
    expect(isinstance(elements, list) and elements, "the list for customSmallerIsBetter is empty")
    seen = [one["name"] for one in elements]
    expect(len(set(seen)) == len(seen), "customSmallerIsBetter has a name twice")
    for one in elements:
        expect(isinstance(one["name"], str) and isinstance(one["unit"], str) and
               is_number(one["value"]), f"customSmallerIsBetter: {one}")
        for key in ("range", "extra"):
            expect(isinstance(one.get(key, ""), str), f"customSmallerIsBetter: {key} of {one}")
        expect(set(one) <= {"name", "unit", "value", "range", "extra"}, f"unknown keys in {one}")
    for name in names:
        expect(any(one == name or one.startswith(name + ": ") for one in seen), f"{name} is missing")


def check_bencher(text, names):
    benchmarks = json.loads(text)
    expect(set(benchmarks) == set(names), "Bencher Metric Format has other benchmarks than the file")
    for name, measures in benchmarks.items():
        expect(0 < len(name) <= 1024 and measures, f"{name} has no measure")
        for measure, metric in measures.items():
            expect(0 < len(measure) <= 64, f"{measure} is too long for a measure")
            expect(set(metric) <= {"value", "lower_value", "upper_value"} and
                   all(is_number(value) for value in metric.values()) and "value" in metric,
                   f"{name}: {measure} is {metric}")


def compare_py(folder):
    """Path of Google Benchmark's compare.py, or None."""
    installed = pathlib.Path(os.environ.get("BENCHMARK_COMPARE_PY",
                                            "/usr/share/benchmark/compare.py"))
    if installed.is_file():
        return installed
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return None
    packages = folder / "packages"
    packages.mkdir()
    subprocess.run(["apt-get", "download", "libbenchmark-tools"], cwd=packages, capture_output=True,
                   stdin=subprocess.DEVNULL, timeout=120)
    for package in packages.glob("libbenchmark-tools_*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, packages], check=True)
    found = packages / "usr/share/benchmark/compare.py"
    return found if found.is_file() else None


def check_compare_py(program, folder, before, after, names):
    environment, options = dict(os.environ), []
    if importlib.util.find_spec("scipy") is None:
        stand_in = folder / "stand-in"
        for module, text in (("scipy/__init__.py", ""), ("scipy/stats.py", MEAN),
                             ("numpy.py", "array = list\n")):
            path = stand_in / module
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        environment["PYTHONPATH"] = str(stand_in)
        options = ["--no-utest"]
    done = subprocess.run([sys.executable, str(program), "--no-color", *options, "-d", str(folder / "diff.json"),
                           "benchmarks", str(before), str(after)],
                          capture_output=True, text=True, env=environment)
    expect(done.returncode == 0, f"compare.py failed: {done.stderr[-2000:]}")
    if done.returncode != 0:
        return
    for name in names:
        expect(name in done.stdout, f"compare.py does not show {name}")
    compared = json.loads((folder / "diff.json").read_text())
    compared = [one for one in compared if one["name"] in names]
    expect(len(compared) == len(names), f"compare.py compared {len(compared)} of {len(names)} cases")
    for one in compared:
        expect(abs(one["measurements"][0]["time"] - 0.25) < 1e-6,
               f"compare.py finds a change of {one['measurements'][0]['time']}, not of 25 %")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        measured = SOURCE / "results/measurement/aa-small.json"
        document = json.loads(measured.read_text())
        names = [case["name"] for case in document["benchmarks"]]
        slower = json.loads(measured.read_text())
        for case in slower["benchmarks"]:
            case["real_time"] *= 1.25
        (folder / "slower.json").write_text(json.dumps(slower))
        camber(folder, "run", "--backend", "cpu", "--variant", "reference/serial", "--size", "64x64",
               "--benchmark_repetitions=3", "--out", "fresh.json")

        check_googlecpp(measured)
        check_googlecpp(folder / "fresh.json")
        camber(folder, "cat", SOURCE / "results/h200/life.json", "--out", "life.json")
        check_googlecpp(folder / "life.json")
        exported = camber(folder, "report", measured, "--format", "github-action-benchmark")
        check_smaller_is_better(exported, names)
        check_bencher(camber(folder, "report", measured, "--format", "bencher"), names)
        program = compare_py(folder)
        if program:
            check_compare_py(program, folder, measured, folder / "slower.json", names)
            check_compare_py(program, folder, folder / "fresh.json", folder / "fresh.json", [])
    if faults:
        return 1
    if not program:
        print("skipped: there is no compare.py, and libbenchmark-tools cannot be downloaded")
        return 77
    return 0


sys.exit(main())
