#pragma once
// Larger than Life on tensor cores; every warp loads its cells itself.
#include "variants/life/larger_than_life/band_products.hpp"

// tensor_cores: the radius only affects the bands, so the work is the same at all radii. 64 x 32 cells take 80
// products of 16 x 32 by 32 x 8: 160 multiply-adds per cell, of which an H200 performs at most 990
// T per second, and about nine other instructions per cell, a third of them for the rule. A cell is
// loaded once by the warp that computes it and kept until its row is computed; half as many columns
// are loaded beside a warp's own. An H200 issues in 48 % of the slots; L2 is busy for 71 % of the
// time, with one and a half loads and a store per cell, and DRAM for 52 %.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

// Launch bound: four blocks per SM, so that a thread has 128 registers and spills nothing.
__global__ void __launch_bounds__(128, 4)
    tensor_cores_kernel(const Views<LargerThanLife> views, const BandProducts with) {
    constexpr int columns = BandShape::columns;
    __shared__ Bands::Storage storage;
    const Bands bands(storage);
    bands.fill(with.radius);
    __syncthreads();
    const int column = (blockIdx.x * blockDim.y + threadIdx.y) * columns;
    const int first = blockIdx.y * with.rows;
    const int end = first + with.rows < views.rows ? first + with.rows : views.rows;
    if (column >= views.columns) return;
    if (column + columns <= views.columns) {
        const LoadedCells<Fit::exact> cells(views, column);
        BandProductsWarp<Fit::exact, decltype(cells)>(views, with, bands, column, cells)
            .run(first, end);
    } else {
        const LoadedCells<Fit::overhang> cells(views, column);
        BandProductsWarp<Fit::overhang, decltype(cells)>(views, with, bands, column, cells)
            .run(first, end);
    }
}

// Launch bound: four blocks per SM, so that a thread has 128 registers and spills nothing.
__global__ void __launch_bounds__(128, 5)
    tensor_cores_5_kernel(const Views<LargerThanLife> views, const BandProducts with) {
    constexpr int columns = BandShape::columns;
    __shared__ Bands::Storage storage;
    const Bands bands(storage);
    bands.fill(with.radius);
    __syncthreads();
    const int column = (blockIdx.x * blockDim.y + threadIdx.y) * columns;
    const int first = blockIdx.y * with.rows;
    const int end = first + with.rows < views.rows ? first + with.rows : views.rows;
    if (column >= views.columns) return;
    if (column + columns <= views.columns) {
        const LoadedCells<Fit::exact> cells(views, column);
        BandProductsWarp<Fit::exact, decltype(cells)>(views, with, bands, column, cells)
            .run(first, end);
    } else {
        const LoadedCells<Fit::overhang> cells(views, column);
        BandProductsWarp<Fit::overhang, decltype(cells)>(views, with, bands, column, cells)
            .run(first, end);
    }
}

struct TensorCores {
    static constexpr TechniqueInfo info{
        "tensor_cores", "sums as products with band matrices on tensor cores, cells in registers",
        "after Navarro et al. 2024 (CAT)", Family::register_streaming};

    static void add(Catalogue<LargerThanLife>& catalogue) {
        for (const int rows : {64, 128, 512, 1024})
            catalogue.add(band_products_plan(
                info, rows, "", tensor_cores_kernel, Bands::bytes,
                {multiply_add_capability, "tensor cores that multiply bytes"}));
    }
};

CAMBER_TARGET_END

