// Measures request rates of an SM (L1, constants, textures, atomic additions) and of L2, and the
// bandwidth of blocks that each wait for one load, by the number of resident blocks.
#include <algorithm>
#include <stdexcept>

#include "harness/base/layout.hpp"
#include "harness/machine/cuda/ceiling_kernels.cuh"
#include "harness/machine/cuda/runtime_objects.hpp"

namespace camber::cuda {

using namespace ceiling;

namespace {

constexpr unsigned requests_per_loop = 16;  // independent requests of a warp
constexpr unsigned line_words = 32;
constexpr unsigned sector_words = 8;
constexpr unsigned window_lines = 64;  // 8 KiB, which always fit into L1

// A warp reads whole lines. The first line moves by `step` lines, which the compiler does not know,
// so that it cannot read lines only once.
__global__ void __launch_bounds__(block_threads)
    request_kernel(const std::uint32_t* __restrict__ set, unsigned loops, unsigned step,
                   std::uint32_t* sink) {
    const unsigned lane = threadIdx.x % warp_threads;
    std::uint32_t sum = 0;
    unsigned first = 0;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
        std::uint32_t values[requests_per_loop];
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i)
            values[i] = set[(first + i) * line_words + lane];
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i) sum ^= values[i];
        first = (first + step) % (window_lines - requests_per_loop);
    }
    keep(sum, sink);
}

// Lanes read adjacent lines, one sector of each.
__global__ void __launch_bounds__(block_threads)
    sector_kernel(const std::uint32_t* set, unsigned mask, unsigned loops, std::uint32_t* sink) {
    const unsigned threads = gridDim.x * block_threads;
    unsigned line = blockIdx.x * block_threads + threadIdx.x;
    std::uint32_t sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
        std::uint32_t values[requests_per_loop];
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i)
            values[i] = __ldcg(&set[std::size_t{(line + i * threads) & mask} * line_words]);
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i) sum ^= values[i];
        line += requests_per_loop * threads;
    }
    keep(sum, sink);
}

// Eight lanes store a sector, the next eight lanes a sector of the next line.
__global__ void __launch_bounds__(block_threads)
    sector_store_kernel(std::uint32_t* set, unsigned mask, unsigned loops) {
    const unsigned sectors = gridDim.x * block_threads / sector_words;
    const unsigned word = threadIdx.x % sector_words;
    unsigned line = (blockIdx.x * block_threads + threadIdx.x) / sector_words;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i)
            set[std::size_t{(line + i * sectors) & mask} * line_words + word] = k;
        line += requests_per_loop * sectors;
    }
}

constexpr unsigned constant_words = 256;
__constant__ std::uint32_t constants[constant_words];

// Each warp begins at a different word, so that the address is in a per-thread register, not a
// uniform one.
__global__ void __launch_bounds__(block_threads)
    constant_kernel(unsigned loops, std::uint32_t* sink) {
    unsigned first = threadIdx.x / warp_threads;
    std::uint32_t sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
        std::uint32_t values[requests_per_loop];
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i) values[i] = constants[first + i];
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i) sum ^= values[i];
        first = (first + 1) % (constant_words - requests_per_loop);
    }
    keep(sum, sink);
}

// Lanes fetch adjacent texels of a row, as kernels read cells of a board.
template <TextureShape shape>
__global__ void __launch_bounds__(block_threads)
    texture_kernel(cudaTextureObject_t texture, unsigned loops, unsigned step,
                   std::uint32_t* sink) {
    const unsigned lane = threadIdx.x % warp_threads;
    std::uint32_t sum = 0;
    unsigned first = 0;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
        std::uint32_t values[requests_per_loop];
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i) {
            if constexpr (shape == TextureShape::linear)
                values[i] = tex1Dfetch<std::uint32_t>(
                    texture, static_cast<int>((first + i) * line_words + lane));
            else
                values[i] = tex2D<std::uint32_t>(texture, static_cast<float>(lane) + 0.5f,
                                                 static_cast<float>(first + i) + 0.5f);
        }
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i) sum ^= values[i];
        first = (first + step) % (window_lines - requests_per_loop);
    }
    keep(sum, sink);
}

