// Cooperative launches on several queues take turns: their blocks may wait for counts that blocks
// of another launch increment.
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/machine/kernel/synchronization.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/simt/kernel_fixture.hpp"

namespace camber::turns_test {
namespace {

LaunchShape cooperative(unsigned blocks, unsigned threads) {
    LaunchShape shape = line(blocks, threads);
    shape.cooperative = true;
    return shape;
}

struct Counts {
    std::uint32_t come = 0;
    std::uint32_t done = 0;
};

// In every round, the first thread of each block waits until the other launch has completed the
// round that is `ahead` rounds earlier, then all blocks signal their progress and meet before the
// next round.
__global__ void to_and_fro(Counts* own, Counts* other, int rounds, int ahead) {
    for (int round = 0; round < rounds; ++round) {
        if (threadIdx.x == 0)
            wait_for(&own->come, static_cast<std::uint32_t>(round < ahead ? 0 : round + 1 - ahead));
        __syncthreads();
        publish();
        if (threadIdx.x == 0) announce(&own->done, gridDim.x, &other->come);
        grid_barrier();
    }
}

__global__ void waits_at_once(Counts* own) {
    wait_for(&own->come, 1);
}

struct Players {
    simt::HostQueue lead{1};
    std::unique_ptr<Queue> beside = lead.open_beside();
    Counts counts[2];

    // The launch that is ahead by one round begins.
    void play(int rounds, int others_rounds) {
        launch(lead, "first", cooperative(3, 32), to_and_fro, &counts[0], &counts[1], rounds, 1);
        launch(*beside, "second", cooperative(2, 64), to_and_fro, &counts[1], &counts[0],
               others_rounds, 0);
    }
};

TEST_CASE("blocks of two launches wait for each other", "[simt][grid_barrier]") {
    Players players;
    for (int time = 1; time <= 20; ++time) {
        players.counts[0] = players.counts[1] = {};
        players.play(7, 7);
        players.lead.synchronize();
        players.beside->synchronize();
        CHECK(players.counts[0].come == 7);
        CHECK(players.counts[1].come == 7);
    }
}

TEST_CASE("a block that waits for what never comes is found out", "[simt][grid_barrier]") {
    Players players;
    players.play(7, 5);
    CHECK_THROWS_WITH(players.lead.synchronize(), "queues wait for work that none of them has");
    // All remaining work was discarded.
    players.counts[0] = players.counts[1] = {};
    players.play(3, 3);
    CHECK_NOTHROW(players.lead.synchronize());
    CHECK_NOTHROW(players.beside->synchronize());
    CHECK(players.counts[0].come == 3);

    // A launch that is not cooperative cannot be suspended.
    players.counts[0] = {};
    launch(players.lead, "plain", line(1, 32), waits_at_once, &players.counts[0]);
    CHECK_THROWS_WITH(players.lead.synchronize(), "a block waits for rows that never came");
}

}  // namespace
}  // namespace camber::turns_test
