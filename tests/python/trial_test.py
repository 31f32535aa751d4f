"""Kernels against Python functions, other kernels and workloads."""

import subprocess

import camber
import numpy as np
import pytest
from camber.difference import difference

IMAGE = np.random.default_rng(3).random((40, 96), dtype=np.float32)


def twice(array):
    return 2 * array


def test_a_right_kernel_is_verified_against_a_function(double):
    trial = camber.try_kernel(double, {"in": IMAGE}, twice, progress=False)
    assert trial.verified and trial.clean and trial.passed
    assert trial.check() is trial
    assert np.array_equal(trial.outputs["out"], 2 * IMAGE)
    assert trial.differences["out"].compared == IMAGE.size
    assert trial.model.frame()["global_load_requests"][0] == IMAGE.size // 32
    case = trial.results.frame().iloc[0]
    assert (case["verification"], case["compared_cells"]) == ("passed", IMAGE.size)
    assert "all 3840 cells are right" in str(trial)


def test_a_wrong_kernel_names_its_first_wrong_cell(double):
    code = double.replace("2.0f * in[y * pitch + x]", "(y == 7 && x > 2 ? 3.0f : 2.0f) * in[y * pitch + x]")
    trial = camber.try_kernel(code, {"in": IMAGE}, twice, progress=False)
    assert not trial.verified and not trial.passed
    found = trial.differences["out"]
    assert found.first == (7, 3)
    assert found.differing == 93
    assert found.actual == pytest.approx(3 * IMAGE[7, 3])
    assert "93 of 3840 cells are wrong, the first in row 7, column 3" in trial.reason
    case = trial.results.frame().iloc[0]
    assert (case["status"], case["verification"], case["differing_cells"]) == ("failed", "failed", 93)
    with pytest.raises(camber.WrongResult, match="row 7, column 3"):
        trial.check()


def test_several_inputs_and_outputs_have_names():
    code = """
// camber: both(in.a, in.b, out.sum, out.difference, columns, rows) block=64 grid=(columns*rows+63)/64
__global__ void both(const int* a, const int* b, int* sum, int* difference, int columns, int rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns * rows) return;
    sum[i] = a[i] + b[i];
    difference[i] = a[i] - b[i];
}
"""
    a = np.arange(640, dtype=np.int32).reshape(10, 64)
    inputs = {"b": a[::-1], "a": a}  # the function takes them in this order

    def right(b, a):
        return {"sum": a + b, "difference": a - b}

    trial = camber.try_kernel(code, inputs, right, progress=False).check()
    assert set(trial.outputs) == {"sum", "difference"}
    assert trial.differences["sum"].tolerance == 0
    with pytest.raises(camber.BadInput, match="several outputs, 'difference', 'sum'"):
        camber.try_kernel(code, inputs, lambda b, a: a, progress=False)
    with pytest.raises(camber.BadInput, match="the kernel's outputs are difference, sum"):
        camber.try_kernel(code, inputs, lambda b, a: {"sum": a, "rest": a}, progress=False)


def test_another_kernel_is_the_reference(source):
    examples = source / "examples/kernels"
    trial = camber.try_kernel(
        examples / "sharpen_tile.cu",
        {"image": IMAGE},
        (examples / "sharpen.cu").read_text(),
        progress=False,
    ).check()
    assert trial.outputs["out"].shape == IMAGE.shape
    assert len(trial.results) == 2


def test_a_workload_is_computed_beside_its_variants():
    new = subprocess.run([camber.program(), "try", "--new", "blur"], capture_output=True, text=True)
    trial = camber.try_kernel(
        new.stdout,
        workload="blur",
        against="halo/64x4/align128",
        size="64x32",
        name="mine",
        progress=False,
    ).check()
    variants = set(trial.results.frame()["variant"])
    assert variants == {"blur/mine.cu/32x8/align128", "blur/halo/64x4/align128"}
    assert len(trial.model) == 2


