#include "harness/machine/cuda/stream_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "harness/machine/cuda/runtime_objects.hpp"

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

// Areas, passed as a kernel argument.
struct AreaList {
    static constexpr std::size_t capacity = 32;
    ByteArea areas[capacity];
    std::uint64_t patterns[capacity];  // poison of each area, from the start of a piece
};

// Returns the bytes of the repeated `pattern`, from byte `first` of a piece on.
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

// Grid: one area per y; rows along x; the words of a row along threads and z.
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
    // About 256 blocks per area: rows, or parts of a few long ones.
    const auto across = static_cast<unsigned>(std::min<std::size_t>(most_rows, 256));
    const dim3 grid(across, static_cast<unsigned>(areas.size()), 256 / across);
    poison_kernel<Word><<<grid, 256, 0, static_cast<cudaStream_t>(stream)>>>(list);
    check(cudaGetLastError(), "poisoning fields");
}

// Returns true if `word` divides all addresses of the areas and the lengths of their pieces.
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

namespace {

using Count = unsigned long long;  // operand type of atomics

// Absolute differences are non-negative, so that their bit patterns have the same order.
struct Totals {
    Count differing = 0;
    Count first = ~Count{0};
    Count invalid = 0;
    Count not_zero = 0;
    Count largest_bits = 0;
    double expected_sum = 0;
    double actual_sum = 0;
};

constexpr int block_columns = 256;
constexpr unsigned most_block_rows = 4096;

struct Board {
    int columns;
    int rows;
    std::size_t pitch;
};

// Calls f(index, expected, actual) for the cells of this thread.
template <class T, class F>
__device__ void for_own_cells(const Board& board, const void* actual, const T* expected,
                              const F& f) {
    for (int row = blockIdx.y; row < board.rows; row += gridDim.y) {
        const std::size_t start = std::size_t{static_cast<unsigned>(row)} * board.columns;
        const T* have =
            reinterpret_cast<const T*>(static_cast<const char*>(actual) + row * board.pitch);
        for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < board.columns;
             column += gridDim.x * blockDim.x)
            f(start + column, expected[start + column], have[column]);
    }
}

template <class T>
__global__ void compare_bits(Board board, const void* actual, const void* expected,
                             Totals* totals) {
    Count differing = 0;
    Count first = ~Count{0};
    for_own_cells(board, actual, static_cast<const T*>(expected),
                  [&](std::size_t index, T want, T have) {
                      if (want == have) return;
                      ++differing;
                      first = min(first, Count{index});
                  });
    if (differing == 0) return;
    atomicAdd(&totals->differing, differing);
    atomicMin(&totals->first, first);
}

template <class T, class Join>
__device__ T of_warp(T value, const Join& join) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value = join(value, __shfl_down_sync(0xffffffff, value, lanes));
    return value;
}

template <class R>
__global__ void compare_within(Board board, const void* actual, const void* expected,
                               CellLimits limits, Totals* totals) {
    Totals own;
    double largest = 0;
    for_own_cells(board, actual, static_cast<const R*>(expected),
                  [&](std::size_t index, R want, R have) {
                      const CellVerdict verdict = judge_cell(want, have, limits);
                      if (verdict.differs) {
                          ++own.differing;
                          own.first = min(own.first, Count{index});
                      }
                      own.invalid += verdict.invalid;
                      own.not_zero += want != 0 || have != 0;
                      if (verdict.difference > largest) largest = verdict.difference;
                      own.expected_sum += want;
                      own.actual_sum += have;
                  });
    const auto sum = [](auto a, auto b) { return a + b; };
    const auto least = [](auto a, auto b) { return a < b ? a : b; };
    const auto most = [](auto a, auto b) { return a > b ? a : b; };
    own.differing = of_warp(own.differing, sum);
    own.first = of_warp(own.first, least);
    own.invalid = of_warp(own.invalid, sum);
    own.not_zero = of_warp(own.not_zero, sum);
    largest = of_warp(largest, most);
    own.expected_sum = of_warp(own.expected_sum, sum);
    own.actual_sum = of_warp(own.actual_sum, sum);
    if (threadIdx.x % 32 != 0) return;
    if (own.differing > 0) {
        atomicAdd(&totals->differing, own.differing);
        atomicMin(&totals->first, own.first);
        atomicAdd(&totals->invalid, own.invalid);
    }
    if (own.not_zero > 0) atomicAdd(&totals->not_zero, own.not_zero);
    if (largest > 0)
        atomicMax(&totals->largest_bits, static_cast<Count>(__double_as_longlong(largest)));
    atomicAdd(&totals->expected_sum, own.expected_sum);
    atomicAdd(&totals->actual_sum, own.actual_sum);
}

}  // namespace

