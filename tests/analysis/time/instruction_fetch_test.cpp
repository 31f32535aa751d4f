#include "analysis/time/instruction_fetch.hpp"

#include <algorithm>

#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::instruction_fetch_test {
namespace {

constexpr double kib = 1024;

// Long texts: four cycles for each instruction, beyond 32 KiB.
Machine with_caches() {
    HardwareLimits limits = round_limits();
    const auto bytes_per_second = [](double cycles) { return 16 * 100 * 1e9 / cycles; };
    limits.ceilings.instruction_fetch = {{16 << 10, bytes_per_second(1)},
                                         {32 << 10, bytes_per_second(1.2)},
                                         {40 << 10, bytes_per_second(4)}};
    return std::get<Machine>(machine_of(limits, parse_architecture("sm_90")));
}

// A warp goes round a loop of so many instructions 100 times, loads a word in each round, and two
// warps have place on a multiprocessor.
KernelWork loop_of(std::int64_t instructions) {
    KernelWork work = plain_kernel();
    work.blocks = 1000;
    work.threads_per_block = 32;
    work.code.occupancy = 2.0 / 64;
    work.code.instructions = {{"total", instructions + 10}, {"global_loads", 1}, {"cycles", 10}};
    work.code.regions = {
        {0, {{"total", 10}, {"cycles", 10}}},
        {0, {{"total", instructions}, {"cycles", instructions}, {"global_loads_4", 1}}}};
    work.counts.counts.global_store = {};
    TransferCounts& loads = work.counts.counts.global_load;
    loads.instructions = loads.requests = loads.lines = 100 * 1000;
    loads.requested_bytes = 128 * loads.requests;
    loads.sectors = 4 * loads.requests;
    work.counts.reads = {4, 128, 4, 128};
    work.counts.writes = {};
    return work;
}

}  // namespace

TEST_CASE("cycles for an instruction are those of the lengths beside it", "[time]") {
    const InstructionFetch fetch({{16 * kib, 1}, {32 * kib, 1.2}, {40 * kib, 4}});
    CHECK(fetch.cycles(100) == 1);
    CHECK(fetch.cycles(24 * kib) == Approx(1.1));
    CHECK(fetch.cycles(36 * kib) == Approx(2.6));
    CHECK(fetch.cycles(400 * kib) == 4);
    CHECK(fetch.cache_bytes() == 32 * kib);
    CHECK(InstructionFetch().cycles(400 * kib) == 0);
    CHECK(InstructionFetch().cache_bytes() == 0);
    // Fetch cycles for 100 SMs at 1 GHz.
    CHECK(with_caches().fetch.cycles(32 * kib) == Approx(1.2));
}

TEST_CASE("what was not measured is an H200's on a card like it, and unknown on others", "[time]") {
    HardwareLimits older = round_limits();
    older.ceilings.instruction_fetch.clear();
    const auto machine = [&](const char* architecture) {
        return std::get<Machine>(machine_of(older, parse_architecture(architecture)));
    };
    CHECK(machine("sm_90").fetch.cache_bytes() == 32 * kib);
    CHECK(std::ranges::any_of(machine("sm_90").assumed, [](const Machine::Assumed& figure) {
        return figure.what == "instruction of a loop of 40 KiB";
    }));
    CHECK(machine("sm_80").fetch.cache_bytes() == 0);
}

TEST_CASE("a warp that is alone gets the instructions of a long loop no faster", "[time]") {
    const auto latency = [](std::int64_t instructions) {
        KernelWork work = loop_of(instructions);
        work.blocks = 100;  // one a multiprocessor
        work.counts.counts.global_load.instructions /= 10;
        return part(kernel_time(work, with_caches()), TimeResource::latency);
    };
    // 2048 instructions are 32 KiB, 4096 twice as many: four cycles each.
    CHECK(latency(2000) < 1.3 * 100 * 2000 * 1e-9);
    CHECK(latency(4096) > 3.9 * 100 * 4096 * 1e-9);
    CHECK(latency(4096) < 4.1 * 100 * 4096 * 1e-9);
}

TEST_CASE("warps at other places of a long loop have its instructions fetched by themselves",
          "[time]") {
    const auto issue = [](const KernelWork& work) {
        return part(kernel_time(work, with_caches()), TimeResource::issue);
    };
    // Ten warps for each multiprocessor, two at work at a time: five turns.
    CHECK(issue(loop_of(2000)) == Approx(10 * 100 * 2000 / 4.0 * 1e-9).epsilon(0.01));
    KernelWork work = loop_of(3 * 1024);  // 48 KiB: one and a half times the cache
    CHECK(issue(work) == Approx(5 * 100 * 3072 * 4 * 1.5 * 1e-9).epsilon(0.01));
    work = loop_of(8 * 1024);  // four times: no more places than warps
    CHECK(issue(work) == Approx(5 * 100 * 8192 * 4 * 2 * 1e-9).epsilon(0.01));
    // Warps that meet in each round go on as one.
    work.code.regions[1].instructions["barriers"] = 1;
    CHECK(issue(work) == Approx(10 * 100 * 8192 / 4.0 * 1e-9).epsilon(0.01));
}

}  // namespace camber::instruction_fetch_test
