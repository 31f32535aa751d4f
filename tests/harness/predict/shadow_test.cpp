// Races as a function of the order of accesses to one cell.
#include <random>
#include <vector>

#include "harness/predict/shadow.hpp"
#include "tests/catch.hpp"

namespace camber::shadow_test {

namespace {

Mark mark(std::uint32_t block, int thread, Operation operation, std::uint32_t barrier = 0,
          std::uint32_t warp_sync = 0) {
    return {.block = block,
            .barrier = barrier,
            .warp_sync = warp_sync,
            .site = 0,
            .thread = static_cast<std::uint16_t>(thread),
            .operation = operation};
}

TEST_CASE("bytes of one word are told apart once an access is smaller", "[check]") {
    ShadowPage page(1);
    CHECK_FALSE(page.touch(8, 4, mark(1, 0, Operation::store), 1));
    CHECK_FALSE(page.touch(12, 1, mark(1, 1, Operation::store), 1));
    CHECK_FALSE(page.touch(13, 1, mark(1, 2, Operation::store), 1));
    CHECK(page.touch(13, 1, mark(1, 3, Operation::load), 1)->thread == 2);
    // Marks of whole words apply to each of their bytes.
    CHECK(page.touch(11, 1, mark(1, 3, Operation::load), 1)->thread == 0);
}

TEST_CASE("accesses of an earlier launch race with nothing", "[check]") {
    ShadowPage page(1);
    CHECK_FALSE(page.touch(0, 8, mark(1, 0, Operation::store), 1));
    CHECK_FALSE(page.touch(0, 8, mark(5, 9, Operation::store), 5));
    CHECK(page.touch(4, 4, mark(6, 0, Operation::load), 5)->thread == 9);
}

// Stores and compares every earlier access.
struct Exhaustive {
    std::vector<Mark> all;
    bool touch(const Mark& mark) {
        bool race = false;
        for (const Mark& other : all) {
            const bool writes =
                mark.operation != Operation::load || other.operation != Operation::load;
            const bool atomics =
                mark.operation == Operation::atomic && other.operation == Operation::atomic;
            race = race || (writes && !atomics && other.unordered(mark));
        }
        all.push_back(mark);
        return race;
    }
};

TEST_CASE("two marks of a kind find the first race whenever all marks would", "[check]") {
    std::mt19937 random(1);
    const auto below = [&](int n) { return static_cast<int>(random() % n); };
    int races = 0;
    constexpr int histories = 200000;
    for (int history = 0; history < histories; ++history) {
        ShadowCell cell;
        Exhaustive exhaustive;
        const int lanes = 1 + below(6);
        const bool mostly_load = below(2) == 0;
        std::uint32_t block = 1, barrier = 0;
        std::uint32_t syncs[3] = {};
        for (int step = 0; step < 12; ++step) {
            if (below(5) == 0) ++barrier;
            if (below(12) == 0) ++block, barrier = 0;
            const int warp = below(3);
            if (below(4) == 0) ++syncs[warp];
            const auto operation = mostly_load && below(6) > 0
                                       ? (below(3) > 0 ? Operation::load : Operation::atomic)
                                       : static_cast<Operation>(below(3));
            const Mark next =
                mark(block, 32 * warp + below(lanes), operation, barrier, syncs[warp]);
            const bool expected = exhaustive.touch(next);
            const bool found = cell.touch(next, 1).has_value();
            if (expected != found) {
                CAPTURE(history, step);
                REQUIRE(expected == found);
            }
            if (found) {
                ++races;
                break;  // the first race may hide later ones
            }
        }
    }
    CHECK(races > histories / 4);
    CHECK(races < histories);
}

// Blocks of a cluster take turns: each runs up to the cluster's next barrier.
TEST_CASE("two marks of a kind find the first race within clusters, too", "[check][cluster]") {
    std::mt19937 random(2);
    const auto below = [&](int n) { return static_cast<int>(random() % n); };
    int races = 0;
    constexpr int histories = 200000;
    for (int history = 0; history < histories; ++history) {
        ShadowCell cell;
        Exhaustive exhaustive;
        const int lanes = 1 + below(3);
        const bool mostly_load = below(3) > 0;
        std::uint32_t cluster = 1, cluster_barrier = 0;
        int rank = 0;
        std::uint32_t barrier[3] = {};
        for (int step = 0; step < 14; ++step) {
            if (below(4) == 0) ++barrier[rank];
            if (below(3) == 0 && ++rank == 3) {
                rank = 0;
                ++cluster_barrier;
                for (std::uint32_t& passed : barrier) ++passed;
            }
            if (below(14) == 0) {
                ++cluster, cluster_barrier = 0, rank = 0;
                for (std::uint32_t& passed : barrier) passed = 0;
            }
            const auto operation =
                mostly_load && below(5) > 0 ? Operation::load : static_cast<Operation>(below(3));
            const int thread =
                static_cast<int>(Mark::threads_of_block) * rank + 32 * below(2) + below(lanes);
            Mark next = mark(cluster, thread, operation, barrier[rank]);
            next.cluster_barrier = cluster_barrier;
            const bool expected = exhaustive.touch(next);
            const bool found = cell.touch(next, 1).has_value();
            if (expected != found) {
                CAPTURE(history, step);
                REQUIRE(expected == found);
            }
            if (found) {
                ++races;
                break;  // the first race may hide later ones
            }
        }
    }
    CHECK(races > histories / 4);
    CHECK(races < histories);
}

}  // namespace
}  // namespace camber::shadow_test
