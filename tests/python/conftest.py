"""Fixtures of the Python tests. They run in a virtual environment that has the wheel
(python_test.sh), or with PYTHONPATH=python and CAMBER_PROGRAM=PROGRAM."""

from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
DOUBLE = """
// camber: twice(in, out, columns, rows, pitch) block=32x8 overhang=yes
__global__ void twice(const float* in, float* out, int columns, int rows, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) out[y * pitch + x] = 2.0f * in[y * pitch + x];
}
"""


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def source():
    """Root of the source tree."""
    return SOURCE


@pytest.fixture
def double():
    """Code of a kernel that doubles each cell."""
    return DOUBLE