// Each lane adds to a different bank.
__global__ void __launch_bounds__(block_threads)
    shared_atomic_kernel(unsigned loops, std::uint32_t* sink) {
    __shared__ std::uint32_t words[block_threads];
    words[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
#pragma unroll
        for (unsigned i = 0; i < requests_per_loop; ++i)
            atomicAdd(&words[(threadIdx.x + i * warp_threads) % block_threads], k);
    }
    __syncthreads();
    keep(words[threadIdx.x], sink);
}

__global__ void __launch_bounds__(block_threads)
    global_atomic_kernel(std::uint32_t* words, unsigned mask, unsigned loops) {
    unsigned at = blockIdx.x * block_threads + threadIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < loops; ++k) {
        atomicAdd(&words[at & mask], 1u);
        at += gridDim.x * block_threads;
    }
}

double warps_of(unsigned blocks) {
    return static_cast<double>(blocks) * block_threads / warp_threads;
}

unsigned mask_of_lines(std::size_t bytes) {
    const std::size_t lines = bytes / (line_words * sizeof(std::uint32_t));
    if (lines == 0 || (lines & (lines - 1)) != 0)
        throw std::logic_error("requests of L2 go to 2^n lines");
    return static_cast<unsigned>(lines - 1);
}

template <TextureShape shape>
double enqueue_fetches_from(const CeilingTarget& target, const void* set, unsigned loops) {
    const auto kernel = texture_kernel<shape>;
    const unsigned blocks = one_wave(target, kernel);
    const Layout layout = Layout::make(line_words, window_lines, 0, 128, sizeof(std::uint32_t));
    const TextureObject texture(set, cudaCreateChannelDesc<std::uint32_t>(), sizeof(std::uint32_t),
                                layout, shape, Addressing::clamp);
    launch(target, kernel, blocks, texture.native(), loops, 1u, sink(target));
    // The texture must outlive the kernel.
    check(cudaStreamSynchronize(stream(target)), "measuring texture fetches");
    return warps_of(blocks) * warp_threads * requests_per_loop * loops;
}

}  // namespace

double enqueue_l1_requests(const CeilingTarget& target, const void* set, unsigned loops) {
    const unsigned blocks = one_wave(target, request_kernel);
    launch(target, request_kernel, blocks, static_cast<const std::uint32_t*>(set), loops, 1u,
           sink(target));
    return warps_of(blocks) * requests_per_loop * loops;
}

double enqueue_l2_requests(const CeilingTarget& target, const void* set, std::size_t bytes,
                           unsigned loops) {
    const unsigned blocks = one_wave(target, sector_kernel);
    launch(target, sector_kernel, blocks, static_cast<const std::uint32_t*>(set),
           mask_of_lines(bytes), loops, sink(target));
    return static_cast<double>(blocks) * block_threads * requests_per_loop * loops;
}

double enqueue_l2_stores(const CeilingTarget& target, void* set, std::size_t bytes,
                         unsigned loops) {
    const unsigned blocks = one_wave(target, sector_store_kernel);
    launch(target, sector_store_kernel, blocks, static_cast<std::uint32_t*>(set),
           mask_of_lines(bytes), loops);
    return static_cast<double>(blocks) * block_threads / sector_words * requests_per_loop * loops;
}

double enqueue_constant_loads(const CeilingTarget& target, unsigned loops) {
    const unsigned blocks = one_wave(target, constant_kernel);
    launch(target, constant_kernel, blocks, loops, sink(target));
    return warps_of(blocks) * requests_per_loop * loops;
}

double enqueue_fetches(const CeilingTarget& target, const void* set, bool linear, unsigned loops) {
    return linear ? enqueue_fetches_from<TextureShape::linear>(target, set, loops)
                  : enqueue_fetches_from<TextureShape::pitched>(target, set, loops);
}

