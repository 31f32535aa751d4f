// persistent, in every workload that has it: one launch for all requested steps, bit-equal to the
// reference, without races.
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/access_checker.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/variants/differing_fields.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::persistent_test {
namespace {

std::vector<const Variant*> persistent_variants() {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.technique.name == "persistent" &&
            variant.factories.contains(Backend::simt))
            found.push_back(&variant);
    return found;
}

// More tiles than blocks are resident, and a board that tiles overhang.
struct Start {
    const Workload& workload;
    Problem problem;
    State state;

    Start(const Variant& variant, Size size)
        : workload(*find_workload(variant.info.workload)),
          problem{size, Boundary::dead, variant.info.cell,
                  ParameterSet(workload.facts().parameters)},
          state(workload.initial(
              {.size = size, .cell = variant.info.cell, .seed = 7, .density = 0.1})) {}
};

TEST_CASE("persistent variants have the reference's bits after launches of any length",
          "[persistent]") {
    int compared = 0;
    for (const Variant* variant : persistent_variants()) {
        if (variant->info.arithmetic != Arithmetic::canonical) continue;
        CAPTURE(variant->info.name());
        const Start start(*variant, {75, 63});
        simt::HostQueue queue(1);
        const auto execution = variant->factories.at(Backend::simt)(queue, start.problem);
        State expected = start.state, other = start.state, actual = start.state;
        execution->upload(start.state);
        int number = 0;
        for (const int steps : {1, 4, 1, 1, 7, 0, 2}) {
            if (number % 2 == 0) execution->poison(Poison::first);
            execution->advance(steps);
            for (const int end = number + steps; number < end; ++number) {
                start.workload.generation(expected, other,
                                          {Boundary::dead, start.problem.parameters, number, 1});
                std::swap(expected, other);
            }
            execution->download(actual);
            CAPTURE(number);
            REQUIRE(differing_fields(expected, actual).empty());
        }
        CHECK(queue.take_kernel_facts().size() == 1);
        CHECK_FALSE(differing_fields(expected, start.state).empty());
        ++compared;
    }
    CHECK(compared >= 4);
}

// Counts launches.
struct LaunchCount final : simt::Recorder {
    void begin_launch(const simt::Launch& launch, const simt::SiteTable&) override {
        ++launches;
        CHECK(launch.cooperative);
    }
    void record(const simt::Access&) override {}
    void grid_barrier() override { ++barriers; }
    int launches = 0;
    int barriers = 0;
};

TEST_CASE("persistent variants launch once and wait for each other in every step", "[persistent]") {
    for (const Variant* variant : persistent_variants()) {
        CAPTURE(variant->info.name());
        const Start start(*variant, {40, 20});
        simt::HostQueue queue(1);
        const auto execution = variant->factories.at(Backend::simt)(queue, start.problem);
        execution->upload(start.state);
        LaunchCount count;
        queue.executor().set_recorder(&count);
        execution->advance(5);
        queue.executor().set_recorder(nullptr);
        CHECK(count.launches == 1);
        CHECK(count.barriers == 5 * (variant->info.workload == "magflow" ? 2 : 1));
    }
}

TEST_CASE("persistent variants are clean over several steps", "[persistent][check]") {
    for (const Variant* variant : persistent_variants()) {
        const Start start(*variant, {43, 37});
        AccessChecker checker(1);
        simt::HostQueue queue(1);
        queue.set_observer(&checker);
        queue.executor().set_recorder(&checker);
        {
            const auto execution = variant->factories.at(Backend::simt)(queue, start.problem);
            execution->upload(start.state);
            for (const int steps : {3, 2}) {
                execution->poison(Poison::first);
                execution->advance(steps);
            }
        }
        CheckResult result;
        result.variant = variant;
        result.size = start.problem.size;
        result.findings = checker.findings();
        INFO(describe(result));
        CHECK(result.clean());
    }
}

TEST_CASE("persistent variants are for boards of a few million cells", "[persistent]") {
    for (const Variant* variant : persistent_variants()) {
        const Start start(*variant, {8, 8});
        Problem problem = start.problem;
        problem.size = {2048, 2048};
        CHECK_FALSE(variant->unsupported(problem));
        problem.size = {2048, 2049};
        CHECK(variant->unsupported(problem).value_or("") ==
              "is for boards of at most 4194304 cells");
    }
}

}  // namespace
}  // namespace camber::persistent_test