def test_a_race_is_found_although_all_cells_are_right(double):
    code = double.replace("{\n", "{\n    __shared__ int last;\n    last = threadIdx.x;\n", 1)
    trial = camber.try_kernel(code, {"in": IMAGE}, twice, progress=False)
    assert trial.verified
    assert trial.clean is False
    assert not trial.passed
    assert "race in shared memory" in trial.findings
    with pytest.raises(camber.WrongResult, match="race in shared memory"):
        trial.check()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("x < columns", "x < columns - 1", "never writes 40 of 3840 cells"),
        ("const int x =", "while (true); const int x =", "has run for 1 s and has not ended"),
        ("const int x =", "*(int*)0 = 1; const int x =", "accesses 4 bytes at an address in none of its fields"),
    ],
)
def test_a_kernel_that_fails_is_judged(double, old, new, words):
    code = double.replace(old, new, 1)
    trial = camber.try_kernel(code, {"in": IMAGE}, twice, timeout=1, progress=False)
    assert not trial.verified
    assert words in trial.reason
    assert trial.reason.startswith("the kernel")
    assert trial.outputs == {}


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"in": IMAGE.astype("f8")}, "inputs['in'] has elements of float64"),
        ({"in": IMAGE.astype("f2")}, "inputs['in'] has elements of type <f2"),
        ({"in": IMAGE.astype(">f4")}, "has its bytes in the other order"),
        ({"in": IMAGE[np.newaxis]}, "inputs['in'] has 3 dimensions"),
        ({"in": np.float32(1)}, "inputs['in'] has 0 dimensions"),
        ({"in": np.empty((0, 3), np.float32)}, "0 rows"),
        ({"in": [[1, "a"], [None, 2]]}, "Python objects"),
        ({"image": IMAGE}, "inputs has 'image', and kernel.cu reads in"),
        ({"in.x": IMAGE}, "is no name of an argument"),
        ({}, "needs inputs"),
    ],
)
def test_arrays_that_do_not_fit_are_one_sentence(double, inputs, words):
    with pytest.raises(camber.BadInput) as caught:
        camber.try_kernel(double, inputs, twice, progress=False)
    assert words in str(caught.value)
    assert "/tmp" not in str(caught.value)


def test_other_bad_input_is_one_sentence(double):
    def words_of(*arguments, **options):
        with pytest.raises(camber.BadInput) as caught:
            camber.try_kernel(*arguments, progress=False, **options)
        return str(caught.value)

    assert "kernel.cu does not compile" in words_of(double.replace("int x", "int $"), {"in": IMAGE}, twice)
    assert "no `// camber:` line" in words_of("\n__global__ void f() {}\n", {"in": IMAGE}, twice)
    assert "none.cu" in words_of("none.cu", {"in": IMAGE}, twice)
    assert "leave out one" in words_of(double, {"in": IMAGE}, twice, workload="blur")
    assert "one generation" in words_of(double, {"in": IMAGE}, twice, generations=2)
    assert "give reference" in words_of(double, {"in": IMAGE})
    assert "whole board" in words_of(double, {"in": IMAGE}, lambda array: array[:3])


def test_without_a_compiler_there_is_one_sentence(double, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    code = double.replace("2.0f", "2.00f")  # compiled by no other test
    with pytest.raises(camber.Unavailable, match="install g..") as caught:
        camber.try_kernel(code, {"in": IMAGE}, twice, progress=False)
    assert caught.value.exit_code == 5


def test_differences_follow_the_rule_of_the_program():
    right = np.ones((2, 3), np.float32)
    wrong = right.copy()
    wrong[1, 2] = np.nan
    assert difference("x", right, wrong).first == (1, 2)
    assert difference("x", wrong, wrong).differing == 1  # NaN always fails
    near = right * np.float32(1 + 1.5e-5)  # absolute and relative tolerance add up
    assert difference("x", right, near).differing == 0
    assert difference("x", right, near, tolerance=1e-6).differing == 6
    whole = np.array([[1, 2]], np.int32)
    assert difference("x", whole + 1, whole, tolerance=5).differing == 2
    assert difference("x", np.array([1.0, 2.0]), np.array([[1.0, 2.0]])).largest == 0