std::size_t comparison_bytes() {
    return sizeof(Totals);
}

FieldDifference compare(void* stream, void* scratch, const void* actual, std::size_t pitch,
                        const void* expected, ElementType element, Size size,
                        const CellLimits& limits) {
    const auto queue = static_cast<cudaStream_t>(stream);
    auto* const totals = static_cast<Totals*>(scratch);
    Totals found;
    check(cudaMemcpyAsync(totals, &found, sizeof found, cudaMemcpyHostToDevice, queue),
          "preparing a comparison");
    const Board board{size.columns, size.rows, pitch};
    const auto blocks = static_cast<unsigned>((size.columns + block_columns - 1) / block_columns);
    const dim3 grid(std::min(blocks, 64u),
                    std::min(static_cast<unsigned>(size.rows), most_block_rows));
    const auto bits = [&]<class T>(T) {
        compare_bits<T><<<grid, block_columns, 0, queue>>>(board, actual, expected, totals);
    };
    const auto within = [&]<class R>(R) {
        compare_within<R>
            <<<grid, block_columns, 0, queue>>>(board, actual, expected, limits, totals);
    };
    if (!limits.exact && element == ElementType::float32)
        within(float{});
    else if (!limits.exact && element == ElementType::float64)
        within(double{});
    else if (info(element).size == 1)
        bits(std::uint8_t{});
    else if (info(element).size == 4)
        bits(std::uint32_t{});
    else
        bits(Count{});
    check(cudaGetLastError(), "comparing a field with the expected one");
    check(cudaMemcpyAsync(&found, totals, sizeof found, cudaMemcpyDeviceToHost, queue),
          "reading a comparison");
    check(cudaStreamSynchronize(queue), "comparing a field with the expected one");
    FieldDifference difference;
    difference.differing = static_cast<std::int64_t>(found.differing);
    if (found.differing > 0) difference.first = static_cast<std::int64_t>(found.first);
    difference.invalid = static_cast<std::int64_t>(found.invalid);
    difference.not_zero = static_cast<std::int64_t>(found.not_zero);
    difference.largest = std::bit_cast<double>(found.largest_bits);
    difference.expected_sum = found.expected_sum;
    difference.actual_sum = found.actual_sum;
    return difference;
}

namespace {

__global__ void evict_kernel(const uint4* memory, std::size_t count, unsigned never) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned seen = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        const uint4 line = __ldcg(memory + i);
        seen |= line.x | line.y | line.z | line.w;
    }
    // Never true, as the memory contains zeros, but the compiler cannot know.
    if (seen == never) const_cast<uint4*>(memory)->x = seen;
}

}  // namespace

std::size_t evictor_size(std::size_t l2_bytes) {
    // L2 does not evict strictly by age, and on devices with a divided L2 each half may contain a
    // copy of the same line: reading four times its size evicts everything
    // (results/measurement/README.md).
    constexpr std::size_t least = std::size_t{64} << 20;  // if the size is unavailable
    const std::size_t wanted = 4 * l2_bytes;
    return wanted > least ? wanted : least;
}

void evict(void* stream, const void* memory, std::size_t bytes) {
    evict_kernel<<<2048, 256, 0, static_cast<cudaStream_t>(stream)>>>(
        static_cast<const uint4*>(memory), bytes / sizeof(uint4), 1);
    check(cudaGetLastError(), "evicting the caches");
}

namespace {

constexpr int most_sms = 1024;

// Blocks run for a while, so that no SM takes the blocks of SMs that are still to be filled.
__global__ void note_sm(int* seen) {
    if (threadIdx.x != 0) return;
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm < most_sms) seen[sm] = 1;
    const long long start = clock64();
    while (clock64() - start < 20000) {
    }
}

}  // namespace

int count_distinct_sms(void* stream) {
    const auto queue = static_cast<cudaStream_t>(stream);
    int* seen = nullptr;
    check(cudaMalloc(&seen, most_sms * sizeof(int)), "allocating memory");
    const std::unique_ptr<int, void (*)(int*)> owner(seen, [](int* memory) { cudaFree(memory); });
    check(cudaMemsetAsync(seen, 0, most_sms * sizeof(int), queue), "clearing memory");
    note_sm<<<8 * most_sms, 64, 0, queue>>>(seen);
    check(cudaGetLastError(), "launching a kernel that tells its multiprocessor");
    std::vector<int> ids(most_sms);
    check(cudaMemcpyAsync(ids.data(), seen, most_sms * sizeof(int), cudaMemcpyDeviceToHost, queue),
          "reading the multiprocessors");
    check(cudaStreamSynchronize(queue), "telling multiprocessors");
    int distinct = 0;
    for (const int id : ids) distinct += id;
    return distinct;
}

}  // namespace camber::cuda
