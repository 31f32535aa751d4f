#include <algorithm>
#include <cmath>

#include "analysis/time/kernel_time.hpp"
#include "analysis/time/launch_parts.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::kernel_time_test {
namespace {

Approx near(double value) {
    return Approx(value).epsilon(1e-6);
}

}  // namespace

TEST_CASE("each part of a launch's time is an amount over a rate", "[time]") {
    const PredictedTime time = kernel_time(plain_kernel(), round_machine());
    // 204.8 MB is between 1 MiB and 1 GiB of the copy's curve.
    CHECK(part(time, TimeResource::dram) > 204.8e6 / 2e12);
    CHECK(part(time, TimeResource::dram) < 204.8e6 / 1e12);
    // Two requests per warp, and a line that arrives from L2, on 100 SMs at 1 GHz.
    CHECK(part(time, TimeResource::l1) == near(800000 * (2 + 1) / 100e9));
    CHECK(part(time, TimeResource::issue) == near(800000 * 10 / 400e9));
    CHECK(part(time, TimeResource::texture) == 0);
    // 64 warps per SM start in 100 ns.
    CHECK(part(time, TimeResource::starts) == near(8000 / 64.0 * 100e-9));
    // 1000 blocks per SM on 8 slots; the chain consists of 8 warp launches, one access and 10
    // instructions.
    CHECK(part(time, TimeResource::latency) == near((12.5 + 100 + 40) * 1e-9 * 1000 / 8));
    CHECK(part(time, TimeResource::launch) == near(1e-6 + 112.5e-9));
}

TEST_CASE("a launch takes its largest part at least, and the sum of all parts at most", "[time]") {
    const PredictedTime time = kernel_time(plain_kernel(), round_machine());
    double sum = 0;
    for (const TimePart& each : time.parts) sum += each.seconds;
    CHECK(time.binding().resource == TimeResource::dram);
    CHECK(time.seconds > time.binding().seconds);
    CHECK(time.seconds < sum);
    CHECK(time.low < time.seconds);
    CHECK(time.high > time.seconds);
    CHECK_FALSE(time.uncertain());
}

TEST_CASE("a cluster's blocks wait for each other at its barriers", "[time][cluster]") {
    Machine machine = round_machine();
    machine.cluster_barrier = 500e-9;
    machine.knows_clusters = true;
    KernelWork work = plain_kernel();
    work.code.instructions = {{"total", 20},       {"global_loads", 1},  {"global_stores", 1},
                              {"cycles", 30},      {"memory_waits", 1},  {"memory_covered", 0},
                              {"brief_waits", 0},  {"brief_covered", 0}, {"barriers", 12},
                              {"shared_stores", 2}};
    work.counts.counts.shared_store = SharedCounts{{1600000, 1600000}, 1600000};
    const auto latency = [&] { return part(kernel_time(work, machine), TimeResource::latency); };
    const double fillings = 1000.0 / 8;
    CHECK(latency() == near(fillings * (12.5 + 30 + 100) * 1e-9));
    work.counts.cluster_barriers = 3;
    CHECK(latency() == near(fillings * (12.5 + 30 + 100 + 3 * 500) * 1e-9));
    // A block of the cluster reads another block's shared memory twice between barriers.
    machine.distributed_latency = machine.shared_latency + 200e-9;
    work.counts.counts.distributed_load.instructions = static_cast<std::int64_t>(2 * work.blocks);
    // Two loads are also instructions, whose time is negligible beside the round trips.
    const double with_trips = fillings * (12.5 + 30 + 100 + 3 * 500 + 2 * 200) * 1e-9;
    CHECK(latency() >= with_trips);
    CHECK(latency() < 1.01 * with_trips);
    const auto doubts = [&] { return kernel_time(work, machine).doubts.size(); };
    const std::size_t before = doubts();
    machine.knows_clusters = false;
    CHECK(doubts() == before + 1);
}

TEST_CASE("few places for blocks make a launch wait for its chains", "[time]") {
    KernelWork work = plain_kernel();
    const double full = part(kernel_time(work, round_machine()), TimeResource::latency);
    work.code.occupancy = 0.25;
    CHECK(part(kernel_time(work, round_machine()), TimeResource::latency) == near(4 * full));
}

