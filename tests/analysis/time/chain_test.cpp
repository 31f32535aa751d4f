// Dependency chain of a block: the stalls of its warps and their synchronization.
#include "analysis/time/kernel_time.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::chain_test {
namespace {

Approx near(double value) {
    return Approx(value).epsilon(1e-6);
}

}  // namespace

TEST_CASE("a scheduled text takes its cycles and its waits, less what they cover", "[time]") {
    KernelWork work = plain_kernel();
    const auto latency = [&] {
        return part(kernel_time(work, round_machine()), TimeResource::latency);
    };
    const double fillings = 1000.0 / 8;
    work.code.instructions.insert({{"cycles", 30},
                                   {"memory_waits", 1},
                                   {"memory_covered", 20},
                                   {"brief_waits", 2},
                                   {"brief_covered", 50}});
    // Launch of 8 warps, issue cycles, one access, and two results.
    CHECK(latency() == near((12.5 + 30 + (100 - 20) + (200 - 50)) * 1e-9 * fillings));
    // Covered cycles beyond the wait do not shorten the chain.
    work.code.instructions["brief_covered"] = 1000;
    CHECK(latency() == near((12.5 + 30 + (100 - 20)) * 1e-9 * fillings));
}

TEST_CASE("blocks at the board's edge end last", "[time]") {
    KernelWork work = plain_kernel();
    work.code.instructions = {{"total", 100}, {"global_loads", 1}, {"cycles", 100}};
    const results::CodeRegion inside{
        0, {{"total", 50}, {"cycles", 50}, {"global_loads_4", 1}, {"global_stores_4", 1}}};
    work.code.regions = {{0, {{"total", 10}, {"cycles", 10}}}, inside};
    const auto launch = [&] {
        return part(kernel_time(work, round_machine()), TimeResource::launch);
    };
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store}) {
        counts->instructions *= 10;
        counts->requested_bytes = 128 * counts->instructions;
    }
    const double without = launch();
    results::CodeRegion edge = inside;
    edge.instructions["total"] = edge.instructions["cycles"] = 80;
    edge.instructions["global_stores_1"] = 4;
    work.code.regions.push_back(edge);
    // Ten iterations, each 30 cycles longer.
    CHECK(launch() - without == near(10 * 30e-9));
}

TEST_CASE("warps that take their work from each other overlap to the end", "[time]") {
    KernelWork work = plain_kernel();
    work.blocks = 800;  // one wave
    work.counts.reads = work.counts.writes = {4, 128, 4, 128};
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store}) {
        counts->instructions = counts->requests = counts->lines = 10 * 6400;
        counts->requested_bytes = 128 * counts->instructions;
    }
    work.code.instructions = {{"total", 60}, {"global_loads", 1}, {"cycles", 60}};
    work.code.regions = {{0, {{"total", 10}, {"cycles", 10}}},
                         {0,
                          {{"total", 50},
                           {"cycles", 50},
                           {"memory_waits", 1},
                           {"global_loads_4", 1},
                           {"global_stores_4", 1}}}};
    const double alone = kernel_time(work, round_machine()).seconds;
    work.counts.counts.shared_atomic.instructions = 6400;
    CHECK(kernel_time(work, round_machine()).seconds < 0.99 * alone);
    work.code.regions[1].instructions["barriers"] = 1;
    work.counts.counts.shared_atomic.instructions = 0;
    const double meeting = kernel_time(work, round_machine()).seconds;
    work.counts.counts.shared_atomic.instructions = 6400;
    CHECK(kernel_time(work, round_machine()).seconds == meeting);
}

TEST_CASE("where warps meet, all wait for the one that has most to do", "[time]") {
    KernelWork work = plain_kernel();
    const auto latency = [&] {
        return part(kernel_time(work, round_machine()), TimeResource::latency);
    };
    const double fillings = 1000.0 / 8;
    // One warp in eight executes a second load that depends on the first.
    TransferCounts& loads = work.counts.counts.global_load;
    loads.instructions = loads.requests = 900000;
    SiteCounts first{0, {}};
    first.counts.global_load.instructions = 800000;
    first.counts.global_store.instructions = 800000;
    first.counts.shared_store = SharedCounts{{900000, 900000}, 900000};
    SiteCounts second{1, {}};
    second.counts.global_load.instructions = 100000;
    work.counts.sites = {first, second};
    work.code.instructions = {{"total", 12},      {"global_loads", 2}, {"global_stores", 1},
                              {"cycles", 30},     {"memory_waits", 2}, {"memory_covered", 0},
                              {"brief_waits", 0}, {"brief_covered", 0}};
    const double apart = latency();
    CHECK(apart < 0.99 * (12.5 + 30 + 2 * 100) * 1e-9 * fillings);
    work.code.instructions["barriers"] = 1;
    work.code.instructions["shared_stores"] = 2;
    work.counts.counts.shared_store = SharedCounts{{900000, 900000}, 900000};
    CHECK(latency() == near((12.5 + 30 + 2 * 100) * 1e-9 * fillings));
    // All loads are of one call site: no warp executes four.
    work.code.instructions["global_loads"] = 8;
    work.code.instructions["memory_waits"] = 8;
    work.counts.sites = {first};
    CHECK(latency() < (12.5 + 30 + 4 * 100) * 1e-9 * fillings);
}

}  // namespace camber::chain_test
