#include "harness/machine/cuda/fill.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "harness/machine/cuda/check.hpp"

namespace camber::cuda {

namespace {

template <class T>
__global__ void fill_kernel(T* memory, std::size_t count, T value) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
        memory[i] = value;
}

template <class T>
void launch_fill(void* stream, void* memory, std::size_t count, const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    fill_kernel<<<1024, 256, 0, static_cast<cudaStream_t>(stream)>>>(static_cast<T*>(memory), count,
                                                                     value);
    check(cudaGetLastError(), "filling a field");
}

// As a kernel's argument.
struct AreaList {
    static constexpr std::size_t capacity = 32;
    ByteArea areas[capacity];
    std::uint64_t patterns[capacity];  // poison of each area, from the start of a piece on
};

// The bytes of `pattern`, again and again, from byte `first` of a piece on.
template <class Word>
__device__ Word repeated(std::uint64_t pattern, std::size_t first) {
    if constexpr (sizeof(Word) > poison_period) {
        const auto low = static_cast<unsigned>(pattern);
        const auto high = static_cast<unsigned>(pattern >> 32);
        return make_uint4(low, high, low, high);
    } else {
        return static_cast<Word>(pattern >> (8 * (first % poison_period)));
    }
}

// Grid: an area for each y; rows along x; the words of a row along the threads and z.
template <class Word>
__global__ void poison_kernel(const AreaList list) {
    const ByteArea& area = list.areas[blockIdx.y];
    const std::uint64_t pattern = list.patterns[blockIdx.y];
    const auto words = static_cast<unsigned>(area.width / sizeof(Word));
    const auto in_row = static_cast<unsigned>(area.pieces) * words;
    const unsigned stride = gridDim.z * blockDim.x;
    for (std::size_t row = blockIdx.x; row < area.rows; row += gridDim.x) {
        char* const first = static_cast<char*>(area.first) + row * area.pitch;
        for (unsigned i = blockIdx.z * blockDim.x + threadIdx.x; i < in_row; i += stride) {
            char* const piece = first + (i / words) * area.stride;
            reinterpret_cast<Word*>(piece)[i % words] =
                repeated<Word>(pattern, (i % words) * sizeof(Word));
        }
    }
}

template <class Word>
void launch_poison(void* stream, std::span<const ByteArea> areas, Poison poison) {
    AreaList list{};
    std::size_t most_rows = 1;
    for (std::size_t i = 0; i < areas.size(); ++i) {
        list.areas[i] = areas[i];
        list.patterns[i] = poison_pattern(areas[i].element, poison);
        most_rows = std::max(most_rows, areas[i].rows);
    }
    // About 256 blocks for each area: rows, or parts of a few long ones.
    const auto across = static_cast<unsigned>(std::min<std::size_t>(most_rows, 256));
    const dim3 grid(across, static_cast<unsigned>(areas.size()), 256 / across);
    poison_kernel<Word><<<grid, 256, 0, static_cast<cudaStream_t>(stream)>>>(list);
    check(cudaGetLastError(), "poisoning fields");
}

// True if `word` divides all addresses of the areas and the lengths of their pieces.
bool in_words(std::span<const ByteArea> areas, std::size_t word) {
    return std::ranges::all_of(areas, [word](const ByteArea& area) {
        const auto address = reinterpret_cast<std::uintptr_t>(area.first);
        return (address | area.pitch | area.width | area.stride) % word == 0;
    });
}

}  // namespace

void poison(void* stream, std::span<const ByteArea> areas, Poison poison) {
    for (; !areas.empty(); areas = areas.subspan(std::min(areas.size(), AreaList::capacity))) {
        const auto some = areas.first(std::min(areas.size(), AreaList::capacity));
        if (in_words(some, sizeof(uint4)))
            launch_poison<uint4>(stream, some, poison);
        else if (in_words(some, sizeof(std::uint64_t)))
            launch_poison<std::uint64_t>(stream, some, poison);
        else if (in_words(some, sizeof(std::uint32_t)))
            launch_poison<std::uint32_t>(stream, some, poison);
        else
            launch_poison<std::uint8_t>(stream, some, poison);
    }
}

void fill(void* stream, void* memory, std::size_t count, std::span<const std::byte> value) {
    switch (value.size()) {
        case 1:
            return launch_fill<std::uint8_t>(stream, memory, count, value.data());
        case 2:
            return launch_fill<std::uint16_t>(stream, memory, count, value.data());
        case 4:
            return launch_fill<std::uint32_t>(stream, memory, count, value.data());
        case 8:
            return launch_fill<std::uint64_t>(stream, memory, count, value.data());
        case 16:
            return launch_fill<uint4>(stream, memory, count, value.data());
    }
    throw std::logic_error("an element has 1, 2, 4, 8 or 16 bytes");
}

}  // namespace camber::cuda