TEST_CASE("the last filling takes a block's chain, however few blocks it has", "[time]") {
    const auto time_of = [](std::int64_t blocks) {
        KernelWork work = plain_kernel();
        work.blocks = static_cast<double>(blocks);
        for (TransferCounts* counts :
             {&work.counts.counts.global_load, &work.counts.counts.global_store}) {
            counts->instructions = counts->requests = counts->lines = 8 * blocks;
            counts->sectors = 32 * blocks;
        }
        work.counts.counts.global_load.bank_passes = 8 * blocks;
        work.counts.reads = {32 * blocks, 1024 * blocks, 32 * blocks, 1024 * blocks};
        work.counts.writes = work.counts.reads;
        // Larger than the curves, at whose ends reads and writes are equally fast.
        work.counts.distinct_sectors = std::int64_t{1} << 40;
        return kernel_time(work, round_machine());
    };
    constexpr double chain = 152.5e-9;
    const auto without_launch = [](const PredictedTime& time) {
        return time.seconds - part(time, TimeResource::launch);
    };
    const double filling = without_launch(time_of(800));  // 8 blocks on each of 100 SMs
    CHECK(filling > chain);
    // The first two waves begin together and overlap less than later ones.
    const auto overlapped = [of = time_of(800)](double exponent) {
        const double others =
            norm({part(of, TimeResource::l1),
                  std::max(part(of, TimeResource::issue), part(of, TimeResource::pipes)),
                  std::max(part(of, TimeResource::latency), part(of, TimeResource::starts))},
                 exponent);
        return norm({part(of, TimeResource::dram), others}, exponent);
    };
    CHECK(filling == near(overlapped(2.5)));
    CHECK(without_launch(time_of(1600)) == near(2 * filling));
    CHECK(without_launch(time_of(3200)) == near(2 * filling + 2 * overlapped(3)));
    const PredictedTime one_more = time_of(900);
    CHECK(part(one_more, TimeResource::latency) == near(9 / 8.0 * chain));
    CHECK(without_launch(one_more) > filling + chain);
    CHECK(without_launch(one_more) < filling + chain + filling / 8);
    // Blocks that do not fill all slots take the time of one chain.
    CHECK(part(time_of(100), TimeResource::latency) == near(chain));
}

TEST_CASE("a store takes a pass for each line", "[time]") {
    KernelWork work = plain_kernel();
    work.counts.counts.global_store.lines *= 32;
    CHECK(part(kernel_time(work, round_machine()), TimeResource::l1) ==
          near(800000 * (1 + 32 + 1) / 100e9));
}

TEST_CASE("loads whose words share banks of L1 take a pass for each", "[time]") {
    KernelWork work = plain_kernel();
    work.counts.counts.global_load.bank_passes *= 32;
    CHECK(part(kernel_time(work, round_machine()), TimeResource::l1) ==
          near(800000 * (2 + 32) / 100e9));
}

TEST_CASE("blocks on a few multiprocessors have the data paths of these only", "[time]") {
    KernelWork work = plain_kernel();
    const double all = part(kernel_time(work, round_machine()), TimeResource::issue);
    work.blocks = 10;  // a tenth of them
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store})
        counts->instructions = 80;
    const double few = part(kernel_time(work, round_machine()), TimeResource::issue);
    CHECK(few == near(all * 80 / 800000 * 10));
}

TEST_CASE("loads that go on into shared memory wait for each other", "[time]") {
    KernelWork work = plain_kernel();
    const double one = part(kernel_time(work, round_machine()), TimeResource::latency);
    TransferCounts& loads = work.counts.counts.global_load;
    loads.requests = loads.instructions = 3 * 800000;
    work.counts.counts.shared_store = SharedCounts{{3 * 800000, 3 * 800000}, 3 * 800000};
    work.code.instructions["global_loads"] = 3;
    work.code.instructions["shared_stores"] = 3;
    const double three = part(kernel_time(work, round_machine()), TimeResource::latency);
    CHECK(three - one > 2 * 100e-9 * 1000 / 8 * 0.99);
}

TEST_CASE("a fetch from a line of elements takes half as long as from a board", "[time]") {
    KernelWork work = plain_kernel();
    work.counts.counts.texture_load.instructions = 800000;
    const double board = part(kernel_time(work, round_machine()), TimeResource::texture);
    work.linear_textures = true;
    CHECK(board == near(800000 * 8 / 100e9));
    CHECK(part(kernel_time(work, round_machine()), TimeResource::texture) == near(board / 2));
}

TEST_CASE("L2 takes a request for each line of which a warp needs any", "[time]") {
    KernelWork work = plain_kernel();
    const auto l2 = [&] { return part(kernel_time(work, round_machine()), TimeResource::l2); };
    CHECK(l2() == near(2 * 800000 / 25e9));
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store})
        counts->lines *= 4;
    CHECK(l2() == near(8 * 800000 / 25e9));
    // Loads of data that stay in L2 take half as long.
    work.counts.distinct_sectors = 1000;
    CHECK(l2() == near(6 * 800000 / 25e9));
    // L1 serves half of the loaded bytes.
    work.counts.reads.block_sectors /= 2;
    CHECK(l2() == near(5 * 800000 / 25e9));
}

TEST_CASE("loads of constants by an instruction keep their unit busy", "[time]") {
    KernelWork work = plain_kernel();
    work.code.instructions["constant_loads"] = 6;
    CHECK(part(kernel_time(work, round_machine()), TimeResource::pipes) == near(800000 * 6 / 50e9));
}

