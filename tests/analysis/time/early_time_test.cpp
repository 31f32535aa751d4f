// Predicted times on GPUs of 2008 to 2010: every part, from a kernel with known amounts.
#include <algorithm>
#include <filesystem>
#include <string>

#include "analysis/time/early_kernel_time.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::early_time_test {

namespace {

// 10 SMs at 1 GHz and 100 GB/s of pin bandwidth, half of which a copy reaches.
HardwareLimits few_limits() {
    HardwareLimits limits;
    limits.sm_count = 10;
    limits.sm_clock_hz = 1e9;
    limits.ceilings.pin_bytes_per_second = 100e9;
    limits.ceilings.copy = {{1 << 28, 50e9}};
    limits.ceilings.l2_bytes_per_second = 200e9;
    limits.ceilings.launch_seconds = 1e-6;
    return limits;
}

Machine machine_on(const char* architecture) {
    return std::get<Machine>(machine_of(few_limits(), parse_architecture(architecture)));
}

// 10 000 blocks of 4 warps with 100 instructions, 20 of them integer multiply-adds; each warp
// loads and stores 128 bytes in two transactions, and reads shared memory in two passes.
KernelWork known_kernel() {
    KernelWork work;
    work.blocks = 10000;
    work.threads_per_block = 128;
    work.code.instructions = {{"total", 100},      {"integer_multiply", 20}, {"integer", 30},
                              {"global_loads", 1}, {"global_stores", 1},     {"shared_loads", 1},
                              {"skippable", 0}};
    constexpr std::int64_t warps = 40000;
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store}) {
        counts->instructions = counts->lines = warps;
        counts->requests = counts->transactions_64 = 2 * warps;
        counts->sectors = 4 * warps;
        counts->bytes_moved = 128 * warps;
    }
    work.counts.counts.shared_load.instructions = warps;
    work.counts.counts.shared_load.passes = 2 * warps;
    work.counts.counts.shared_load.minimum = 2 * warps;
    work.counts.reads = {4 * warps, 128 * warps, 2 * warps, 64 * warps};
    work.counts.writes = {4 * warps, 128 * warps, 4 * warps, 128 * warps};
    work.counts.distinct_sectors = 6 * warps;
    return work;
}

double early_part(const KernelWork& work, const Machine& machine, TimeResource resource) {
    return part(kernel_time(work, machine), resource);
}

}  // namespace

TEST_CASE("1.3 issues in four cycles, has no cache and passes of two cycles", "[time]") {
    const Machine machine = machine_on("1.3");
    const KernelWork work = known_kernel();
    CHECK(early_part(work, machine, TimeResource::issue) == Approx(40000 * 100 * 4 / 10e9));
    CHECK(early_part(work, machine, TimeResource::dram) == Approx(2 * 40000 * 128 / 50e9));
    CHECK(early_part(work, machine, TimeResource::l2) == 0);
    CHECK(early_part(work, machine, TimeResource::l1) == Approx(2 * 40000 * 2 / 10e9));
    // 8 blocks of 4 warps fill the 32 warp slots: 125 waves of 1000 blocks per SM. A chain consists
    // of one access and 100 instructions of 22 cycles.
    CHECK(early_places(work, *machine.early) == 8);
    CHECK(early_part(work, machine, TimeResource::latency) ==
          Approx(125 * (566 + 100 * 22) * 1e-9));
}

TEST_CASE("conflicts of banks take issue slots on 1.3", "[time]") {
    const Machine machine = machine_on("1.3");
    KernelWork work = known_kernel();
    const double without = early_part(work, machine, TimeResource::issue);
    work.counts.counts.shared_load.passes *= 3;
    CHECK(early_part(work, machine, TimeResource::issue) == Approx(without + 4 * 40000 * 2 / 10e9));
}

TEST_CASE("2.0 issues one a cycle and keeps in L2 what blocks share", "[time]") {
    const Machine machine = machine_on("2.0");
    const KernelWork work = known_kernel();
    CHECK(early_part(work, machine, TimeResource::issue) == Approx(40000 * 100 / 10e9));
    // Multiply-adds at half the rate.
    CHECK(early_part(work, machine, TimeResource::pipes) == Approx(40000 * (30 + 2 * 20) / 10e9));
    CHECK(early_part(work, machine, TimeResource::dram) == Approx(6 * 40000 * 32 / 50e9));
    CHECK(early_part(work, machine, TimeResource::l2) == Approx(2 * 40000 * 128 / 200e9));
    // Shared memory passes and L1 lines, two cycles each.
    CHECK(early_part(work, machine, TimeResource::l1) == Approx((2 * 40000 + 40000) * 2 / 10e9));
    CHECK(early_places(work, *machine.early) == 8);
}

TEST_CASE("a block that uses little of its lines asks L2 for them whole", "[time]") {
    const Machine machine = machine_on("2.0");
    KernelWork work = known_kernel();
    work.counts.counts.global_load.sectors /= 4;
    work.counts.reads.block_sectors /= 4;
    CHECK(early_part(work, machine, TimeResource::l2) == Approx(2 * 40000 * 128 / 200e9));
}

TEST_CASE("shared memory and registers limit the places for blocks", "[time]") {
    const Machine machine = machine_on("1.3");
    KernelWork work = known_kernel();
    work.code.static_shared_bytes = 4000;
    CHECK(early_places(work, *machine.early) == 4);
    work.code.registers = 60;  // 7680 of 16384 per block
    CHECK(early_places(work, *machine.early) == 2);
    work.code.registers = 200;
    CHECK(early_places(work, *machine.early) == 1);
    // Allocation granularity 512: 33 registers of 64 threads take 2560 (Bilotta et al. 2011: 6
    // blocks).
    KernelWork of_bilotta;
    of_bilotta.threads_per_block = 64;
    of_bilotta.code.registers = 33;
    CHECK(early_places(of_bilotta, *machine.early) == 6);
    of_bilotta.code.registers = 32;
    CHECK(early_places(of_bilotta, *machine.early) == 8);
}

