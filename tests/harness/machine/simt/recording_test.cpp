// Recorded properties of each access.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::recording_test {
namespace {

using simt::Access;
using simt::Operation;
using simt::Space;

struct Log final : simt::Recorder {
    std::vector<Access> events;
    const simt::SiteTable* sites = nullptr;
    void begin_launch(const simt::Launch&, const simt::SiteTable& table) override {
        sites = &table;
    }
    const simt::SiteInfo& site(const Access& access) const { return (*sites)[access.site]; }
    void record(const Access& access) override { events.push_back(access); }

    std::vector<Access> of_thread(std::uint32_t thread, unsigned block = 0) const {
        std::vector<Access> found;
        for (const Access& event : events)
            if (event.thread == thread && event.block.x == block) found.push_back(event);
        return found;
    }
};

constexpr unsigned first_line = __LINE__ + 4;
__global__ void traced(const Grid<const float> from, const Grid<std::uint8_t> to) {
    __shared__ Tile<double, 2, 64> tile;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const float value = from(0, column);
    tile(1, threadIdx.x) = value;
    __syncthreads();
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += tile(1, (threadIdx.x + i) % blockDim.x);
    __syncthreads();
    to(0, column) = static_cast<std::uint8_t>(sum);
}

struct Traced {
    Board<float> from{128, 1, 2.0f};
    Board<std::uint8_t> to{128, 1};
    simt::HostQueue queue{2};
    Log log;

