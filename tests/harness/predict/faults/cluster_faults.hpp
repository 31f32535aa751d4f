// Faults in clusters of two blocks.
#pragma once

#include "harness/machine/kernel/cluster.hpp"
#include "tests/harness/predict/faults/block.hpp"

CAMBER_TARGET_BEGIN

namespace {

// Each block reads the shared memory of the other.
template <bool right>
__global__ void cluster_write_read(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    const unsigned other = 1 - cluster_rank();
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    if (blockIdx.x == 1) tile(0, threadIdx.x) = 2;  // line: cluster_write_read store
    if (right) cluster_barrier();
    const int value =
        map_shared_rank(tile, other)(0, threadIdx.x);  // line: cluster_write_read load
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

// A block overwrites data that the other block still reads.
template <bool right>
__global__ void cluster_read_write(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    const unsigned other = 1 - cluster_rank();
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const int value =
        map_shared_rank(tile, other)(0, threadIdx.x);  // line: cluster_read_write load
    if (right)
        cluster_barrier();
    else
        __syncthreads();
    tile(0, threadIdx.x) = 2;  // line: cluster_read_write store
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

template <bool right>
__global__ void cluster_unwritten(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    if (right || blockIdx.x == 0) tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const int value = map_shared_rank(tile, 1)(0, threadIdx.x);  // line: cluster_unwritten
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

// A cluster barrier orders its blocks' accesses to global memory, too.
template <bool right>
__global__ void cluster_exchange(const Grid<int> cells, const Grid<int> out) {
    const int own = blockIdx.x * threads + threadIdx.x;
    cells(0, own) = own;  // line: cluster_exchange store
    if (right) cluster_barrier();
    out(0, own) = cells(0, (own + threads) % (2 * threads));  // line: cluster_exchange load
}

template <bool right>
__global__ void cluster_not_begun(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    if (right) cluster_barrier();
    map_shared_rank(tile, 1 - cluster_rank())(0, threadIdx.x) = 1;  // line: cluster_not_begun
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = tile(0, threadIdx.x);
}

template <bool right>
__global__ void cluster_has_ended(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const unsigned other = right || blockIdx.x == 1 ? cluster_rank() : 1;
    out(0, blockIdx.x * threads + threadIdx.x) =
        map_shared_rank(tile, other)(0, threadIdx.x);  // line: cluster_has_ended
}

template <bool right>
__global__ void cluster_no_such_rank(const Grid<int> out) {
    __shared__ Tile<int, 1, threads> tile;
    tile(0, threadIdx.x) = 1;
    cluster_barrier();
    const auto other = map_shared_rank(tile, right ? 1 : 2);  // line: cluster_no_such_rank
    const int value = other(0, threadIdx.x);
    cluster_barrier();
    out(0, blockIdx.x * threads + threadIdx.x) = value;
}

template <bool right>
__global__ void cluster_part_at_barrier(const Grid<int> out) {
    out(0, blockIdx.x * threads + threadIdx.x) = 1;
    if (!right && blockIdx.x == 1) return;
    cluster_barrier();  // line: cluster_part_at_barrier
}

}  // namespace

CAMBER_TARGET_END
