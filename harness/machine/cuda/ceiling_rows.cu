// Measures memory bandwidth for blocks that go down rows at distant addresses.
#include "harness/machine/cuda/ceiling_kernels.cuh"

namespace camber::cuda {

using namespace ceiling;

namespace {

constexpr unsigned strips = 16;
constexpr unsigned row_vectors = strips * block_threads;  // 64 KiB
constexpr std::size_t row_bytes = row_vectors * sizeof(uint4);

// Neighboring blocks have neighboring strips of the same rows.
__global__ void __launch_bounds__(block_threads)
    descend_kernel(const uint4* from, uint4* to, unsigned rows) {
    const std::size_t band = blockIdx.x / strips;
    std::size_t at = band * rows * row_vectors + blockIdx.x % strips * block_threads + threadIdx.x;
#pragma unroll 1
    for (unsigned row = 0; row < rows; ++row, at += row_vectors) to[at] = __ldcg(from + at);
}

}  // namespace

std::size_t descended_bytes(std::size_t bytes) {
    constexpr std::size_t band_bytes = descended_rows * row_bytes;
    return bytes / 2 / band_bytes * band_bytes;
}

double enqueue_descents(const CeilingTarget& target, void* memory, std::size_t bytes,
                        unsigned repeats) {
    const std::size_t length = descended_bytes(bytes);
    const auto bands = static_cast<unsigned>(length / (descended_rows * row_bytes));
    if (bands == 0) return 0;
    auto* const from = static_cast<uint4*>(memory);
    for (unsigned repeat = 0; repeat < repeats; ++repeat)
        launch(target, descend_kernel, bands * strips, static_cast<const uint4*>(from),
               from + length / sizeof(uint4), descended_rows);
    return 2.0 * static_cast<double>(length) * repeats;
}

}  // namespace camber::cuda
