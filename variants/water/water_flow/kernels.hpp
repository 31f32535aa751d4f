// The kernels of a water-flow step: one thread per cell, blocks of 16x16. Topa and Mlocek 2013,
// Listings 1 and 2 (global memory) and section 3 (shared memory).
//
// Fields have a halo of one cell, which holds what rule.hpp says lies outside, so that no address
// depends on the edge.
#pragma once

#include "variants/water/water_flow/buffer.hpp"
#include "workloads/water/water_flow/rule.hpp"

CAMBER_WORKLOAD_BEGIN(water_flow)

// True if a cell of a block is in the field; a block that overhangs the field has other cells.
template <Fit fit, class T>
CAMBER_DEVICE bool in_field(const Grid<T>& field, int row, int column) {
    return fit == Fit::exact || (row < field.rows() && column < field.columns());
}

template <class T, Fit fit>
__global__ void best_levels_global(const Grid<const T> terrain, const Grid<const T> level,
                                   const Grid<T> best_levels) {
    const int row = blockIdx.y * water_flow_block + threadIdx.y;
    const int column = blockIdx.x * water_flow_block + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const T ground = terrain(row, column);
    const T own = level(row, column);
    const T up = level(row - 1, column);
    const T left = level(row, column - 1);
    const T right = level(row, column + 1);
    const T down = level(row + 1, column);
    best_levels(row, column) = water_flow::best_level(ground, own, up, left, right, down);
}

// In place: the only level that a thread reads is the one that it writes.
template <class T, Fit fit>
__global__ void distribute_global(const Grid<const T> terrain, const Grid<const T> sources,
                                  const Grid<const T> best_levels, const Grid<T> level) {
    const int row = blockIdx.y * water_flow_block + threadIdx.y;
    const int column = blockIdx.x * water_flow_block + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const T ground = terrain(row, column);
    const T own = level(row, column);
    const T source = sources(row, column);
    const T best = best_levels(row, column);
    const T up = best_levels(row - 1, column);
    const T left = best_levels(row, column - 1);
    const T right = best_levels(row, column + 1);
    const T down = best_levels(row + 1, column);
    level(row, column) =
        water_flow::distributed_level(own, ground, source, best, up, left, right, down);
}

// The neighbors' levels come from the buffer.
template <class T, int Width, Fit fit>
__global__ void best_levels_shared(const Grid<const T> terrain, const Grid<const T> level,
                                   const Grid<T> best_levels) {
    __shared__ WaterFlowBuffer<T, Width> buffer;
    const int first_row = blockIdx.y * water_flow_block;
    const int first_column = blockIdx.x * water_flow_block;
    stage_with_edges<fit, T, Width>(level, buffer, first_row, first_column);

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const int r = threadIdx.y + 1;
    const int c = threadIdx.x + 1;
    const T ground = terrain(row, column);
    const T own = buffer(r, c);
    const T up = buffer(r - 1, c);
    const T left = buffer(r, c - 1);
    const T right = buffer(r, c + 1);
    const T down = buffer(r + 1, c);
    best_levels(row, column) = water_flow::best_level(ground, own, up, left, right, down);
}

// The best levels come from the buffer.
template <class T, int Width, Fit fit>
__global__ void distribute_shared(const Grid<const T> terrain, const Grid<const T> sources,
                                  const Grid<const T> best_levels, const Grid<T> level) {
    __shared__ WaterFlowBuffer<T, Width> buffer;
    const int first_row = blockIdx.y * water_flow_block;
    const int first_column = blockIdx.x * water_flow_block;
    stage_with_edges<fit, T, Width>(best_levels, buffer, first_row, first_column);

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const int r = threadIdx.y + 1;
    const int c = threadIdx.x + 1;
    const T ground = terrain(row, column);
    const T own = level(row, column);
    const T source = sources(row, column);
    const T best = buffer(r, c);
    const T up = buffer(r - 1, c);
    const T left = buffer(r, c - 1);
    const T right = buffer(r, c + 1);
    const T down = buffer(r + 1, c);
    level(row, column) =
        water_flow::distributed_level(own, ground, source, best, up, left, right, down);
}

CAMBER_TARGET_END
