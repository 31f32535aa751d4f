// Packs of adjacent cells on the executor: what moves, how it is recorded, and where it faults.
#include "harness/machine/kernel/pack.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::pack_test {
namespace {

struct Accesses final : simt::Recorder {
    std::vector<simt::Access> seen;
    void record(const simt::Access& access) override { seen.push_back(access); }
};

// A field in memory as a queue gives it, rows at multiples of 128 bytes.
template <class T>
struct AlignedField {
    AlignedField(Queue& queue, int columns, int rows, int halo)
        : layout(Layout::make(columns, rows, halo, 128, sizeof(T))),
          memory(queue, layout.elements() * sizeof(T)) {
        std::iota(begin(), begin() + layout.elements(), T{});
    }
    T* begin() const { return static_cast<T*>(memory.get()); }
    T* cell(int row, int column) const {
        return begin() + layout.origin() + std::ptrdiff_t{row} * layout.pitch + column;
    }
    Grid<const T> view() const { return {begin(), layout, "from"}; }
    Grid<T> grid() const { return {begin(), layout, "to"}; }

    Layout layout;
    Memory memory;
};

// Every thread moves one pack, its cells in reverse; `window`: through a window at (1, N).
template <class T, int N>
__global__ void reverse_packs(const Grid<const T> from, const Grid<T> to, int row, int column,
                              bool window) {
    const int first = column + N * threadIdx.x;
    Pack<T, N> cells, reversed;
    if (window)
        cells = pack<N>(from.window(1, N), row - 1, first - N);
    else
        cells = pack<N>(from, row, first);
    for (int i = 0; i < N; ++i) reversed[i] = cells[N - 1 - i];
    if (window)
        store_pack(to.window(1, N), row - 1, first - N, reversed);
    else
        store_pack(to, row, first, reversed);
}

template <class T, int N>
void check_packs(bool window) {
    CAPTURE(sizeof(T), N, window);
    simt::HostQueue queue(1);
    const AlignedField<T> from(queue, 4 * N, 2, 1), to(queue, 4 * N, 2, 1);
    Accesses accesses;
    queue.executor().set_recorder(&accesses);
    launch(queue, "reverse", line(1, 4), reverse_packs<T, N>, from.view(), to.grid(), 1, 0, window);
    queue.executor().set_recorder(nullptr);
    for (int c = 0; c < 4 * N; ++c)
        CHECK(*to.cell(1, c) == *from.cell(1, c / N * N + N - 1 - c % N));
    REQUIRE(accesses.seen.size() == 8);
    for (int thread = 0; thread < 4; ++thread)
        for (const int store : {0, 1}) {
            const simt::Access& access = accesses.seen[2 * thread + store];
            CHECK(access.operation == (store ? Operation::store : Operation::load));
            CHECK(access.space == Space::global);
            CHECK(access.size == N * sizeof(T));
            CHECK(access.address == (store ? to : from).cell(1, N * thread));
        }
}

TEST_CASE("a pack is one access of all its cells", "[simt][pack]") {
    for (const bool window : {false, true}) {
        check_packs<float, 1>(window);
        check_packs<float, 2>(window);
        check_packs<float, 4>(window);
        check_packs<double, 2>(window);
        check_packs<std::uint8_t, 2>(window);
        check_packs<std::uint8_t, 16>(window);
    }
}

TEST_CASE("packs have the size and the alignment of CUDA's vectors", "[simt][pack]") {
    static_assert(sizeof(Pack<float, 4>) == sizeof(float4));
    static_assert(alignof(Pack<float, 4>) == alignof(float4));
    static_assert(sizeof(Pack<float, 2>) == 8 && alignof(Pack<float, 2>) == 8);
    static_assert(sizeof(Pack<std::uint8_t, 16>) == 16 && alignof(Pack<std::uint8_t, 16>) == 16);
    SUCCEED();
}

template <class T, int N>
std::string fault(int row, int column) {
    simt::HostQueue queue(1);
    queue.set_label("toy/packs");
    const AlignedField<T> from(queue, 8, 2, 1), to(queue, 8, 2, 1);
    return fault_of([&] {
        launch(queue, "reverse", line(1, 1), reverse_packs<T, N>, from.view(), to.grid(), row,
               column, false);
    });
}

TEST_CASE("a pack at an address that its size does not divide is a fault", "[simt][pack]") {
    CHECK(fault<float, 2>(0, 2) == "");
    CHECK_THAT((fault<float, 2>(0, 3)),
               contains("accesses 8 bytes of field `from` at an address that is 4 bytes past a "
                        "multiple of 8") &&
                   contains("[pack_test.cpp:"));
    CHECK_THAT((fault<float, 4>(1, 2)), contains("8 bytes past a multiple of 16"));
    CHECK_THAT((fault<std::uint8_t, 4>(0, 1)), contains("1 bytes past a multiple of 4"));
}

TEST_CASE("a pack that reaches beyond the field and its halo is a fault", "[simt][pack]") {
    // The halo is one cell wide: column 8 is there, column 9 is not.
    CHECK_THAT((fault<float, 2>(0, 8)), contains("row 0, column 9") && contains("`from`"));
    CHECK_THAT((fault<float, 2>(0, -2)), contains("row 0, column -2"));
    CHECK_THAT((fault<float, 2>(3, 0)), contains("row 3, column 1"));
    CHECK(fault<float, 1>(0, 8) == "");
    CHECK(fault<float, 2>(2, 0) == "");
}

__global__ void add_neighbours(const Grid<const int> from, const Grid<int> to) {
    const int column = threadIdx.x;
    const Window<const int> window = from.window(0, column);
    to(0, column) = from.read_only(0, column - 1) + window.read_only(0, 1);
}

TEST_CASE("a read-only load is a load, checked as any other", "[simt][read_only]") {
    simt::HostQueue queue(1);
    const AlignedField<int> from(queue, 8, 1, 1), to(queue, 8, 1, 1);
    Accesses accesses;
    queue.executor().set_recorder(&accesses);
    launch(queue, "add", line(1, 8), add_neighbours, from.view(), to.grid());
    queue.executor().set_recorder(nullptr);
    for (int c = 0; c < 8; ++c)
        CHECK(*to.cell(0, c) == *from.cell(0, c - 1) + *from.cell(0, c + 1));
    REQUIRE(accesses.seen.size() == 24);
    for (const simt::Access& access : accesses.seen) {
        CHECK(access.space == Space::global);
        CHECK(access.size == 4);
    }
    CHECK(accesses.seen[0].operation == Operation::load);
    CHECK(accesses.seen[1].operation == Operation::load);
    CHECK_THAT(
        fault_of([&] { launch(queue, "add", line(1, 9), add_neighbours, from.view(), to.grid()); }),
        contains("row 0, column 9"));
}

}  // namespace
}  // namespace camber::pack_test