TEST_CASE("the interval has every assumption in it, and the time is uncertain", "[time]") {
    for (const char* architecture : {"1.1", "1.3", "2.0"}) {
        const Machine machine = machine_on(architecture);
        const KernelWork work = known_kernel();
        const PredictedTime time = kernel_time(work, machine);
        CHECK(time.uncertain());
        const auto all = early_assumptions(*machine.early);
        CHECK(all.size() == (machine.early->l2_rate > 0 ? 108 : 54));
        CHECK(early_seconds(work, *machine.early, all.front()) == Approx(time.seconds));
        for (const EarlyAssumptions& assumed : all) {
            const double seconds = early_seconds(work, *machine.early, assumed);
            CHECK(seconds >= time.low);
            CHECK(seconds <= time.high);
        }
    }
}

TEST_CASE("what a card's file lacks stands in, or is named", "[time]") {
    HardwareLimits limits = few_limits();
    limits.ceilings.copy.clear();
    const auto old = std::get<Machine>(machine_of(limits, parse_architecture("1.3")));
    CHECK(old.early->dram_rate == Approx(100e9 * 144.04 / 177.41));
    REQUIRE_FALSE(old.assumed.empty());
    CHECK(old.assumed.front().what == "DRAM bandwidth");
    CHECK(old.assumed.front().unit == "GB/s");
    limits.ceilings.pin_bytes_per_second.reset();
    limits.ceilings.l2_bytes_per_second.reset();
    CHECK(std::get<std::string>(machine_of(limits, parse_architecture("1.3"))) ==
          "the device's limits lack pin_bytes_per_second, which times on CC 1.3 need: add the "
          "published figures to its file");
    CHECK_THAT(std::get<std::string>(machine_of(limits, parse_architecture("2.0"))),
               contains("pin_bytes_per_second, l2_bytes_per_second"));
}

TEST_CASE("the cards of the published tables have machines", "[time]") {
    struct Expected {
        const char* file;
        const char* arch;
        int sm_count;
        int warps;
        double pins;
    };
    for (const Expected& card : {Expected{"gtx-285", "1.3", 30, 32, 158.976e9},
                                 Expected{"gtx-280", "1.3", 30, 32, 141.696e9},
                                 Expected{"geforce-770m", "1.1", 4, 24, 35.6e9},
                                 Expected{"gtx-480", "2.0", 15, 48, 177.408e9}}) {
        const auto limits = hardware_limits(
            results::read_document(std::filesystem::path(CAMBER_SOURCE_DIR) /
                                   "results/published-cards" / (std::string(card.file) + ".json")));
        REQUIRE(limits);
        const auto machine = std::get<Machine>(machine_of(*limits, parse_architecture(card.arch)));
        REQUIRE(machine.early);
        CHECK(machine.early->sm_count == card.sm_count);
        CHECK(machine.early->warps_per_sm == card.warps);
        CHECK(machine.early->pin_rate == Approx(card.pins));
        CHECK(machine.early->dram_rate < card.pins);
        CHECK(machine.early->pass_cycles == Approx(2).epsilon(0.01));
    }
}

TEST_CASE("memory instructions tell how much of the code an early device executes", "[time]") {
    const auto loads = [](std::int64_t instructions) {
        AccessCounts counts;
        counts.global_load.instructions = instructions;
        return counts;
    };
    results::Kernel code;
    code.instructions = {{"total", 100}, {"global_loads", 9}, {"skippable", 75}};
    const AssumedRange once = executed_share(loads(900), 100, code);
    CHECK(once.usual == 0.25);
    CHECK(once.low == 0.25);
    CHECK(once.high == 1);
    const AssumedRange looped = executed_share(loads(3600), 100, code);
    CHECK(looped.usual == 1);
    CHECK(looped.high == 4);
    const AssumedRange branched = executed_share(loads(225), 100, code);
    CHECK(branched.usual == 0.125);
    CHECK(branched.low == 0.0625);
    CHECK(branched.high == 1);
    code.instructions["global_loads"] = 0;
    CHECK(executed_share(AccessCounts(), 100, code).usual == 0.25);
}

TEST_CASE("on early devices, stores to shared memory tell of loops", "[time]") {
    results::Kernel code;
    code.instructions = {{"total", 100}, {"shared_loads", 10}, {"shared_stores", 2}};
    AccessCounts counts;
    counts.shared_load.instructions = 100 * 18;  // the compiler keeps words in registers
    counts.shared_store.instructions = 100 * 2;
    CHECK(executed_share(counts, 100, code).usual == 1);
    counts.shared_load.instructions *= 3;
    counts.shared_store.instructions *= 3;
    CHECK(executed_share(counts, 100, code).usual == 3);
}

TEST_CASE("on early devices, staging code goes by its own accesses", "[time]") {
    // A warp makes 5 of 10 staging loads and stores, and executes all code that reads them.
    results::Kernel code;
    code.instructions = {
        {"total", 100}, {"global_loads", 5}, {"shared_stores", 5}, {"shared_loads", 9}};
    AccessCounts counts;
    counts.global_load.instructions = 250;
    counts.shared_store.instructions = 250;
    counts.shared_load.instructions = 900;
    CHECK(executed_share(counts, 100, code).usual == Approx((20 * 0.5 + 80) / 100));
}

}  // namespace camber::early_time_test
