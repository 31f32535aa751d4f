#include "analysis/time/executed.hpp"

#include "tests/catch.hpp"

namespace camber::executed_test {
namespace {

results::Kernel text(std::int64_t total, std::int64_t loads) {
    results::Kernel code;
    code.instructions = {{"total", total}, {"global_loads", loads}};
    return code;
}

}  // namespace

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

TEST_CASE("code without loops is executed once", "[time]") {
    LaunchModel model;
    model.counts.global_load.instructions = 900;
    model.counts.global_load.requested_bytes = 900 * 128;
    results::Kernel code = text(54, 9);
    code.instructions["skippable"] = 14;
    const Executions once = executions(model, 100, code);
    CHECK(once.instructions.at("total") == Approx(40));
    CHECK(once.most.at("total") == Approx(40));
    CHECK(once.rounds == 1);
    // A quarter of its loads are made: the geometric mean of that share and all is executed.
    model.counts.global_load.instructions = 225;
    model.counts.global_load.requested_bytes = 225 * 128;
    CHECK(executions(model, 100, code).instructions.at("total") == Approx(20));
    // Loops that are not in the file.
    model.counts.global_load.instructions = 3600;
    model.counts.global_load.requested_bytes = 3600 * 128;
    CHECK(executions(model, 100, code).instructions.at("total") == Approx(160));
    CHECK(executions(model, 100, code).rounds == 4);
    // Without memory instructions, nothing is known to be skipped.
    CHECK(executions(LaunchModel(), 100, text(54, 0)).instructions.at("total") == 54);
}

TEST_CASE("staging code goes by its own accesses, the rest by its copies", "[time]") {
    results::Kernel code = text(100, 10);
    code.instructions["shared_stores"] = 10;
    code.instructions["shared_loads"] = 20;
    LaunchModel model;
    model.counts.global_load.instructions = 500;  // by 100 warps
    model.counts.global_load.requested_bytes = 500 * 128;
    model.counts.shared_store = SharedCounts{{500, 500}, 500};
    model.counts.shared_load = SharedCounts{{600, 600}, 600};
    // Staging consists of twenty accesses and their addresses, half of them executed; sixty
    // instructions compute.
    CHECK(executions(model, 100, code, 0.25).instructions.at("total") ==
          Approx(0.5 * 40 + 0.25 * 60));
    // The busiest warp executes everything.
    CHECK(executions(model, 100, code, 0.25).most.at("total") == 100);
    // All code stages if there is no other code.
    code.instructions["total"] = 40;
    CHECK(executions(model, 100, code, 0.25).instructions.at("total") == Approx(20));
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
