// Measures bandwidths of DRAM, L2, L1 and shared memory, and DRAM bandwidth for blocks that descend
// through rows at distant addresses.
#include <algorithm>
#include <stdexcept>

#include "harness/machine/cuda/ceiling_kernels.cuh"

namespace camber::cuda {

using namespace ceiling;

namespace {

// Independent 16-byte accesses per thread. 64 warps per SM with 4 loads each have 128 KiB in
// flight, four times the latency-bandwidth product of an H200's DRAM.
constexpr unsigned accesses = 4;
constexpr unsigned tile_vectors = accesses * block_threads;
constexpr std::size_t tile_bytes = tile_vectors * sizeof(uint4);

__device__ uint4 noise_vector(std::uint32_t first) {
    return {noise(first), noise(first + 1), noise(first + 2), noise(first + 3)};
}

__device__ void fold(uint4& sum, const uint4& value) {
    sum.x ^= value.x;
    sum.y ^= value.y;
    sum.z ^= value.z;
    sum.w ^= value.w;
}

__device__ std::uint32_t folded(const uint4& value) {
    return value.x ^ value.y ^ value.z ^ value.w;
}

__global__ void noise_kernel(uint4* memory, std::size_t vectors) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < vectors;
         i += stride)
        memory[i] = noise_vector(static_cast<std::uint32_t>(4 * i));
}

__device__ float triad(float left, float right) {
    return __fmaf_rn(triad_factor, right, left);
}

__device__ float4 triad(const float4& left, const float4& right) {
    return {triad(left.x, right.x), triad(left.y, right.y), triad(left.z, right.z),
            triad(left.w, right.w)};
}

// Visits tiles in turn, `visits` times in all. All loads bypass L1, which would cache small working
// sets.
template <Traffic kind>
__global__ void __launch_bounds__(block_threads)
    traffic_kernel(uint4* first, unsigned tiles, unsigned visits, std::uint32_t* sink) {
    const std::size_t length = std::size_t{tiles} * tile_vectors;
    const unsigned step = gridDim.x % tiles;
    unsigned tile = blockIdx.x % tiles;
    uint4 sum{};
#pragma unroll 1
    for (unsigned visit = blockIdx.x; visit < visits; visit += gridDim.x) {
        uint4* const at = first + std::size_t{tile} * tile_vectors + threadIdx.x;
        if constexpr (kind == Traffic::write) {
            const std::uint32_t word = (tile * tile_vectors + threadIdx.x + visit) * 0x9e3779b9u;
#pragma unroll
            for (unsigned i = 0; i < accesses; ++i)
                at[i * block_threads] = {word + i, ~word, word ^ 0x5bd1e995u, word * 5};
        } else if constexpr (kind == Traffic::triad) {
            const auto* left = reinterpret_cast<const float4*>(at + length);
            const auto* right = reinterpret_cast<const float4*>(at + 2 * length);
            auto* to = reinterpret_cast<float4*>(at);
            float4 lefts[accesses];
            float4 rights[accesses];
#pragma unroll
            for (unsigned i = 0; i < accesses; ++i) {
                lefts[i] = __ldcg(left + i * block_threads);
                rights[i] = __ldcg(right + i * block_threads);
            }
#pragma unroll
            for (unsigned i = 0; i < accesses; ++i)
                to[i * block_threads] = triad(lefts[i], rights[i]);
        } else {
            uint4 values[accesses];
#pragma unroll
            for (unsigned i = 0; i < accesses; ++i) values[i] = __ldcg(at + i * block_threads);
#pragma unroll
            for (unsigned i = 0; i < accesses; ++i) {
                if constexpr (kind == Traffic::read) fold(sum, values[i]);
                if constexpr (kind == Traffic::copy) at[length + i * block_threads] = values[i];
            }
        }
        tile += step;
        if (tile >= tiles) tile -= tiles;
    }
    if constexpr (kind == Traffic::read) keep(folded(sum), sink);
}

// The window moves by `step`, which the compiler does not know: it could read a window that does
// not move, or moves by a known step, only once.
constexpr unsigned window_moves = block_threads;  // a power of two
constexpr unsigned set_vectors = tile_vectors + window_moves;
static_assert(l1_set_bytes == set_vectors * sizeof(uint4));

