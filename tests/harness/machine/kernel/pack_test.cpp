// Wide accesses on the executor: packs of adjacent cells, and structures per cell.
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "harness/machine/kernel/pack.hpp"
#include "harness/predict/access_checker.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::pack_test {

// Packs of adjacent cells on the executor: values, recorded accesses, and faults

namespace {

struct Accesses final : simt::Recorder {
    std::vector<simt::Access> seen;
    void record(const simt::Access& access) override { seen.push_back(access); }
};

// A field in memory with a queue's alignment, rows at multiples of 128 bytes.
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

// Every thread moves one pack with its cells reversed; `window`: through a window at (1, N).
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
    // The halo is one cell wide: column 8 exists, column 9 does not.
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

namespace camber::interleaved_test {

// Structures per cell on the executor: members and whole cells, recorded accesses, and faults

namespace {

struct Accesses final : simt::Recorder {
    std::vector<simt::Access> seen;
    void record(const simt::Access& access) override { seen.push_back(access); }
};

template <int K>
using Cell = Interleaved<float, K>;

// Structures with a halo of one cell; member k of interior cell (r, c) is 100 r + 10 c + k.
template <int K>
struct Structures {
    explicit Structures(Queue& queue, int columns = 6, int rows = 3)
        : layout(Layout::make(columns, rows, 1, 0, sizeof(Cell<K>))),
          memory(queue, layout.elements() * sizeof(Cell<K>)) {
        for (std::size_t i = 0; i < layout.elements(); ++i)
            for (int k = 0; k < K; ++k) begin()[i].slot[k] = -1;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                for (int k = 0; k < K; ++k)
                    at(row, column).slot[k] = static_cast<float>(100 * row + 10 * column + k);
    }
    Cell<K>* begin() const { return static_cast<Cell<K>*>(memory.get()); }
    Cell<K>& at(int row, int column) const {
        return begin()[layout.origin() + std::ptrdiff_t{row} * layout.pitch + column];
    }
    Grid<const Cell<K>> view() const { return {begin(), layout, "structures"}; }
    Grid<Cell<K>> grid() const { return {begin(), layout, "structures"}; }