TEST_CASE("a time is uncertain where something was not counted", "[time]") {
    KernelWork work = plain_kernel();
    SECTION("a sample's counts") {
        work.distinct_known = false;
    }
    SECTION("atomic additions") {
        work.counts.counts.global_atomic.requests = 1;
    }
    SECTION("sectors written in pieces") {
        work.counts.counts.global_store.sectors *= 8;
    }
    SECTION("spilled registers") {
        work.code.local_bytes = 16;
    }
    const PredictedTime time = kernel_time(work, round_machine());
    CHECK(time.uncertain());
    CHECK(time.doubts.size() == 1);
}

TEST_CASE("kernels add up, and cannot be submitted faster than the host submits", "[time]") {
    const Machine machine = round_machine();
    const PredictedTime one = kernel_time(plain_kernel(), machine);
    const PredictedTime two = sum({one, one}, machine, 2);
    CHECK(two.seconds == near(2 * one.seconds));
    CHECK(part(two, TimeResource::l1) == near(2 * part(one, TimeResource::l1)));

    KernelWork small = plain_kernel();
    small.blocks = 1;
    small.counts = {};
    const PredictedTime short_one = kernel_time(small, machine);
    REQUIRE(short_one.seconds < 2e-6);
    const PredictedTime three = sum({short_one, short_one, short_one}, machine, 3);
    CHECK(three.seconds == near(6e-6));
    CHECK(three.binding().resource == TimeResource::launch);
}

TEST_CASE("a block ends with its longest warp, and a launch with its longest block", "[time]") {
    const Machine machine = round_machine();
    KernelWork work = plain_kernel();
    const double even = part(kernel_time(work, machine), TimeResource::latency);
    work.spread = {1.5, 4};
    // With many consecutive blocks, each takes its own time.
    CHECK(part(kernel_time(work, machine), TimeResource::latency) == near(1.5 * even));
    work.blocks = 100;  // one per SM
    const double longest = part(kernel_time(work, machine), TimeResource::latency);
    work.spread = {};
    CHECK(longest == near(4 * part(kernel_time(work, machine), TimeResource::latency)));
    work.spread = {1.1, 1.6};
    CHECK(kernel_time(work, machine).doubts.back() == "its warps have unequal amounts of work");
}

TEST_CASE("loads that gather wait for each of their lines", "[time]") {
    Machine machine = round_machine();
    machine.l1_latency = 10e-9;
    KernelWork work = plain_kernel();
    auto& loads = work.counts.counts.global_load;
    // A warp loads ten times; a sixteenth of the sectors is new to its block.
    loads.instructions = loads.requests = 8'000'000;
    loads.sectors = 16 * loads.requests;
    work.counts.reads.block_sectors = loads.sectors / 16;
    work.code.instructions = {{"total", 100},     {"global_loads", 10}, {"global_stores", 1},
                              {"cycles", 200},    {"memory_waits", 10}, {"memory_covered", 0},
                              {"brief_waits", 0}, {"brief_covered", 0}};
    loads.lines = 4 * loads.requests;  // whole lines of a row: one new request per warp
    const double rows = part(kernel_time(work, machine), TimeResource::latency);
    loads.lines = 16 * loads.requests;  // each line may be new by itself: all ten loads stall
    const double scattered = part(kernel_time(work, machine), TimeResource::latency);
    // Nine of the ten come from L2 instead of L1, in 125 waves of 8 slots on 100 SMs.
    CHECK(scattered - rows == near(125 * 9 * (100e-9 - 10e-9)));
}

TEST_CASE("a kernel that one launch in four has takes a quarter of its time", "[time]") {
    const PredictedTime one = kernel_time(plain_kernel(), round_machine());
    const PredictedTime quarter = scaled(one, 0.25);
    CHECK(quarter.seconds == near(one.seconds / 4));
    CHECK(quarter.low == near(one.low / 4));
    CHECK(quarter.high == near(one.high / 4));
    CHECK(part(quarter, TimeResource::l1) == near(part(one, TimeResource::l1) / 4));
}

TEST_CASE("a library's kernels move their bytes, one after another", "[time]") {
    const Machine machine = round_machine();
    // Half of the bytes are written, as in a copy: 1 TB/s for 1 GiB each. A graph node takes 1 us,
    // and L2 100 ns for the first block and for the last.
    const double gibibyte = 1 << 30;
    const PredictedTime time = library_time({2 * gibibyte, 2 * gibibyte, 4}, machine);
    CHECK(part(time, TimeResource::dram) == near(4 * gibibyte / 1e12));
    CHECK(part(time, TimeResource::launch) == near(4 * 1.2e-6));
    CHECK(time.seconds == near(4 * gibibyte / 1e12 + 4.8e-6));
    CHECK(time.uncertain());
    CHECK(library_time({}, machine).parts.empty());
}

}  // namespace camber::kernel_time_test
