#include "harness/machine/cuda/compare.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "harness/machine/cuda/check.hpp"

namespace camber::cuda {

namespace {

using Count = unsigned long long;  // what atomics take

// Distances between real numbers are not negative, so that their bits have the same order.
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

}  // namespace camber::cuda