    Layout layout;
    Memory memory;
};

// out = member 1 of the left neighbor; member 0 becomes 7.
template <int K>
__global__ void by_member(const Grid<const Cell<K>> from, const Grid<Cell<K>> to,
                          const Grid<float> out, int dcol) {
    const float value = member<1>(from, 1, static_cast<int>(threadIdx.x) + dcol);
    out(0, threadIdx.x) = value;
    store_member<0>(to, 1, threadIdx.x, 7.0f);
}

template <int K>
__global__ void at_once(const Grid<const Cell<K>> from, const Grid<float> out) {
    const Cell<K> cell = whole(from, 1, static_cast<int>(threadIdx.x) - 1);
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += cell.slot[k];
    out(0, threadIdx.x) = sum;
}

template <int K>
void check_members() {
    CAPTURE(K);
    simt::HostQueue queue(1);
    const Structures<K> from(queue), to(queue);
    Board<float> out(6, 1);
    Accesses accesses;
    queue.executor().set_recorder(&accesses);
    launch(queue, "by_member", line(1, 6), by_member<K>, from.view(), to.grid(), out.grid(), -1);
    queue.executor().set_recorder(nullptr);
    CHECK(out.cells == std::vector<float>{-1, 101, 111, 121, 131, 141});
    for (int column = 0; column < 6; ++column) {
        CHECK(to.at(1, column).slot[0] == 7);
        for (int k = 1; k < K; ++k) CHECK(to.at(1, column).slot[k] == from.at(1, column).slot[k]);
        CHECK(to.at(0, column).slot[0] == from.at(0, column).slot[0]);
    }
    REQUIRE(accesses.seen.size() == 18);
    const simt::Access& load = accesses.seen[0];
    CHECK(load.size == 4);
    CHECK(load.address == &from.at(1, -1).slot[1]);
    CHECK(load.operation == Operation::load);
    const simt::Access& store = accesses.seen[2];
    CHECK(store.size == 4);
    CHECK(store.address == &to.at(1, 0).slot[0]);
    CHECK(store.operation == Operation::store);
}

TEST_CASE("one member of a structure is one access of its size", "[simt][interleaved]") {
    check_members<2>();
    check_members<3>();
    check_members<4>();
}

TEST_CASE("a structure is loaded whole by one access", "[simt][interleaved]") {
    simt::HostQueue queue(1);
    Accesses accesses;
    queue.executor().set_recorder(&accesses);
    const auto check = [&]<int K>(std::integral_constant<int, K>, std::vector<float> sums) {
        CAPTURE(K);
        const Structures<K> from(queue);
        Board<float> out(6, 1);
        accesses.seen.clear();
        launch(queue, "at_once", line(1, 6), at_once<K>, from.view(), out.grid());
        CHECK(out.cells == sums);
        REQUIRE(accesses.seen.size() == 12);
        CHECK(accesses.seen[0].size == 4 * K);
        CHECK(accesses.seen[0].address == &from.at(1, -1));
    };
    check(std::integral_constant<int, 2>{}, {-2, 201, 221, 241, 261, 281});
    check(std::integral_constant<int, 4>{}, {-4, 406, 446, 486, 526, 566});
}

TEST_CASE("structures are aligned for one access where they have 2 or 4 members",
          "[simt][interleaved]") {
    static_assert(sizeof(Cell<2>) == 8 && alignof(Cell<2>) == 8);
    static_assert(sizeof(Cell<3>) == 12 && alignof(Cell<3>) == 4);
    static_assert(sizeof(Cell<4>) == 16 && alignof(Cell<4>) == 16);
    SUCCEED();
}

TEST_CASE("a structure outside the field and its halo is a fault", "[simt][interleaved]") {
    simt::HostQueue queue(1);
    const Structures<3> from(queue), to(queue);
    Board<float> out(6, 1);
    const auto fault = [&](int dcol) {
        return fault_of([&] {
            launch(queue, "by_member", line(1, 6), by_member<3>, from.view(), to.grid(), out.grid(),
                   dcol);
        });
    };
    CHECK(fault(1) == "");  // the last thread reads the halo
    CHECK_THAT(fault(2), contains("row 1, column 7 of field `structures`") &&
                             contains("[pack_test.cpp:"));
}

TEST_CASE("a structure at an address that its size does not divide is a fault",
          "[simt][interleaved]") {
    simt::HostQueue queue(1);
    const Memory memory(queue, 256);
    Board<float> out(1, 1);
    const auto* shifted = reinterpret_cast<const Cell<2>*>(static_cast<float*>(memory.get()) + 1);
    CHECK_THAT(fault_of([&] {
                   launch(queue, "at_once", line(1, 1), at_once<2>,
                          Grid<const Cell<2>>(shifted, Layout::make(2, 2, 1, 0, 8), "pairs"),
                          out.grid());
               }),
               contains("accesses 8 bytes of field `pairs` at an address that is 4 bytes past a "
                        "multiple of 8"));
}

TEST_CASE("findings name the cell of a member", "[simt][interleaved][check]") {
    AccessChecker checker(1);
    simt::HostQueue queue(1);
    queue.set_observer(&checker);
    const Structures<3> from(queue), to(queue);  // never written, by a transfer or a kernel
    queue.executor().set_recorder(&checker);
    Board<float> out(6, 1);
    launch(queue, "by_member", line(1, 6), by_member<3>, from.view(), to.grid(), out.grid(), -1);
    REQUIRE(checker.findings().size() == 1);
    const Finding& finding = checker.findings()[0];
    CHECK(finding.kind == FindingKind::unwritten_global);
    CHECK(finding.count == 6);
    CHECK(finding.examples[0].address == "row 1, column -1 of field `structures`");
}

}  // namespace
}  // namespace camber::interleaved_test
