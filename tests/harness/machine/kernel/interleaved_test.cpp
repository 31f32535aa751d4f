// Structures per cell on the executor: members and wholes, how they are recorded, where they fault.
#include "harness/machine/kernel/interleaved.hpp"

#include <string>
#include <vector>

#include "harness/predict/access_checker.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::interleaved_test {
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

// out = member 1 of the left neighbour; member 0 becomes 7.
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
                             contains("[interleaved_test.cpp:"));
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
    const Structures<3> from(queue), to(queue);  // written by no transfer and no kernel
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
