// Bulk copies on the executor: visibility of their bytes, and faults.
#include "harness/machine/kernel/bulk_copy.hpp"

#include <numeric>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::bulk_copy_test {
namespace {

constexpr int cells = 32;
using PackedRow = Tile<Pack<int, 4>, 2, cells / 4>;

Board<int> numbered(int rows) {
    Board<int> board(cells, rows);
    std::iota(board.cells.begin(), board.cells.end(), 1);
    return board;
}

// Copies rows through a ring of two buffers; each lane loads a pack of four cells and uses the
// first.
__global__ void through_ring(const Grid<const int> from, const Grid<int> to, int rows) {
    __shared__ PackedRow ring;
    __shared__ CopyBarrier arrived[2];
    const int lane = threadIdx.x;
    const auto start = [&](int row) {
        if (lane != 0 || row >= rows) return;
        arrived[row % 2].expect(cells * sizeof(int));
        bulk_copy(ring, row % 2, from, row, 0, cells, arrived[row % 2]);
    };
    if (lane == 0) {
        arrived[0].init(1);
        arrived[1].init(1);
    }
    __syncwarp();
    start(0);
    start(1);
    for (int row = 0; row < rows; ++row) {
        arrived[row % 2].wait(row / 2 % 2);
        const Pack<int, 4> pack = ring(row % 2, lane / 4);
        to(row, lane) = pack[lane % 4];
        __syncwarp();
        start(row + 2);
    }
}

TEST_CASE("rows come through a ring in order, and phases alternate", "[simt][bulk_copy]") {
    constexpr int rows = 7;
    Board<int> from = numbered(rows);
    Board<int> to(cells, rows);
    simt::HostQueue queue(1);
    launch(queue, "ring", line(1, cells), through_ring, from.view(), to.grid(), rows);
    CHECK(to.cells == from.cells);
}

__global__ void read_before(const Grid<const int> from, const Grid<int> to) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    arrived.init(1);
    arrived.expect(cells * sizeof(int));
    bulk_copy(row, 0, from, 0, 0, cells, arrived);
    const Pack<int, 4> early = row(0, 0);
    arrived.wait(0);
    const Pack<int, 4> late = row(0, 0);
    to(0, 0) = early[0];
    to(0, 1) = late[0];
}

TEST_CASE("a copy's bytes are poison until a thread waits", "[simt][bulk_copy]") {
    Board<int> from = numbered(1);
    Board<int> to(2, 1);
    simt::HostQueue queue(1);
    launch(queue, "early", line(1, 1), read_before, from.view(), to.grid());
    CHECK(to.cells[0] == static_cast<int>(0xcbcbcbcb));
    CHECK(to.cells[1] == 1);
}

enum class Wrong {
    bytes_missing,
    bytes_too_many,
    no_arrival,
    too_many_arrivals,
    not_initialised,
    odd_size,
    not_awaited,
    outside
};

__global__ void goes_wrong(const Grid<const int> from, Wrong wrong) {
    __shared__ PackedRow row;
    __shared__ CopyBarrier arrived;
    if (wrong != Wrong::not_initialised) arrived.init(1);
    const int copied = wrong == Wrong::bytes_missing ? 16 : wrong == Wrong::odd_size ? 18 : cells;
    if (wrong != Wrong::no_arrival)
        arrived.expect((wrong == Wrong::bytes_too_many ? 16 : cells) * sizeof(int));
    if (wrong == Wrong::too_many_arrivals) arrived.expect(0);
    bulk_copy(row, 0, from, 0, wrong == Wrong::outside ? 4 : 0, copied, arrived);
    if (wrong != Wrong::not_awaited) arrived.wait(0);
}

TEST_CASE("what is wrong with a copy is said", "[simt][bulk_copy]") {
    const struct {
        Wrong wrong;
        const char* sentence;
    } cases[] = {
        {Wrong::bytes_missing, "1 of 1 arrivals have come, and 64 of 128 bytes"},
        {Wrong::bytes_too_many, "1 of 1 arrivals have come, and 128 of 64 bytes"},
        {Wrong::no_arrival, "0 of 1 arrivals have come"},
        {Wrong::too_many_arrivals, "that 1 arrivals complete, once more than that"},
        {Wrong::not_initialised, "uses a barrier of copies that no thread has initialised"},
        {Wrong::odd_size, "a bulk copy of 72 bytes, which is no multiple of 16"},
        {Wrong::not_awaited, "a bulk copy of 128 bytes for which nobody has waited"},
        {Wrong::outside, "row 0, column 35 of field `board`"},
    };
    Board<int> from = numbered(1);
    for (const auto& [wrong, sentence] : cases) {
        CAPTURE(sentence);
        simt::HostQueue queue(1);
        CHECK_THAT(
            fault_of([&] { launch(queue, "wrong", line(1, 1), goes_wrong, from.view(), wrong); }),
            contains(sentence) && contains("block (0,0) thread (0,0)") &&
                contains("bulk_copy_test.cpp:"));
    }
}

struct Log final : simt::Recorder {
    std::vector<simt::Access> reads;
    std::vector<simt::CopyEvent> events;
    void record(const simt::Access& access) override {
        if (access.space == Space::bulk) reads.push_back(access);
    }
    void copy(const simt::CopyEvent& event) override { events.push_back(event); }
};

__global__ void copies_long(const Grid<const int> from) {
    __shared__ Tile<Pack<int, 4>, 1, 48> row;
    __shared__ CopyBarrier arrived;
    arrived.init(1);
    arrived.expect(192 * sizeof(int));
    bulk_copy(row, 0, from, 0, 0, 192, arrived);
    arrived.wait(0);
}

TEST_CASE("a copy is recorded as requests of 512 bytes", "[simt][bulk_copy]") {
    Board<int> from(192, 1);
    simt::HostQueue queue(1);
    Log log;
    queue.executor().set_recorder(&log);
    launch(queue, "long", line(1, 1), copies_long, from.view());
    REQUIRE(log.reads.size() == 48);
    for (std::size_t i = 0; i < log.reads.size(); ++i) {
        CHECK(log.reads[i].occurrence == i / 32);
        CHECK(log.reads[i].thread == i % 32);
        CHECK(log.reads[i].size == 16);
        CHECK(log.reads[i].address == from.cells.data() + 4 * i);
    }
    using Kind = simt::CopyEvent::Kind;
    std::vector<Kind> kinds;
    for (const auto& event : log.events) kinds.push_back(event.kind);
    CHECK(kinds ==
          std::vector<Kind>{Kind::made, Kind::used, Kind::begun, Kind::used, Kind::awaited});
    CHECK(log.events[2].size == 768);
    CHECK(log.events[2].phase == 0);
}

}  // namespace
}  // namespace camber::bulk_copy_test
