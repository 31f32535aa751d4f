#include "harness/cuda/delivery.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "harness/cuda/arrivals.cuh"
#include "harness/cuda/check.hpp"

namespace camber::cuda {

namespace {

// A transfer in words.
struct Move {
    std::byte* to;
    const std::byte* from;
    std::size_t to_pitch;
    std::size_t from_pitch;
    unsigned words;  // of a row
    unsigned rows;
};
struct Moves {
    Move move[most_transfers];
    int count = 0;
};

template <class Word>
__global__ void deliver_kernel(const Moves moves, std::uint32_t* arrivals, std::uint32_t* done) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < moves.count; ++i) {
        const Move& move = moves.move[i];
        for (unsigned row = 0; row < move.rows; ++row) {
            auto* const to = reinterpret_cast<Word*>(move.to + row * move.to_pitch);
            const auto* const from =
                reinterpret_cast<const Word*>(move.from + row * move.from_pitch);
            for (unsigned word = thread; word < move.words; word += threads) to[word] = from[word];
        }
    }
    // All stores of all blocks come before the count, for every device.
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) announce(done, gridDim.x, arrivals);
}

__global__ void await_kernel(const std::uint32_t* arrivals, std::uint32_t* taken) {
    const std::uint32_t next = *taken + 1;
    wait_for(arrivals, next);
    *taken = next;
}

std::size_t address(const void* memory) {
    return reinterpret_cast<std::size_t>(memory);
}

}  // namespace

void deliver(void* stream, std::span<const Transfer> transfers, std::uint32_t* arrivals,
             std::uint32_t* done) {
    if (transfers.size() > most_transfers)
        throw std::logic_error("a delivery of more than 8 transfers");
    // The largest word that all addresses, pitches and widths are multiples of.
    std::size_t unit = sizeof(uint4);
    for (const Transfer& transfer : transfers)
        for (const std::size_t value :
             {address(transfer.to), address(transfer.from), transfer.to_pitch, transfer.from_pitch,
              transfer.shape.width})
            unit = std::gcd(unit, value);
    Moves moves;
    std::size_t words = 0;
    for (const Transfer& transfer : transfers) {
        moves.move[moves.count++] = {static_cast<std::byte*>(transfer.to),
                                     static_cast<const std::byte*>(transfer.from),
                                     transfer.to_pitch,
                                     transfer.from_pitch,
                                     static_cast<unsigned>(transfer.shape.width / unit),
                                     static_cast<unsigned>(transfer.shape.rows)};
        words = std::max(words, transfer.shape.width / unit);
    }
    constexpr unsigned threads = 256;
    // A few words a thread: more blocks would have to be waited for.
    const auto blocks = static_cast<unsigned>(
        std::clamp<std::size_t>((words + 2 * threads - 1) / (2 * threads), 1, 32));
    const auto launch = [&]<class Word>(Word) {
        deliver_kernel<Word>
            <<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(moves, arrivals, done);
    };
    switch (unit) {
        case 16:
            launch(uint4{});
            break;
        case 8:
            launch(std::uint64_t{});
            break;
        case 4:
            launch(std::uint32_t{});
            break;
        case 2:
            launch(std::uint16_t{});
            break;
        default:
            launch(std::uint8_t{});
    }
    check(cudaGetLastError(), "storing rows into a neighbour's memory");
}

void await(void* stream, const std::uint32_t* arrivals, std::uint32_t* taken) {
    await_kernel<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(arrivals, taken);
    check(cudaGetLastError(), "waiting for a neighbour's rows");
}

}  // namespace camber::cuda
