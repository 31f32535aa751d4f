#include "harness/cuda/fill.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "harness/cuda/check.hpp"

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
};

// An area for each y of the grid, rows for each x, words of a row for each thread.
template <class Word>
__global__ void fill_areas_kernel(const AreaList list, const Word value) {
    const ByteArea& area = list.areas[blockIdx.y];
    const auto words = static_cast<unsigned>(area.width / sizeof(Word));
    const auto in_row = static_cast<unsigned>(area.pieces) * words;
    for (std::size_t row = blockIdx.x; row < area.rows; row += gridDim.x) {
        char* const first = static_cast<char*>(area.first) + row * area.pitch;
        for (unsigned i = threadIdx.x; i < in_row; i += blockDim.x) {
            char* const piece = first + (i / words) * area.stride;
            reinterpret_cast<Word*>(piece)[i % words] = value;
        }
    }
}

template <class Word>
void launch_fill_areas(void* stream, std::span<const ByteArea> areas, std::byte byte) {
    AreaList list{};
    std::ranges::copy(areas, list.areas);
    Word value;
    std::memset(&value, std::to_integer<int>(byte), sizeof value);
    const dim3 grid(256, static_cast<unsigned>(areas.size()));
    fill_areas_kernel<<<grid, 256, 0, static_cast<cudaStream_t>(stream)>>>(list, value);
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

void fill_bytes(void* stream, std::span<const ByteArea> areas, std::byte value) {
    for (; !areas.empty(); areas = areas.subspan(std::min(areas.size(), AreaList::capacity))) {
        const auto some = areas.first(std::min(areas.size(), AreaList::capacity));
        if (in_words(some, sizeof(uint4)))
            launch_fill_areas<uint4>(stream, some, value);
        else if (in_words(some, sizeof(std::uint64_t)))
            launch_fill_areas<std::uint64_t>(stream, some, value);
        else if (in_words(some, sizeof(std::uint32_t)))
            launch_fill_areas<std::uint32_t>(stream, some, value);
        else
            launch_fill_areas<std::uint8_t>(stream, some, value);
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
