// Warp requests of small kernels, lane by lane.
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/memory/launch_model.hpp"
#include "harness/predict/trace_launches.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::warp_requests_test {

namespace {

struct Grouped {
    std::string site;  // including its path
    WarpRequest request;
    simt::Index3 block;
};

// Runs kernels and stores their requests.
struct Trace {
    simt::HostQueue queue{1};
    std::vector<Grouped> requests;
    WarpRequests recorder{
        [this](simt::SiteId site, const WarpRequest& request, const simt::Index3& block) {
            requests.push_back({queue.executor().sites().describe_with_path(site), request, block});
        }};
    Trace() { queue.executor().set_recorder(&recorder); }

    // Active lane masks of the requests, in order.
    std::vector<std::uint32_t> active() const {
        std::vector<std::uint32_t> masks;
        for (const Grouped& grouped : requests) masks.push_back(grouped.request.active);
        return masks;
    }
};

using Masks = std::vector<std::uint32_t>;
constexpr std::uint32_t all = 0xffffffff;
constexpr std::uint32_t odd = 0xaaaaaaaa;
constexpr std::uint32_t even = 0x55555555;

constexpr int load_line = __LINE__ + 3;
__global__ void add_one(const Grid<const int> from, const Grid<std::uint8_t> to) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = from(0, column);
    to(0, column) = static_cast<std::uint8_t>(value + 1);
}

TEST_CASE("lanes that do the same form one request, warp by warp, block by block", "[trace]") {
    Trace trace;
    Board<int> from(160, 1);
    Board<std::uint8_t> to(160, 1);
    launch(trace.queue, "add_one", line(2, 80), add_one, from.view(), to.grid());
    REQUIRE(trace.requests.size() == 2 * 3 * 2);
    for (unsigned i = 0; i < 12; ++i) {
        CAPTURE(i);
        const auto& [site, request, block] = trace.requests[i];
        const unsigned warp = i / 2 % 3;
        CHECK(block == simt::Index3{i / 6, 0, 0});
        CHECK(request.active == (warp < 2 ? all : 0x0000ffff));
        CHECK(request.space == Space::global);
        CHECK(request.operation == (i % 2 == 0 ? Operation::load : Operation::store));
        CHECK(request.size == (i % 2 == 0 ? 4 : 1));
        CHECK(site == "trace_launches_test.cpp:" + std::to_string(load_line + i % 2));
        const unsigned first = 80 * (i / 6) + 32 * warp;
        for (unsigned lane = 0; lane < (warp < 2 ? 32u : 16u); ++lane) {
            const void* address = i % 2 == 0 ? static_cast<void*>(&from.cells[first + lane])
                                             : &to.cells[first + lane];
            REQUIRE(request.address[lane] == reinterpret_cast<std::intptr_t>(address));
        }
    }
}

__global__ void take_sides(const Grid<int> grid) {
    if (threadIdx.x % 2 == 0)
        grid(0, threadIdx.x) = 1;
    else
        grid(1, threadIdx.x) = 2;
}

TEST_CASE("lanes that do not take a branch are inactive in it", "[trace]") {
    Trace trace;
    Board<int> board(32, 2);
    launch(trace.queue, "take_sides", line(1, 32), take_sides, board.grid());
    CHECK(trace.active() == Masks{even, odd});
}

__global__ void loop(const Grid<int> grid, int longest) {
    for (int i = 0; i < (threadIdx.x % 2 == 0 ? longest : 1); ++i) grid(i, threadIdx.x) = i;
}

TEST_CASE("iterations of a loop are requests of their own", "[trace]") {
    Trace trace;
    Board<int> board(32, 3);
    launch(trace.queue, "loop", line(1, 32), loop, board.grid(), 3);
    CHECK(trace.active() == Masks{all, even, even});
}

__global__ void rounds_by_lane(const Grid<int> grid) {
    grid(0, threadIdx.x) = 0;
    for (unsigned i = 0; i < threadIdx.x % 5; ++i) count_round();
    grid(1, threadIdx.x) = 1;
}

