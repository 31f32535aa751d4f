// Measures memory latency with few and with many blocks that each wait for one load.
#include <algorithm>
#include <stdexcept>

#include "harness/machine/cuda/launch_in_places.cuh"

namespace camber::cuda {

using namespace ceiling;

namespace {

constexpr std::size_t row_bytes = std::size_t{64} << 10;
constexpr unsigned read_bytes = block_threads * sizeof(uint2);  // of a block

// A piece of each of so many rows: its threads read 8 bytes each, and write them where they copy.
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
    else if ((vector.x & vector.y) == 0xffffffffu)  // never: noise_word() is no such pattern
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
