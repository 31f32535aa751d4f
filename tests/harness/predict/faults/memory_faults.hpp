// Faults in shared and global memory, and at a block barrier.
#pragma once

#include "harness/machine/kernel/vocabulary.hpp"
#include "tests/harness/predict/faults/block.hpp"

CAMBER_TARGET_BEGIN

namespace {

template <bool right>
__global__ void shared_write_read(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;  // line: shared_write_read store
    if (right) __syncthreads();
    out(0, threadIdx.x) = tile(0, (threadIdx.x + 32) % threads);  // line: shared_write_read load
}

template <bool right>
__global__ void shared_write_write(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, right ? threadIdx.x : threadIdx.x / 2) = threadIdx.x;  // line: shared_write_write
    __syncthreads();
    out(0, threadIdx.x) = tile(0, right ? threadIdx.x : threadIdx.x / 2);
}

template <bool right>
__global__ void shared_read_write(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = threadIdx.x;
    __syncthreads();
    const int next = tile(0, (threadIdx.x + 1) % threads);  // line: shared_read_write load
    if (right) __syncthreads();
    tile(0, threadIdx.x) = next;  // line: shared_read_write store
    out(0, threadIdx.x) = next;
}

// Lanes of one warp, which need __syncwarp() to be ordered.
template <bool right>
__global__ void shared_in_warp(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;  // line: shared_in_warp store
    if (right) __syncwarp();
    out(0, threadIdx.x) = tile(0, threadIdx.x ^ 1);  // line: shared_in_warp load
}

template <bool right>
__global__ void shared_unwritten(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    if (right || threadIdx.x != 5) tile(0, threadIdx.x) = 1;
    __syncthreads();
    out(0, threadIdx.x) = tile(0, threadIdx.x);  // line: shared_unwritten
}

template <bool right>
__global__ void shared_atomic_and_store(const Grid<int> out) {
    __shared__ Tile<int, 1, 1> sum;
    if (threadIdx.x == 0) sum(0, 0) = 0;
    __syncthreads();
    atomicAdd(&sum(0, 0), 1);                        // line: shared_atomic_and_store atomic
    if (!right && threadIdx.x == 40) sum(0, 0) = 7;  // line: shared_atomic_and_store store
    __syncthreads();
    out(0, threadIdx.x) = sum(0, 0);
}

template <bool right>
__global__ void blocks_write(const Grid<int> out) {
    const int cell = threadIdx.x + (right ? blockIdx.x * blockDim.x : 0);
    out(0, cell) = blockIdx.x;  // line: blocks_write
}

template <bool right>
__global__ void blocks_exchange(const Grid<int> cells, const Grid<int> out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Grid<int> to = right ? out : cells;
    const int next = cells(0, (i + 1) % (gridDim.x * blockDim.x));  // line: blocks_exchange load
    __syncthreads();
    to(0, i) = next;  // line: blocks_exchange store
}

template <bool right>
__global__ void threads_exchange(const Grid<int> cells, const Grid<int> out) {
    cells(0, threadIdx.x) = threadIdx.x;  // line: threads_exchange store
    if (right) __syncthreads();
    out(0, threadIdx.x) = cells(0, (threadIdx.x + 32) % threads);  // line: threads_exchange load
}

// A scatter: atomic operations on the neighbor's cell. Only the correct version uses one on the
// thread's own cell, too.
template <bool right>
__global__ void global_atomic_and_store(const Grid<int> out) {
    const int i = threadIdx.x;
    atomicAdd(&out(0, (i + 1) % threads), 1);  // line: global_atomic_and_store atomic
    if (right)
        atomicAdd(&out(0, i), -1);
    else
        out(0, i) = -1;  // line: global_atomic_and_store store
}

__global__ void copy(const Grid<int> from, const Grid<int> to) {
    to(0, threadIdx.x) = from(0, threadIdx.x);  // line: global_unwritten
}

template <bool right>
__global__ void leave_board(const Grid<int> out) {
    const int beyond = !right && threadIdx.x == 7 ? 10 : 0;
    out(0, threadIdx.x + threads * beyond) = 1;  // line: grid_out_of_bounds
}

template <bool right>
__global__ void leave_tile(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    const int beyond = !right && threadIdx.x == 7 ? 10 : 0;
    tile(beyond, threadIdx.x) = 1;  // line: tile_out_of_bounds
    out(0, threadIdx.x) = tile(beyond, threadIdx.x);
}

__global__ void load_pairs(const Grid<const float2> from, const Grid<float2> to) {
    const float2 pair = from(0, threadIdx.x);  // line: misaligned
    to(0, threadIdx.x) = pair;
}

template <bool right>
__global__ void part_at_barrier(const Grid<int> out) {
    if (!right && threadIdx.x >= 40) return;
    __syncthreads();  // line: barrier
    out(0, threadIdx.x) = 1;
}

}  // namespace

CAMBER_TARGET_END
