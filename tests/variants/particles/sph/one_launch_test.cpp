// Iterations of particles in one launch: bit-equal to the reference, without races; and removing
// any barrier causes races.
#include "variants/particles/sph/one_launch.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/predict/access_checker.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/variants/differing_fields.hpp"
#include "tests/variants/particles/sph/start.hpp"

namespace camber::sph::one_launch_test {
namespace {

std::vector<const Variant*> one_launch_variants() {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.technique.name == "neighbour_list_one_launch") found.push_back(&variant);
    return found;
}

struct Start : sph_test::Start {
    explicit Start(double dp, int rebuild = 3)
        : sph_test::Start({{"dp", dp}, {"rebuild", 1.0 * rebuild}}) {}
};

// Counts the launches of each kernel, and grid barriers.
struct Launches final : simt::Recorder {
    void begin_launch(const simt::Launch& launch, const simt::SiteTable&) override {
        const bool whole = launch.name.ends_with("iterations");
        ++(whole ? iterations : others);
        CHECK(launch.cooperative == whole);
    }
    void record(const simt::Access&) override {}
    void grid_barrier() override { ++barriers; }
    int iterations = 0;
    int others = 0;
    int barriers = 0;
};

using Lists =
    Form<InterleavedList, QuadFields, Read::plain, SortedOrder<RowOrder, float>, FusedMinimum>;

// The variant without the barrier at one of its phases.
template <Phase left_out>
struct Without {
    template <Phase phase>
    static void wait(Site site = Site::current()) {
        if constexpr (phase != left_out) grid_barrier(site);
    }
};

template <class Waits>
CheckResult checked(const Start& start) {
    AccessChecker checker(1);
    simt::HostQueue queue(1);
    queue.set_observer(&checker);
    queue.executor().set_recorder(&checker);
    {
        OneLaunchExecution<Lists, Waits> execution(queue, start.problem, 128);
        execution.upload(start.state);
        for (const int steps : {2, 3}) {
            execution.poison(Poison::first);
            execution.advance(steps);
        }
    }
    CheckResult result;
    result.variant = one_launch_variants().front();
    result.size = start.problem.size;
    result.findings = checker.findings();
    return result;
}

}  // namespace

// More particles than are resident at once, and fewer.
TEST_CASE("particles in one launch have the reference's bits after launches of any length",
          "[sph]") {
    REQUIRE(one_launch_variants().size() == 2);
    for (const double dp : {0.05, 0.1})
        for (const Variant* variant : one_launch_variants()) {
            CAPTURE(variant->info.name(), dp);
            const Start start(dp);
            CHECK((start.problem.size.cells() > 2048) == (dp < 0.1));
            simt::HostQueue queue(1);
            const auto execution = variant->factories.at(Backend::simt)(queue, start.problem);
            State expected = start.state, actual = start.state;
            execution->upload(start.state);
            int number = 0;
            for (const int steps : {1, 4, 1, 1, 7, 0, 2}) {
                execution->poison(Poison::first);
                execution->advance(steps);
                camber::advance(start.workload, expected,
                                {.parameters = start.problem.parameters, .number = number}, steps);
                number += steps;
                execution->download(actual);
                CAPTURE(number);
                REQUIRE(differing_fields(expected, actual).empty());
            }
            CHECK_FALSE(differing_fields(expected, start.state).empty());
        }
}

TEST_CASE("particles launch once from list to list", "[sph]") {
    for (const Variant* variant : one_launch_variants()) {
        const Start start(0.1, 4);
        simt::HostQueue queue(1);
        const auto execution = variant->factories.at(Backend::simt)(queue, start.problem);
        execution->upload(start.state);
        Launches count;
        queue.executor().set_recorder(&count);
        execution->advance(10);
        queue.executor().set_recorder(nullptr);
        // Lists in iterations 0, 4 and 8.
        CHECK(count.iterations == 3);
        CHECK(count.barriers == 2 * 10 + 3);
        CHECK(count.others == 3 * 3);  // hash, reorder, neighbours
    }
}

TEST_CASE("particles in one launch are clean, and not without one of its waits", "[check][sph]") {
    const Start start(0.1);
    const CheckResult all = checked<EveryPhase>(start);
    INFO(describe(all));
    CHECK(all.clean());
    const auto races = [](const CheckResult& result) {
        return std::ranges::count(result.findings, FindingKind::block_race, &Finding::kind);
    };
    CHECK(races(checked<Without<Phase::ahead>>(start)) > 0);
    CHECK(races(checked<Without<Phase::moved>>(start)) > 0);
    CHECK(races(checked<Without<Phase::corrected>>(start)) > 0);
}

TEST_CASE("one launch is for a million particles", "[sph]") {
    for (const Variant* variant : one_launch_variants()) {
        CHECK_FALSE(variant->unsupported(Start(0.1).problem));
        Problem problem = Start(0.1).problem;
        problem.parameters.set("dp", {0.0043});
        CHECK_THAT(variant->unsupported(problem).value_or(""),
                   contains("takes at most 1048576 particles, and this problem has 15"));
    }
}

}  // namespace camber::sph::one_launch_test
