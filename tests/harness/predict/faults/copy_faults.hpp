// Faults with bulk copies.
#pragma once

#include "harness/machine/kernel/bulk_copy.hpp"
#include "tests/harness/predict/faults/block.hpp"

CAMBER_TARGET_BEGIN

namespace {

constexpr int row_packs = threads / 4;
using PackedRow = Tile<Pack<int, 4>, 1, row_packs>;

// Copies a row of cells, starting at `column`, and counts its bytes.
CAMBER_DEVICE void copy_row(PackedRow& row, const Grid<int>& cells, int column,
                            CopyBarrier& arrived, Site site = Site::current()) {
    arrived.expect(threads * sizeof(int), site);
    bulk_copy(row, 0, cells, 0, column, threads, arrived, site);
}
CAMBER_DEVICE int cell_of(PackedRow& row, Site site = Site::current()) {
    const Pack<int, 4> cells = row(0, threadIdx.x / 4, site);
    return cells[threadIdx.x % 4];
}

template <bool right>
__global__ void copy_read_early(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);  // line: copy_read_early copy
    }
    __syncthreads();
    if (right) arrived.wait(0);
    out(0, threadIdx.x) = cell_of(row);  // line: copy_read_early load
    arrived.wait(0);
}

// A wait for the other parity refers to the previous phase, which is complete.
template <bool right>
__global__ void copy_wrong_parity(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);  // line: copy_wrong_parity copy
    }
    __syncthreads();
    arrived.wait(right ? 0 : 1);
    out(0, threadIdx.x) = cell_of(row);  // line: copy_wrong_parity load
    arrived.wait(0);
}

template <bool right>
__global__ void copy_over_reads(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);
    }
    __syncthreads();
    arrived.wait(0);
    const int first = cell_of(row);  // line: copy_over_reads load
    if (right) __syncthreads();
    if (threadIdx.x == 0) copy_row(row, cells, threads, arrived);  // line: copy_over_reads copy
    __syncthreads();
    arrived.wait(1);
    out(0, threadIdx.x) = first + cell_of(row);
}

template <bool right>
__global__ void copy_barrier_unordered(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);  // line: copy_barrier_unordered init
        copy_row(row, cells, 0, arrived);
    }
    if (right) __syncthreads();
    arrived.wait(0);  // line: copy_barrier_unordered wait
    out(0, threadIdx.x) = cell_of(row);
}

template <bool right>
__global__ void copy_forgotten(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, 0, arrived);  // line: copy_forgotten
    }
    __syncthreads();
    if (right) arrived.wait(0);
    out(0, threadIdx.x) = threadIdx.x;
}

template <bool right>
__global__ void copy_misaligned(const Grid<int> cells, const Grid<int> out) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (threadIdx.x == 0) {
        arrived.init(1);
        copy_row(row, cells, right ? 4 : 3, arrived);  // line: copy_misaligned
    }
    __syncthreads();
    arrived.wait(0);
    out(0, threadIdx.x) = cell_of(row);
}

}  // namespace

CAMBER_TARGET_END