TEST_CASE("of the rounds of a loop that touches no memory a warp makes as many as any lane",
          "[trace]") {
    Trace trace;
    Board<int> board(34, 2);
    // The second warp has two lanes.
    launch(trace.queue, "rounds", line(1, 34), rounds_by_lane, board.grid());
    REQUIRE(trace.requests.size() == 4);
    CHECK(trace.requests[0].request.rounds == 0);
    CHECK(trace.requests[1].request.rounds == 4);
    CHECK(trace.requests[3].request.rounds == 3);
    LaunchAccumulator accumulator(RuleSet::cc50);
    for (const Grouped& grouped : trace.requests) accumulator.add(0, grouped.request, 0);
    // Another block counts its own rounds.
    for (const Grouped& grouped : trace.requests) accumulator.add(0, grouped.request, 1);
    CHECK(accumulator.finish().rounds == 2 * (4 + 3));
    count_round();  // has no effect outside of a kernel
}

__global__ void odd_lanes_skip(const Grid<int> grid, bool say_so) {
    for (int i = 0; i < 3; ++i) {
        const Site site = Site::current();
        if (threadIdx.x % 2 == 0 || i != 1)
            grid(i, threadIdx.x, site) = i;
        else if (say_so)
            skip(site);
    }
}

TEST_CASE("a lane that skips an iteration stays in step when it says so", "[trace]") {
    Board<int> board(32, 3);
    Trace said, silent;
    launch(said.queue, "skip", line(1, 32), odd_lanes_skip, board.grid(), true);
    CHECK(said.active() == Masks{all, even, all});
    for (int lane = 0; lane < 32; ++lane)
        CHECK(said.requests[2].request.address[lane] ==
              reinterpret_cast<std::intptr_t>(&board.cells[64 + lane]));
    // Without the iteration numbers, an odd lane's third iteration is taken for its second.
    launch(silent.queue, "skip", line(1, 32), odd_lanes_skip, board.grid(), false);
    CHECK(silent.active() == Masks{all, all, even});
}

// Even lanes have two rows of one cell, odd lanes one row of two cells; lane 1 skips its first
// cell.
__global__ void loops_in_loops(const Grid<int> grid, bool say_so) {
    const bool is_even = threadIdx.x % 2 == 0;
    const auto visit = [&](int i, int k) {
        if (threadIdx.x != 1 || i + k > 0) grid(i, threadIdx.x) = k;
    };
    const auto visit_row = [&](int i) {
        for (int k = 0; k < (is_even ? 1 : 2); ++k)
            if (say_so) {
                const Turn of_cell;
                visit(i, k);
            } else {
                visit(i, k);
            }
    };
    for (int i = 0; i < (is_even ? 2 : 1); ++i)
        if (say_so) {
            const Turn of_row;
            visit_row(i);
        } else {
            visit_row(i);
        }
}

TEST_CASE("lanes meet in the iterations that they say they are in", "[trace]") {
    Board<int> board(32, 2);
    Trace said, silent;
    launch(said.queue, "turns", line(1, 32), loops_in_loops, board.grid(), true);
    // In the order in which a lane first reaches each iteration.
    CHECK(said.active() == Masks{all & ~2u, even, odd});
    launch(silent.queue, "turns", line(1, 32), loops_in_loops, board.grid(), false);
    CHECK(silent.active() == Masks{all, all & ~2u});
}

__global__ void load_where_even(const Grid<const int> from, const Grid<int> to) {
    for (int i = 0; i < 2; ++i) {
        const int value = load_if((threadIdx.x + i) % 2 == 0, from, i, threadIdx.x, -1);
        to(i, threadIdx.x) = value;
    }
}

TEST_CASE("a predicated load has only the lanes whose condition holds", "[trace]") {
    Trace trace;
    Board<int> from(32, 2, 5), to(32, 2);
    launch(trace.queue, "load_if", line(1, 32), load_where_even, from.view(), to.grid());
    // Lane 0, which has no second load, reaches its second store first.
    CHECK(trace.active() == Masks{even, all, all, odd});
    for (int i = 0; i < 2; ++i)
        for (int lane = 0; lane < 32; ++lane)
            CHECK(to.cells[32 * i + lane] == ((lane + i) % 2 == 0 ? 5 : -1));
}

