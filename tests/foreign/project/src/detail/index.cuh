#pragma once

__device__ inline int cell(int column, int row, int columns) {
    return row * columns + column;
}