__device__ std::uint32_t read_set(const uint4* set, unsigned iterations, unsigned step) {
    uint4 sum{};
    unsigned offset = 0;
#pragma unroll 1
    for (unsigned k = 0; k < iterations; ++k) {
        const uint4* at = set + offset + threadIdx.x;
        uint4 values[accesses];
#pragma unroll
        for (unsigned i = 0; i < accesses; ++i) values[i] = at[i * block_threads];
#pragma unroll
        for (unsigned i = 0; i < accesses; ++i) fold(sum, values[i]);
        offset = (offset + step) % window_moves;
    }
    return folded(sum);
}

__global__ void __launch_bounds__(block_threads)
    shared_kernel(unsigned iterations, unsigned step, std::uint32_t* sink) {
    __shared__ uint4 set[set_vectors];
    for (unsigned i = threadIdx.x; i < set_vectors; i += block_threads)
        set[i] = noise_vector(4 * i);
    __syncthreads();
    keep(read_set(set, iterations, step), sink);
}

__global__ void __launch_bounds__(block_threads)
    l1_kernel(const uint4* __restrict__ set, unsigned iterations, unsigned step,
              std::uint32_t* sink) {
    keep(read_set(set, iterations, step), sink);
}

double bytes_read(unsigned blocks, unsigned iterations) {
    return static_cast<double>(blocks) * tile_bytes * iterations;
}

unsigned arrays(Traffic kind) {
    return kind == Traffic::triad ? 3 : kind == Traffic::copy ? 2 : 1;
}

}  // namespace

std::size_t sink_bytes(int sm_count) {
    return static_cast<std::size_t>(sm_count) * most_blocks_per_sm *
           (block_threads / warp_threads) * sizeof(std::uint32_t);
}

void enqueue_noise(const CeilingTarget& target, void* memory, std::size_t bytes) {
    launch(target, noise_kernel, one_wave(target, noise_kernel), static_cast<uint4*>(memory),
           bytes / sizeof(uint4));
}

std::uint32_t noise_word(std::uint32_t index) {
    return noise(index);
}

std::size_t array_bytes(Traffic kind, std::size_t bytes) {
    return bytes / arrays(kind) / tile_bytes * tile_bytes;
}

double enqueue_traffic(const CeilingTarget& target, Traffic kind, void* memory, std::size_t bytes,
                       unsigned passes) {
    const std::size_t tiles = array_bytes(kind, bytes) / tile_bytes;
    const std::size_t visits = tiles * passes;
    if (visits == 0 || visits >= std::size_t{1} << 31)
        throw std::logic_error("a working set is gone through in 1 to 2^31 - 1 tiles");
    const std::size_t most = static_cast<std::size_t>(target.sm_count) * most_blocks_per_sm;
    // Many waves, so that the hardware balances the SMs; an odd number, so that a block visits all
    // tiles of a set of 2^n instead of returning to the same one.
    const auto blocks = static_cast<unsigned>((std::min(visits, most) - 1) | 1);
    const auto kernel = kind == Traffic::copy    ? traffic_kernel<Traffic::copy>
                        : kind == Traffic::read  ? traffic_kernel<Traffic::read>
                        : kind == Traffic::write ? traffic_kernel<Traffic::write>
                                                 : traffic_kernel<Traffic::triad>;
    launch(target, kernel, blocks, static_cast<uint4*>(memory), static_cast<unsigned>(tiles),
           static_cast<unsigned>(visits), sink(target));
    return static_cast<double>(visits) * tile_bytes * arrays(kind);
}

double enqueue_shared_reads(const CeilingTarget& target, unsigned iterations) {
    const unsigned blocks = one_wave(target, shared_kernel);
    launch(target, shared_kernel, blocks, iterations, warp_threads, sink(target));
    return bytes_read(blocks, iterations);
}

double enqueue_l1_reads(const CeilingTarget& target, const void* set, unsigned iterations) {
    const unsigned blocks = one_wave(target, l1_kernel);
    launch(target, l1_kernel, blocks, static_cast<const uint4*>(set), iterations, warp_threads,
           sink(target));
    return bytes_read(blocks, iterations);
}

// DRAM bandwidth for blocks that descend through rows at distant addresses

using namespace ceiling;

namespace {

constexpr unsigned strips = 16;
constexpr unsigned row_vectors = strips * block_threads;  // 64 KiB
constexpr std::size_t row_bytes = row_vectors * sizeof(uint4);

// Neighboring blocks process neighboring strips of the same rows.
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