// A single line of source stores, but it is called from two places, the first of which only even
// lanes reach.
template <bool with_path>
__global__ void from_two_places(const Grid<int> grid) {
    const auto mark = [&](int row) { grid(row, threadIdx.x) = 1; };
    const auto call = [&](int row, Site site) {
        if constexpr (with_path) {
            const CallPath path(site);
            mark(row);
        } else {
            mark(row);
        }
    };
    if (threadIdx.x % 2 == 0) call(0, Site::current());
    call(1, Site::current());
}

TEST_CASE("one line called from two places is two instructions", "[trace]") {
    Board<int> board(32, 2);
    Trace apart, merged;
    launch(apart.queue, "paths", line(1, 32), from_two_places<true>, board.grid());
    CHECK(apart.active() == Masks{even, all});
    CHECK(apart.requests[0].site != apart.requests[1].site);
    CHECK_THAT(apart.requests[0].site, contains(" < trace_launches_test.cpp:"));
    launch(merged.queue, "paths", line(1, 32), from_two_places<false>, board.grid());
    CHECK(merged.active() == Masks{all, even});  // without the path, calls are merged
}

template <class T>
__device__ void put(const Grid<T>& grid) {
    grid(0, threadIdx.x, Site::current()) = T(1);
}
__global__ void two_sizes(const Grid<int> words, const Grid<std::uint8_t> bytes) {
    if (threadIdx.x % 2 == 0)
        put(words);
    else
        put(bytes);
}

TEST_CASE("accesses of different size never share a request", "[trace]") {
    Trace trace;
    Board<int> words(32, 1);
    Board<std::uint8_t> bytes(32, 1);
    launch(trace.queue, "two_sizes", line(1, 32), two_sizes, words.grid(), bytes.grid());
    CHECK(trace.active() == Masks{even, odd});
    CHECK(trace.requests[0].request.size == 4);
    CHECK(trace.requests[1].request.size == 1);
}

__global__ void through_shared(const Grid<int> out) {
    __shared__ Tile<int, 2, 32> tile;
    tile(1, threadIdx.x) = threadIdx.x;
    __syncthreads();
    out(0, threadIdx.x) = tile(1, 31 - threadIdx.x);
}

TEST_CASE("addresses in shared memory count from its start", "[trace]") {
    Trace trace;
    Board<int> out(32, 1);
    launch(trace.queue, "through_shared", line(1, 32), through_shared, out.grid());
    REQUIRE(trace.active() == Masks{all, all, all});
    for (int lane = 0; lane < 32; ++lane) {
        CHECK(trace.requests[0].request.address[lane] == 4 * (32 + lane));
        CHECK(trace.requests[1].request.address[lane] == 4 * (63 - lane));
    }
    CHECK(trace.requests[0].request.space == Space::shared);
    CHECK(trace.requests[1].request.operation == Operation::load);
    CHECK(trace.requests[2].request.space == Space::global);
}

TEST_CASE("a block that faults leaves nothing behind for the next launch", "[trace]") {
    Trace trace;
    Board<int> board(32, 1), good(32, 2);
    CHECK(fault_of([&] { launch(trace.queue, "loop", line(1, 32), loop, board.grid(), 2); }) != "");
    CHECK(trace.requests.empty());
    launch(trace.queue, "loop", line(1, 32), loop, good.grid(), 2);
    CHECK(trace.active() == Masks{all, even});
}

TEST_CASE("a block filter runs the chosen blocks only", "[trace][simt]") {
    Board<int> from(160, 1, 6);
    Board<std::uint8_t> to(160, 1);
    Trace trace;
    trace.queue.executor().set_block_filter([](std::uint64_t block) { return block % 2 == 1; });
    launch(trace.queue, "add_one", line(5, 32), add_one, from.view(), to.grid());
    REQUIRE(trace.requests.size() == 4);
    CHECK(trace.requests[0].block == simt::Index3{1, 0, 0});
    CHECK(trace.requests[2].block == simt::Index3{3, 0, 0});
    for (int i = 0; i < 160; ++i) CHECK(to.cells[i] == (i / 32 % 2 == 1 ? 7 : 0));
    trace.queue.executor().set_block_filter({});
    launch(trace.queue, "add_one", line(5, 32), add_one, from.view(), to.grid());
    CHECK(trace.requests.size() == 14);
}

}  // namespace
}  // namespace camber::warp_requests_test
