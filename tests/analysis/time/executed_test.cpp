#include "analysis/time/executed.hpp"

#include "analysis/time/code_regions.hpp"
#include "tests/catch.hpp"

namespace camber::executed_test {
namespace {

AccessCounts loads(std::int64_t instructions) {
    AccessCounts counts;
    counts.global_load.instructions = instructions;
    return counts;
}

results::Kernel text(std::int64_t total, std::int64_t loads, std::int64_t control = 1) {
    results::Kernel code;
    code.instructions = {{"total", total}, {"global_loads", loads}, {"control", control}};
    return code;
}

}  // namespace

TEST_CASE("a text without loops and branches is executed once", "[time]") {
    const Executions once = executions(loads(900), 100, text(54, 9));
    CHECK(once.usual == 1);
    CHECK(once.high == 1);
    CHECK(once.low == Approx(2.0 / 3));
}

TEST_CASE("memory instructions tell how often loops are gone through", "[time]") {
    const Executions looped = executions(loads(3600), 100, text(54, 9));
    CHECK(looped.usual == 4);
    CHECK(looped.high == 4);
}

TEST_CASE("of shared memory the stores tell of loops", "[time]") {
    results::Kernel code = text(100, 0);
    code.instructions["shared_loads"] = 10;
    code.instructions["shared_stores"] = 2;
    AccessCounts counts;
    counts.shared_load.instructions = 100 * 18;  // the compiler keeps words in registers
    counts.shared_store.instructions = 100 * 2;
    CHECK(executions(counts, 100, code).usual == 1);
    counts.shared_load.instructions *= 3;
    counts.shared_store.instructions *= 3;
    CHECK(executions(counts, 100, code).usual == 3);
}

TEST_CASE("of a text whose branches are partly taken, all between is possible", "[time]") {
    const Executions branched = executions(loads(225), 100, text(54, 9));
    CHECK(branched.usual == 0.5);
    CHECK(branched.low == 0.25);
    CHECK(branched.high == 1);
}

TEST_CASE("of code that is called from several places, the loads tell how much is executed",
          "[time]") {
    results::Kernel code = text(100, 10);
    code.instructions["shared_stores"] = 10;
    code.instructions["shared_loads"] = 20;
    AccessCounts counts = loads(500);  // by 100 warps
    counts.shared_store.instructions = 500;
    counts.shared_load.instructions = 600;
    // Staging consists of twenty accesses and their addresses, half of them executed; sixty
    // instructions compute.
    CHECK(executions(counts, 100, code, 0.25).usual == Approx((0.5 * 40 + 0.25 * 60) / 100));
    CHECK(executions(counts, 100, code, 0.25).high == 1);
    // All code stages if there is no other code.
    code.instructions["total"] = 40;
    CHECK(executions(counts, 100, code, 0.25).usual == 0.5);
}

TEST_CASE("what stages words goes by its own accesses, the rest is executed", "[time]") {
    // A warp makes 5 of 10 staging loads and stores, and executes all code that reads them.
    results::Kernel code;
    code.instructions = {
        {"total", 100}, {"global_loads", 5}, {"shared_stores", 5}, {"shared_loads", 9}};
    AccessCounts counts;
    counts.global_load.instructions = 250;
    counts.shared_store.instructions = 250;
    counts.shared_load.instructions = 900;
    CHECK(executions(counts, 100, code).usual == Approx((20 * 0.5 + 80) / 100));
    LaunchModel launch;
    launch.counts = counts;
    // The busiest warp stages everything.
    CHECK(executions(launch, 100, code).most.at("total") == 100);
}

TEST_CASE("copies of a line that some warps leave out are executed less", "[time]") {
    CHECK(copies_executed({}) == 1);
    CHECK(copies_executed({{0, 100}, {1, 300}}) == 1);  // two lines
    // One line compiled into three copies; an eighth of the warps executes the last one.
    CHECK(copies_executed({{0, 800}, {0, 800}, {0, 100}}) == Approx(1700.0 / 2400));
    // A loop of four iterations does not change the share, nor does a second line with the same
    // pattern.
    CHECK(copies_executed({{0, 3200}, {0, 3200}, {0, 400}, {1, 8}, {1, 8}, {1, 1}}) ==
          Approx(1700.0 / 2400));
}

TEST_CASE("many branches may mean that little is executed", "[time]") {
    CHECK(executions(loads(900), 100, text(100, 9, 8)).low == Approx(0.25));
    CHECK(executions(loads(900), 100, text(100, 9, 7)).low == Approx(2.0 / 3));
}

TEST_CASE("what branches may skip is left out where it is known", "[time]") {
    results::Kernel code = text(100, 9, 8);
    code.instructions["skippable"] = 75;
    const Executions once = executions(loads(900), 100, code);
    CHECK(once.usual == 0.25);
    CHECK(once.low == 0.25);
    CHECK(once.high == 1);
    CHECK(once.rounds == 1);
    const Executions looped = executions(loads(3600), 100, code);
    CHECK(looped.usual == 1);
    CHECK(looped.high == 4);
    CHECK(looped.rounds == 4);
    const Executions branched = executions(loads(225), 100, code);
    CHECK(branched.usual == 0.125);
    CHECK(branched.low == 0.0625);
    CHECK(branched.high == 1);
    code.instructions["skippable"] = 0;
    CHECK(executions(loads(900), 100, code).low == 1);
}

TEST_CASE("a kernel without memory instructions is taken as it is", "[time]") {
    CHECK(executions(AccessCounts(), 100, text(54, 0)).usual == 1);
}

// Ten instructions, and a loop of 40 with a load per iteration, nine iterations, and a stall on
// each load.
LaunchModel loop_of_loads(std::int64_t warps) {
    LaunchModel model;
    model.counts.global_load.instructions = 9 * warps;
    model.counts.global_load.requested_bytes = 128 * 9 * warps;
    return model;
}

results::Kernel text_with_loop(std::map<std::string, std::int64_t> more_in_loop) {
    results::Kernel code = text(50, 1);
    more_in_loop.insert({{"total", 40}, {"global_loads_4", 1}, {"memory_waits", 1}});
    code.regions = {{0, {{"total", 10}, {"memory_waits", 1}}}, {0, std::move(more_in_loop)}};
    return code;
}

TEST_CASE("warps go apart in loops where they neither store to shared memory nor meet", "[time]") {
    const LaunchModel model = loop_of_loads(100);
    CHECK(executions(model, 100, text_with_loop({})).apart == Approx(0.9));
    CHECK(executions(model, 100, text_with_loop({})).go_apart());
    CHECK(executions(model, 100, text_with_loop({{"barriers", 1}})).apart == 0);
    CHECK(executions(model, 100, text_with_loop({{"shared_stores_4", 1}})).apart == 0);
    // Without loops the property is unknown.
    CHECK_FALSE(executions(model, 100, text(50, 1)).go_apart());
}

}  // namespace camber::executed_test
