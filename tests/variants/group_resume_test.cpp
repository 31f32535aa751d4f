// States do not depend on devices: a simulation that is saved on some devices and resumed on others
// ends bit-equal to one without interruption.
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "tests/variants/group_runs.hpp"

namespace camber::group_resume_test {
namespace {

using namespace group_runs;

struct Simulation {
    const char* workload;
    ElementType cell;
    const char* variant;
    const char* file;  // name of the saved file; a folder if it has no extension
    double density;
    bool overlap = true;
    bool is_box = false;  // a box variant, which divides whole boards and begins on one device
};

const Simulation simulations[] = {
    {"life", ElementType::uint32, "halo/16x16/align128", "saved.rle", 0.5},
    {"water_flow", ElementType::float32, "halo/fused/16x16/align128", "saved.asc", 0.5},
    {"surface_water", ElementType::float32, "halo/four_kernels/16x16/align128", "saved.asc", 0.5},
    {"magflow", ElementType::float32, "halo/four_kernels/64x4/align128", "saved", 0.4},
    {"magflow", ElementType::float64, "fused_minimum/three_kernels/64x4/align128", "saved", 0.4},
    {"magflow", ElementType::float32, "bounding_box/host/64x4/tight/align128", "saved", 0.01, true,
     true},
    {"sciara_fv2", ElementType::float64, "halo/four_kernels/64x4/align128", "saved", 0.4},
    {"sciara_fv2", ElementType::float64, "one_kernel/16x16", "saved", 0.4, false},
    {"sciara_fv3", ElementType::float64, "halo/six_kernels/64x4/align128", "saved", 0.4},
    {"sciara_fv3", ElementType::float32, "halo/six_kernels/64x4/align128", "saved", 0.4},
};

struct Start {
    explicit Start(const Workload& workload, const InitialConditions& conditions)
        : parameters(workload.parameters_for(conditions)), state(workload.initial(conditions)) {}
    ParameterSet parameters;
    State state;
};

// Result of a variant after `generations` from a start; on one device if there is no choice.
State run(const Variant& variant, const Start& start, int generations, const GroupChoice* choice) {
    simt::HostQueue lead(1);
    const Problem problem{start.state.fields.front().size(), Boundary::dead, variant.info.cell,
                          start.parameters};
    const auto execution = choice
                               ? variant.group_factories.at(Backend::simt)(lead, problem, *choice)
                               : variant.factories.at(Backend::simt)(lead, problem);
    execution->upload(start.state);
    execution->advance(generations);
    State state = start.state;
    execution->download(state);
    return state;
}

}  // namespace

TEST_CASE("what is saved on some places goes on on others", "[group]") {
    for (const Simulation& simulation : simulations) {
        CAPTURE(simulation.workload, simulation.variant);
        const Workload& workload = *find_workload(simulation.workload);
        const Variant& variant = executor_variant(
            std::string(simulation.workload) + "/" + simulation.variant, simulation.cell);
        const InitialConditions conditions{
            .size = {37, 29}, .cell = simulation.cell, .seed = 3, .density = simulation.density};
        const Start start(workload, conditions);
        constexpr int first = 9;
        constexpr int rest = 11;
        const State whole = run(variant, start, first + rest, nullptr);
        const auto with_start = [&](GroupChoice choice) {
            if (!simulation.is_box) return choice;
            choice.division.allocation = Allocation::whole;
            choice.division.start = {true, 4, {}};
            return choice;
        };
        const GroupChoice three =
            with_start(choice_of({2, 1, 1}, {ExchangePath::copies, simulation.overlap}));
        for (const GroupChoice& chosen :
             {choice_of({1, 2}, {ExchangePath::stores, simulation.overlap}),
              choice_of({1, 1, 1, 1, 1}, {ExchangePath::staged, false}),
              choice_of(1, {ExchangePath::copies, simulation.overlap})}) {
            const GroupChoice others = with_start(chosen);
            CAPTURE(others.places());
            const results_test::TestFolder folder;
            const auto path = folder.path() / simulation.file;
            const State half = run(variant, start, first, &three);
            CHECK(std::ranges::any_of(whole.fields, [&](const HostField& field) {
                return !std::ranges::equal(half.field(field.name()).bytes(), field.bytes());
            }));
            workload.save(half, path, {conditions, start.parameters, first});
            InitialConditions saved = conditions;
            saved.input = path;
            saved.density.reset();
            const State end = run(variant, Start(workload, saved), rest, &others);
            for (const HostField& field : whole.fields) {
                CAPTURE(field.name());
                CHECK(std::ranges::equal(end.field(field.name()).bytes(), field.bytes()));
            }
        }
    }
}

}  // namespace camber::group_resume_test