double enqueue_shared_atomics(const CeilingTarget& target, unsigned loops) {
    const unsigned blocks = one_wave(target, shared_atomic_kernel);
    launch(target, shared_atomic_kernel, blocks, loops, sink(target));
    return static_cast<double>(blocks) * block_threads * requests_per_loop * loops;
}

double enqueue_global_atomics(const CeilingTarget& target, void* memory, std::size_t bytes,
                              unsigned loops) {
    const std::size_t words = bytes / sizeof(std::uint32_t);
    if (words == 0 || (words & (words - 1)) != 0)
        throw std::logic_error("atomic additions go to 2^n words");
    const unsigned blocks = one_wave(target, global_atomic_kernel);
    launch(target, global_atomic_kernel, blocks, static_cast<std::uint32_t*>(memory),
           static_cast<unsigned>(words - 1), loops);
    return static_cast<double>(blocks) * block_threads * loops;
}

// Measures memory latency with few and with many blocks that each wait for one load.

using namespace ceiling;

namespace {

constexpr std::size_t row_bytes = std::size_t{64} << 10;
constexpr unsigned read_bytes = block_threads * sizeof(uint2);  // per block

// Reads a piece of each of `pieces` rows with 8 bytes per thread, and with `copies` also writes
// them.
template <unsigned pieces, bool copies>
__global__ void __launch_bounds__(block_threads)
    pieces_kernel(const uint2* from, uint2* to, std::uint32_t* sink) {
    constexpr unsigned piece_vectors = block_threads / pieces;
    constexpr unsigned row_vectors = row_bytes / sizeof(uint2);
    constexpr unsigned blocks_of_band = row_vectors / piece_vectors;
    const std::size_t row =
        std::size_t{blockIdx.x / blocks_of_band} * pieces + threadIdx.x / piece_vectors;
    const std::size_t at = row * row_vectors + blockIdx.x % blocks_of_band * piece_vectors +
                           threadIdx.x % piece_vectors;
    const uint2 vector = __ldcg(from + at);
    if constexpr (copies)
        to[at] = vector;
    else if ((vector.x & vector.y) == 0xffffffffu)  // never true: noise_word() has no such pattern
        sink[threadIdx.x] = vector.x;
}

template <unsigned pieces>
double enqueue_pieces_of(const CeilingTarget& target, bool copies, void* memory, std::size_t bytes,
                         unsigned places, unsigned repeats) {
    const std::size_t length = copied_in_pieces(bytes);
    if (length == 0) return 0;
    const auto* const from = static_cast<const uint2*>(memory);
    auto* const to = static_cast<uint2*>(memory) + length / sizeof(uint2);
    const auto kernel = copies ? pieces_kernel<pieces, true> : pieces_kernel<pieces, false>;
    for (unsigned repeat = 0; repeat < repeats; ++repeat)
        launch_in_places(target, kernel, static_cast<unsigned>(length / read_bytes), block_threads,
                         places, from, to, sink(target));
    return (copies ? 2.0 : 1.0) * static_cast<double>(length) * repeats;
}

}  // namespace

std::size_t copied_in_pieces(std::size_t bytes) {
    constexpr std::size_t band_bytes = most_pieces * row_bytes;
    return bytes / 2 / band_bytes * band_bytes;
}

double enqueue_pieces(const CeilingTarget& target, bool copies, void* memory, std::size_t bytes,
                      const Pieces& pieces, unsigned repeats) {
    switch (pieces.of_block) {
        case 8:
            return enqueue_pieces_of<8>(target, copies, memory, bytes, pieces.places, repeats);
        case most_pieces:
            return enqueue_pieces_of<most_pieces>(target, copies, memory, bytes, pieces.places,
                                                  repeats);
        default:
            throw std::logic_error("a number of pieces without a kernel");
    }
}

}  // namespace camber::cuda
