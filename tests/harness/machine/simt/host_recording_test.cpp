// Recordings of the executor's queue: the work runs on replay, not while it is recorded.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/machine/queue/queue.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::host_recording_test {
namespace {

__global__ void add_amount(const Grid<int> cells, int amount) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int before = cells(0, column);
    cells(0, column) = before + amount;
}

}  // namespace

TEST_CASE("recorded launches run when they are replayed, with the arguments they had",
          "[simt][replay]") {
    simt::HostQueue queue(1);
    Board<int> board(8, 1, 5);
    int amount = 3;
    const auto recording = queue.record([&] {
        launch(queue, "add", line(2, 4), add_amount, board.grid(), amount);
        launch(queue, "add", line(1, 4), add_amount, board.grid(), 10 * amount);
    });
    amount = 100;
    CHECK(board.cells == std::vector<int>(8, 5));
    recording->replay();
    CHECK(board.cells == std::vector<int>{38, 38, 38, 38, 8, 8, 8, 8});
    recording->replay();
    CHECK(board.cells == std::vector<int>{71, 71, 71, 71, 11, 11, 11, 11});
    // The queue no longer records.
    launch(queue, "add", line(1, 8), add_amount, board.grid(), 1);
    CHECK(board.cells.back() == 12);
}

TEST_CASE("what a queue does without kernels is recorded too", "[simt][replay]") {
    simt::HostQueue queue(1);
    std::array<std::uint8_t, 4> flags{};
    std::array<std::int32_t, 4> indices{};
    std::int32_t selected = -1;
    std::array<double, 4> values{4, 3, 2, 1};
    std::array<double, 4> copied{};
    double least = -1;
    const auto recording = queue.record([&] {
        {
            // Out of scope when it is replayed.
            const std::array<std::byte, 1> one{std::byte{1}};
            queue.fill(flags.data() + 1, 2, one);
        }
        queue.algorithms().select(flags.data(), flags.size(), indices.data(), &selected);
        const ByteArea last{.first = values.data() + 3,
                            .pitch = sizeof(double),
                            .rows = 1,
                            .width = sizeof(double),
                            .element = ElementType::float64};
        queue.poison({&last, 1}, Poison::first);
        queue.copy(copied.data(), values.data(), sizeof(values));
        queue.algorithms().minimum(copied.data(), copied.size(), &least);
    });
    CHECK(selected == -1);
    CHECK(least == -1);
    values[0] = 0.5;
    recording->replay();
    CHECK(selected == 2);
    CHECK(indices[0] == 1);
    CHECK(indices[1] == 2);
    CHECK(least == 0.5);
    CHECK(std::bit_cast<std::uint64_t>(copied[3]) ==
          poison_pattern(ElementType::float64, Poison::first));
}

TEST_CASE("a member of structures is poisoned, and nothing beside it", "[simt]") {
    struct Cell {
        std::uint16_t a = 1, b = 2, c = 3;
    };
    simt::HostQueue queue(1);
    std::array<std::array<Cell, 5>, 4> board{};  // the last two cells of a row are padding
    std::uint16_t other[2] = {4, 5};
    const ByteArea areas[] = {
        {&board[1][0].b, sizeof(board[0]), 2, sizeof(board[0][0].b), 3, sizeof(Cell)},
        {&other[1], sizeof(other[1]), 1, sizeof(other[1])}};
    queue.poison(areas, Poison::second);
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 5; ++column) {
            const Cell& cell = board[row][column];
            const bool filled = (row == 1 || row == 2) && column < 3;
            CHECK(cell.a == 1);
            CHECK(cell.b == (filled ? 0x5a5a : 2));
            CHECK(cell.c == 3);
        }
    CHECK(other[0] == 4);
    CHECK(other[1] == 0x5a5a);
}

TEST_CASE("transfers are not recorded", "[simt][replay]") {
    simt::HostQueue queue(1);
    int here = 1;
    int there = 2;
    constexpr Rectangle whole{sizeof(int), 1};
    CHECK_THROWS_AS(
        queue.record([&] { queue.upload(&there, sizeof(int), &here, sizeof(int), whole); }),
        NotRecordable);
    CHECK_THROWS_AS(
        queue.record([&] { queue.download(&here, sizeof(int), &there, sizeof(int), whole); }),
        NotRecordable);
    CHECK(here == 1);
    CHECK(there == 2);
    // The queue still works.
    queue.upload(&there, sizeof(int), &here, sizeof(int), whole);
    CHECK(there == 1);
}

}  // namespace camber::host_recording_test