    void run() { launch(queue, "traced", line(2, 64), traced, from.view(), to.grid()); }
};

TEST_CASE("the recorder is told each access of a thread in order", "[simt][recording]") {
    Traced t;
    t.queue.executor().set_recorder(&t.log);
    t.run();
    REQUIRE(t.log.events.size() == 2 * 64 * 6);
    for (unsigned block = 0; block < 2; ++block)
        for (const std::uint32_t thread : {0u, 1u, 40u, 63u}) {
            CAPTURE(block, thread);
            const auto events = t.log.of_thread(thread, block);
            REQUIRE(events.size() == 6);
            const Access& load = events[0];
            CHECK(t.log.site(load).line == first_line);
            CHECK(t.log.site(load).file == "recording_test.cpp");
            CHECK(load.operation == Operation::load);
            CHECK(load.space == Space::global);
            CHECK(load.size == 4);
            CHECK(load.address == &t.from.cells[block * 64 + thread]);
            CHECK(load.occurrence == 0);
            CHECK(load.barrier == 0);
            CHECK(load.block == simt::Index3{block, 0, 0});

            const Access& stage = events[1];
            CHECK(t.log.site(stage).line == first_line + 1);
            CHECK(stage.operation == Operation::store);
            CHECK(stage.space == Space::shared);
            CHECK(stage.size == 8);
            // An offset into the block's shared memory, at the beginning of which is its only tile.
            CHECK(reinterpret_cast<std::uintptr_t>(stage.address) == (64 + thread) * 8);

            for (std::uint32_t i = 0; i < 3; ++i) {
                const Access& read = events[2 + i];
                CHECK(t.log.site(read).line == first_line + 4);
                CHECK(read.operation == Operation::load);
                CHECK(read.space == Space::shared);
                CHECK(read.occurrence == i);
                CHECK(read.barrier == 1);
                CHECK(reinterpret_cast<std::uintptr_t>(read.address) ==
                      (64 + (thread + i) % 64) * 8);
            }
            const Access& store = events[5];
            CHECK(t.log.site(store).line == first_line + 6);
            CHECK(store.operation == Operation::store);
            CHECK(store.space == Space::global);
            CHECK(store.size == 1);
            CHECK(store.address == &t.to.cells[block * 64 + thread]);
            CHECK(store.barrier == 2);
        }
}

TEST_CASE("recording changes no result", "[simt][recording]") {
    Traced plain, recorded;
    recorded.queue.executor().set_recorder(&recorded.log);
    plain.run();
    recorded.run();
    CHECK(plain.to.cells == recorded.to.cells);
    CHECK(plain.to.cells == std::vector<std::uint8_t>(128, 6));
}

TEST_CASE("without a recorder nothing is recorded", "[simt][recording]") {
    Traced t;
    t.run();
    CHECK(t.log.events.empty());
    t.queue.executor().set_recorder(&t.log);
    t.queue.executor().set_recorder(nullptr);
    t.run();
    CHECK(t.log.events.empty());
}

bool same(const Access& a, const Access& b) {
    return a.site == b.site && a.occurrence == b.occurrence && a.address == b.address &&
           a.size == b.size && a.operation == b.operation && a.space == b.space &&
           a.block == b.block && a.thread == b.thread && a.barrier == b.barrier;
}

TEST_CASE("the record is the same in every run, blocks in order", "[simt][recording]") {
    Traced t;
    Log again;
    t.queue.executor().set_recorder(&t.log);
    t.run();
    t.queue.executor().set_recorder(&again);
    t.run();
    CHECK(std::equal(t.log.events.begin(), t.log.events.end(), again.events.begin(),
                     again.events.end(), same));
    CHECK(std::is_sorted(t.log.events.begin(), t.log.events.end(),
                         [](const Access& a, const Access& b) { return a.block.x < b.block.x; }));
}

// Records the CPU threads that called the recorder.
struct WhoRecords final : simt::Recorder {
    std::mutex mutex;
    std::set<std::thread::id> seen;
    void record(const Access&) override {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
    }
};

__global__ void take_a_while(const Grid<int> grid) {
    if (threadIdx.x == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    grid(0, blockIdx.x) = 1;
}

TEST_CASE("a recorder is called by one CPU thread only", "[simt][recording]") {
    Board<int> board(40, 1);
    simt::HostQueue queue(4);
    WhoRecords who;
    queue.executor().set_recorder(&who);
    launch(queue, "take_a_while", line(40, 2), take_a_while, board.grid());
    CHECK(who.seen.size() == 1);
}

// Two accesses on one line are two sites.
__global__ void same_line(const Grid<int> grid) {
    grid(0, threadIdx.x) = grid(0, threadIdx.x) + grid(1, threadIdx.x);
    grid(1, threadIdx.x) += 1;
}

TEST_CASE("two accesses on one line are different sites", "[simt][recording]") {
    Board<int> board(32, 2);
    simt::HostQueue queue(1);
    Log log;
    queue.executor().set_recorder(&log);
    launch(queue, "same_line", line(1, 32), same_line, board.grid());
    const auto events = log.of_thread(31);
    REQUIRE(events.size() == 5);
    CHECK(log.site(events[0]).column != log.site(events[1]).column);
    CHECK(log.site(events[2]).column < log.site(events[0]).column);
    CHECK(events[2].operation == Operation::store);
    for (int i = 0; i < 3; ++i) CHECK(events[i].occurrence == 0);
    // `+=` loads and stores, both for the first time.
    CHECK(events[4].occurrence == 0);
    CHECK(events[3].operation == Operation::load);
    CHECK(events[4].operation == Operation::store);
    CHECK(events[3].address == events[4].address);
}

// Lanes that skip an iteration are matched with the others by their own count.
__global__ void skip_some(const Grid<int> grid) {
    for (int i = 0; i < 4; ++i)
        if (threadIdx.x % 2 == 0 || i > 1) grid(i, threadIdx.x) = i;
}

TEST_CASE("occurrences count a thread's own visits, anew in every block", "[simt][recording]") {
    Board<int> board(8, 4);
    simt::HostQueue queue(1);
    Log log;
    queue.executor().set_recorder(&log);
    launch(queue, "skip", line(2, 8), skip_some, board.grid());
    for (unsigned block = 0; block < 2; ++block) {
        const auto even = log.of_thread(2, block);
        const auto odd = log.of_thread(3, block);
        REQUIRE(even.size() == 4);
        REQUIRE(odd.size() == 2);
        CHECK(even[3].occurrence == 3);
        CHECK(odd[0].occurrence == 0);
        CHECK(odd[1].occurrence == 1);
    }
}

TEST_CASE("threads of a record are linear through the block's dimensions", "[simt][recording]") {
    Board<int> board(64, 1);
    simt::HostQueue queue(1);
    Log log;
    queue.executor().set_recorder(&log);
    void (*const kernel)(const Grid<int>) = [](const Grid<int> grid) {
        grid(0, threadIdx.x + 4 * (threadIdx.y + 8 * threadIdx.z)) = 1;
    };
    launch(queue, "kernel", {{1}, {4, 8, 2}}, kernel, board.grid());
    REQUIRE(log.events.size() == 64);
    for (const Access& event : log.events) REQUIRE(event.address == &board.cells[event.thread]);
}

TEST_CASE("an access out of bounds is a fault and not recorded", "[simt][recording]") {
    Board<int> board(4, 1);
    simt::HostQueue queue(1);
    Log log;
    queue.executor().set_recorder(&log);
    void (*const kernel)(const Grid<int>) = [](const Grid<int> grid) { grid(0, threadIdx.x) = 1; };
    CHECK(fault_of([&] { launch(queue, "kernel", line(1, 8), kernel, board.grid()); }) != "");
    CHECK(log.events.size() == 4);
}

}  // namespace
}  // namespace camber::recording_test
