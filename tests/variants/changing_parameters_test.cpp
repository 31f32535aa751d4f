// Parameters that change from generation to generation, in kernels that compute several generations
// at once.
#include <cstdint>
#include <string>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::changing_parameters_test {
namespace {

// Weighted sum plus a term that depends on the number of the generation.
struct Counted {
    struct Cells : Input<std::uint32_t, 1> {
        static constexpr const char* field = "cells";
        CAMBER_HD static constexpr std::uint32_t outside() { return 5; }
    };
    struct NewCells : Output<std::uint32_t> {
        static constexpr const char* field = "cells";
    };
    using Inputs = InputList<Cells>;
    using Outputs = OutputList<NewCells>;
    struct Parameters {
        std::uint32_t number;
    };
    static Parameters parameters(const ParameterSet& set) {
        return {static_cast<std::uint32_t>(set.value("start"))};
    }
    CAMBER_HD static Parameters later(const Parameters& parameters, int generations) {
        return {parameters.number + static_cast<std::uint32_t>(generations)};
    }

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static std::uint32_t next(const At& at, const Parameters& parameters) {
        return at(0, 0) + 2 * at(-1, 0) + 3 * at(1, -1) + 5 * at(0, 1) +
               parameters.number * parameters.number * 1000003u;
    }
};

State initial_state(Size size) {
    State state;
    state.fields.emplace_back("cells", ElementType::uint32, size);
    for (std::int64_t i = 0; i < size.cells(); ++i)
        state.fields[0].cells<std::uint32_t>()[i] = static_cast<std::uint32_t>(mix(9, i));
    return state;
}

}  // namespace

TEST_CASE("every generation of a launch has its own parameters", "[variants][parameters]") {
    Registry registry;
    AllTechniques::add_to(Catalogue<Counted>(registry, "counted", ElementType::uint32));
    ParameterSet parameters(std::vector<ParameterInfo>{{"start", {40}, "", "first number"}});
    simt::HostQueue queue(1);
    int several = 0;
    for (const Size size : {Size{19, 7}, Size{256, 32}})
        for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
            constexpr int generations = 16;
            const State initial = initial_state(size);
            State expected = initial;
            for (int g = 0; g < generations; ++g)
                run_rules<Counted>(expected, {boundary, parameters, g});
            for (const Variant& variant : registry.variants()) {
                // On the large board, only techniques with several generations per launch.
                if (size.columns > 100 && variant.info.shape.generations == 1) continue;
                CAPTURE(variant.info.name(), size.columns);
                const Problem problem{size, boundary, ElementType::uint32, parameters};
                REQUIRE(reason_to_skip(variant, problem, generations, queue.limits(),
                                       Backend::simt) == std::nullopt);
                const auto execution = variant.factories.at(Backend::simt)(queue, problem);
                execution->upload(initial);
                const int step = variant.info.shape.generations;
                for (int g = 0; g < generations; g += step) {
                    execution->poison(Poison::first);
                    execution->advance(step);
                }
                State got = initial;
                execution->download(got);
                CHECK(same_bytes(got.field("cells"), expected.field("cells")));
                several += step > 1;
            }
        }
    CHECK(several > 40);
}

TEST_CASE("rain ceases in the middle of a launch", "[variants][parameters]") {
    Study study;
    study.workload = find_workload("surface_water");
    ParameterSet parameters(study.workload->facts().parameters);
    parameters.set("rain_steps", {3});
    study.problem = {{33, 17}, Boundary::dead, ElementType::float32, parameters};
    study.initial = {.size = study.problem.size, .cell = ElementType::float32, .seed = 4};
    study.generations = 8;
    study.time = false;
    CaseRunner runner(study);
    CHECK(runner.expected().account.at("rained") > 0);
    int several = 0;
    for (const Variant& variant : registry().variants()) {
        if (variant.info.workload != "surface_water" || variant.info.shape.generations == 1 ||
            !variant.factories.contains(Backend::simt))
            continue;
        const CaseResult result = runner.run(variant);
        CAPTURE(result.record.name, result.record.reason);
        CHECK(result.record.status == results::Status::ok);
        ++several;
    }
    CHECK(several == 2);  // a launch of two generations, one of four

    // Later generations would show it: longer rain gives another result.
    parameters.set("rain_steps", {4});
    const State longer = expected_state(*study.workload, runner.initial(), ElementType::float32,
                                        {Boundary::dead, parameters}, 8);
    CHECK_FALSE(
        compare(runner.expected(), longer, study.workload->tolerance({.generations = 8}), 8, 1)
            .passed());
}

}  // namespace camber::changing_parameters_test
