"""The installed package: contents, start, types, missing packages."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import camber
import pytest
from camber.process import PREFIX

PACKAGE = Path(camber.__file__).parent
installed = pytest.mark.skipif(not PREFIX.exists(), reason="the package is not installed")


def python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


@installed
def test_the_wheel_has_the_program_and_no_raw_results():
    assert camber.program() == PREFIX / "bin/camber"
    assert (PACKAGE / "py.typed").exists()
    results = PREFIX / "share/camber/results"
    assert (results / "h200/life.json.zst").exists()
    assert not (results / "experiments/README.md").exists()
    assert sum(path.stat().st_size for path in results.rglob("*") if path.is_file()) < 50e6
    assert not (PREFIX / "share/doc").exists()


@installed
def test_the_console_script_is_the_program():
    script = Path(sys.executable).parent / "camber"
    version = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"camber {camber.__version__}\n"
    wrong = subprocess.run([script, "rum"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "'rum' is no command" in wrong.stderr
    module = subprocess.run(
        [sys.executable, "-m", "camber", "--version"], capture_output=True, text=True, check=True
    )
    assert module.stdout == version.stdout
    listed = subprocess.run([script, "list"], capture_output=True, text=True, check=True).stdout
    assert "sph" in listed and " -\n" not in listed  # all kernels are built


def test_import_needs_no_numpy():
    done = python("import sys, camber, camber.process; print('numpy' in sys.modules, dir(camber))")
    assert done.stdout.startswith("False ")
    assert "'try_kernel'" in done.stdout
    wrong = python("import camber; camber.nothing")
    assert "module 'camber' has no attribute 'nothing'" in wrong.stderr


def test_a_missing_extra_is_one_sentence():
    done = python(
        "import sys; sys.modules.update(pandas=None, matplotlib=None)\n"
        "import camber\n"
        "results = camber.read('results/h200/life.json')\n"
        "print(len(results.table()['median_ns']))\n"
        "for call in (results.frame, results.counters, results.plot.ranking):\n"
        "    try: call()\n"
        "    except camber.MissingPackage as error: print(error.exit_code, error)\n"
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "87", done.stderr
    assert len(lines) == 4
    assert all(line.startswith("5 ") for line in lines[1:])
    assert "pip install pandas" in lines[1] and "pip install pandas" in lines[2]
    assert "pip install matplotlib" in lines[3]


def test_every_public_name_has_a_documentation_string():
    for name in camber.__all__:
        value = getattr(camber, name)
        if callable(value):
            assert value.__doc__, name
    for name in dir(camber.Results):
        if not name.startswith("_"):
            assert getattr(camber.Results, name).__doc__, name


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_types_are_right(source, tmp_path):
    shutil.copytree(
        source / "python/camber",
        tmp_path / "python/camber",
        ignore=shutil.ignore_patterns("program", "__pycache__"),
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir=/dev/null", "--config-file", source / "pyproject.toml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
