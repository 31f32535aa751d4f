// Kernels that store rows and numbers into other devices' memory, and kernels that wait for them.
#include "harness/machine/cuda/stream_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "harness/machine/cuda/arrivals.cuh"
#include "harness/machine/cuda/runtime_objects.hpp"

namespace camber::cuda {

namespace {

// A transfer in words.
struct Move {
    std::byte* to;
    const std::byte* from;
    std::size_t to_pitch;
    std::size_t from_pitch;
    unsigned words;  // per row
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
    // Makes all stores of all blocks visible to every device before the count.
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) announce(done, gridDim.x, arrivals);
}

__global__ void await_kernel(const std::uint32_t* arrivals, std::uint32_t* taken) {
    const std::uint32_t next = *taken + 1;
    wait_for(arrivals, next);
    *taken = next;
}

// Each thread sends to some devices and waits for them. A word and its round form one 8-byte store,
// which arrives as a whole: no fence or counter is needed.
__global__ void least_of_places_kernel(const PlacesNumber number) {
    __shared__ unsigned long long least;
    const std::uint32_t time = *number.turn + 1;
    if (threadIdx.x == 0) least = ~0ull;
    std::uint32_t words[2] = {};
    for (int word = 0; word < number.words; ++word)
        words[word] = static_cast<const std::uint32_t*>(number.number)[word];
    __syncthreads();
    const int first = static_cast<int>(threadIdx.x);
    const int step = static_cast<int>(blockDim.x);
    for (int to = first; to < number.places; to += step)
        for (int word = 0; word < number.words; ++word)
            store_whole(number.slots[to] + number.slot(time, number.place, word),
                        std::uint64_t{time} << 32 | words[word]);
    for (int from = first; from < number.places; from += step) {
        std::uint64_t bits = 0;
        for (int word = 0; word < number.words; ++word)
            bits |= (load_whole(number.slots[number.place] + number.slot(time, from, word), time) &
                     0xffffffffu)
                    << 32 * word;
        // The bit patterns of non-negative floating-point numbers have the same order as the
        // numbers.
        atomicMin(&least, static_cast<unsigned long long>(bits));
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int word = 0; word < number.words; ++word)
        static_cast<std::uint32_t*>(number.number)[word] =
            static_cast<std::uint32_t>(least >> 32 * word);
    *number.turn = time;
}

std::size_t address(const void* memory) {
    return reinterpret_cast<std::size_t>(memory);
}

}  // namespace

void deliver(void* stream, std::span<const Transfer> transfers, std::uint32_t* arrivals,
             std::uint32_t* done) {
    if (transfers.size() > most_transfers)
        throw std::logic_error("a delivery of more than 8 transfers");
    // The largest word size that divides all addresses, pitches and widths.
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
    // A few words per thread; more blocks would increase the waiting time.
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

void least_of_places(void* stream, const PlacesNumber& number) {
    const unsigned threads = std::clamp(static_cast<unsigned>(number.places), 32u, 256u);
    least_of_places_kernel<<<1, threads, 0, static_cast<cudaStream_t>(stream)>>>(number);
    check(cudaGetLastError(), "taking the least of all places' numbers");
}

void await(void* stream, const std::uint32_t* arrivals, std::uint32_t* taken) {
    await_kernel<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(arrivals, taken);
    check(cudaGetLastError(), "waiting for a neighbour's rows");
}

}  // namespace camber::cuda
