// Queues on one machine: their work is ordered by events only.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::queues_test {
namespace {

constexpr int n = 8;
constexpr Rectangle line_of_cells{n * sizeof(int), 1};

__global__ void double_cells(const Grid<int> cells) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int before = cells(0, column);
    cells(0, column) = 2 * before;
}

// Host rows, each of which is uploaded to the same board, doubled and downloaded.
struct Passes {
    Board<int> board{n, 1, 0};
    std::vector<std::vector<int>> from;
    std::vector<std::vector<int>> to;
    simt::HostQueue queue{1};
    std::unique_ptr<Queue> beside = queue.open_beside();
    std::unique_ptr<Event> begun = queue.make_event();
    std::unique_ptr<Event> ended = queue.make_event();

    explicit Passes(int count) {
        for (int i = 0; i < count; ++i) {
            from.emplace_back(n, i + 1);
            to.emplace_back(n, 0);
        }
    }

    // Transfers are on one queue, the kernel is on the other.
    void enqueue(std::size_t i, bool wait_for_upload = true, bool wait_for_kernel = true) {
        beside->start_upload(board.cells.data(), 0, from[i].data(), 0, line_of_cells);
        beside->record(*begun);
        if (wait_for_upload) queue.wait(*begun);
        launch(queue, "double", line(2, 4), double_cells, board.grid());
        queue.record(*ended);
        if (wait_for_kernel) beside->wait(*ended);
        beside->start_download(to[i].data(), 0, board.cells.data(), 0, line_of_cells);
    }
    bool right() const {
        for (std::size_t i = 0; i < to.size(); ++i)
            if (to[i] != std::vector<int>(n, 2 * from[i][0])) return false;
        return true;
    }
};

// Returns true if any of several successive passes is wrong.
bool goes_wrong(bool wait_for_upload, bool wait_for_kernel) {
    Passes passes(20);
    for (std::size_t i = 0; i < passes.from.size(); ++i)
        passes.enqueue(i, wait_for_upload, wait_for_kernel);
    passes.beside->synchronize();
    return !passes.right();
}

}  // namespace

TEST_CASE("queues that wait for each other's events give the right values", "[simt][queues]") {
    CHECK_FALSE(goes_wrong(true, true));
}

TEST_CASE("a queue that does not wait for another finds wrong values", "[simt][queues]") {
    CHECK(goes_wrong(false, true));
    CHECK(goes_wrong(true, false));
    CHECK(goes_wrong(false, false));
}

TEST_CASE("of several queues none works before the host waits for it", "[simt][queues]") {
    simt::HostQueue queue(1);
    int there = 0;
    const int here = 7;
    constexpr Rectangle one{sizeof(int), 1};
    {
        const auto beside = queue.open_beside();
        beside->start_upload(&there, 0, &here, 0, one);
        CHECK(there == 0);
        beside->synchronize();
        CHECK(there == 7);
        there = 0;
        beside->start_upload(&there, 0, &here, 0, one);
        CHECK(there == 0);
    }
    // The queue completed its work before it was destroyed.
    CHECK(there == 7);
    there = 0;
    queue.start_upload(&there, 0, &here, 0, one);  // the only queue again
    CHECK(there == 7);
}

TEST_CASE("an event marks the work before its last recording, or none", "[simt][queues]") {
    simt::HostQueue queue(1);
    const auto beside = queue.open_beside();
    const auto event = queue.make_event();
    constexpr Rectangle one{sizeof(int), 1};
    const std::array<int, 3> values{1, 2, 3};
    int there = 0;
    int seen = -1;
    beside->wait(*event);  // marks no work yet
    beside->start_download(&seen, 0, &there, 0, one);
    beside->synchronize();
    CHECK(seen == 0);
    for (const int& value : values) {
        queue.start_upload(&there, 0, &value, 0, one);
        queue.record(*event);
    }
    beside->wait(*event);
    beside->start_download(&seen, 0, &there, 0, one);
    beside->synchronize();
    CHECK(seen == 3);
}

TEST_CASE("a recording holds the work of all queues and their events", "[simt][queues][replay]") {
    Passes passes(1);
    const auto recording = passes.queue.record([&] { passes.enqueue(0); });
    passes.beside->synchronize();
    CHECK(passes.to[0] == std::vector<int>(n, 0));
    for (int value = 5; value < 25; ++value) {
        passes.from[0].assign(n, value);
        recording->replay();
        passes.beside->synchronize();
        CHECK(passes.right());
    }
}

TEST_CASE("a fault on one queue ends the work of all", "[simt][queues]") {
    Passes passes(2);
    passes.enqueue(0);
    launch(*passes.beside, "double", line(3, 4), double_cells, passes.board.grid());
    passes.enqueue(1);
    CHECK_THROWS_AS(passes.beside->synchronize(), simt::KernelFault);
    passes.queue.synchronize();
    CHECK(passes.to[0] == std::vector<int>(n, 2));
    CHECK(passes.to[1] == std::vector<int>(n, 0));
}

TEST_CASE("a queue beside another has its label and its kernels' facts", "[simt][queues]") {
    simt::HostQueue queue(1);
    queue.set_label("life/global");
    const auto beside = queue.open_beside();
    CHECK(beside->label() == "life/global");
    Board<int> board(n, 1, 3);
    launch(*beside, "double", line(2, 4), double_cells, board.grid());
    beside->synchronize();
    CHECK(board.cells == std::vector<int>(n, 6));
    REQUIRE(queue.take_kernel_facts().size() == 1);
    CHECK(beside->take_kernel_facts().empty());
}

TEST_CASE("pinned memory of the host is aligned and released with its object", "[simt][queues]") {
    simt::HostQueue queue(1);
    const PinnedMemory memory(queue, 1000);
    REQUIRE(memory.get() != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.get()) % 256 == 0);
}

}  // namespace camber::queues_test
