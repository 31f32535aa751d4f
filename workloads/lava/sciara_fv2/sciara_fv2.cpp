// Workload `sciara_fv2`: facts, initial states, tolerance and output of lava flows that cool and
// solidify.
#include "workloads/core/factories.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "workloads/lava/event.hpp"
#include "workloads/lava/lava_workload.hpp"
#include "workloads/lava/results.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"
#include "workloads/lava/start.hpp"

namespace camber {
namespace {

using namespace sciara_fv2;

// Number of steps for which runs that differ in the last bit agree cell by cell, and the minimum
// overlap of their outlines afterwards (docs/verification.md).
constexpr int last_step_by_cells = 4000;
constexpr double least_jaccard = 0.98;

// Copies the event's lava to the state, except on the frame.
void put_lava(State& state, const lava::Event& event) {
    const auto frame = state.field(frame_field).cells<std::uint8_t>();
    const auto put = [&](const std::vector<double>& values, const char* field) {
        const auto cells = state.field(field).cells<double>();
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!frame[i]) cells[i] = values[i];
    };
    put(event.thickness, thickness_field);
    put(event.temperature, temperature_field);
    put(event.solidified, solidified_field);
    open_account(state);
}

WorkloadFacts sciara_fv2_facts() {
    return {
        .name = "sciara_fv2",
        .summary = "Lava flows that cool and solidify, minimisation of differences",
        .source = "Spataro, Avolio, Lupiano, Trunfio, Rongo and D'Ambrosio 2010",
        .cell_types = {ElementType::float64},
        .usual_size = Size{517, 378},
        .parameters = sciara_fv2::parameters(lava::volcano_rates()),
        .written_fields = {altitude_field, thickness_field, temperature_field, solidified_field},
        .stored = {.values = 4, .byte_values = 2},
        // Emission reads vents; outflows read altitude, thickness, temperature and frame, and write
        // eight flows; exchange reads thickness, temperature, eight flows and frame, and writes two
        // fields; cooling reads four fields and frame, and writes four.
        .moved = {.values = (3 + 8) + (10 + 2) + (4 + 4), .byte_values = 4}};
}

class SciaraFv2Workload final : public lava::LavaWorkload,
                                public HasReferenceForms,
                                public SelfEnding {
  public:
    SciaraFv2Workload() : LavaWorkload(sciara_fv2_facts()) {}

    WorkloadCapabilities capabilities() const override {
        return {.reference_forms = this, .self_ending = this, .eruption = this};
    }
    std::vector<ReferenceForm> reference_forms() const override { return active_list_forms(); }
    bool ends_itself(const ParameterSet& set) const override { return stop_rule(set).active; }
    int own_generations(const State& initial, const GenerationContext& context) const override {
        return steps_by_rule(initial, context);
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        step(from, to, context);
    }
    // Powers differ in the last bit between math libraries, and sums in another order do, too. On
    // Etna 2006 such a difference first moves a cell across a threshold after some 4000 steps. From
    // then on cells cannot be compared, but outline and mass hardly change (docs/verification.md).
    Tolerance tolerance(const Computation& computation) const override {
        if (computation.as_reference()) return {};
        Tolerance tolerance{.absolute = 1e-9, .absolute_of = {{temperature_field, 1e-6}}};
        if (computation.generations > last_step_by_cells)
            tolerance.flow = FlowLimits{.mass_error = 1e-9, .jaccard = least_jaccard};
        return tolerance;
    }
    // All steps have the same length, so the supply of every run is that of the reference, except
    // for the lava lost at the edge: flows with different outlines may lose more or less.
    Flow flow(const State& state, const ParameterSet&) const override {
        const auto liquid = state.field(thickness_field).cells<double>();
        const auto solid = state.field(solidified_field).cells<double>();
        Flow flow;
        flow.thickness.resize(liquid.size());
        std::ranges::transform(liquid, solid, flow.thickness.begin(), std::plus<>());
        flow.reached = lava::covered(flow.thickness);
        flow.mass = tree_sum(liquid) + tree_sum(solid);
        const double lost = state.account.at(lost_account);
        flow.supplied =
            state.account.at(initial_account) + state.account.at(emitted_account) - lost;
        flow.supplied_error = (1 - least_jaccard) * std::min(lost, flow.supplied);
        return flow;
    }
    FinalState final_state(const State& state) const override {
        const double liquid = tree_sum(state.field(thickness_field).cells<double>());
        const double solid = tree_sum(state.field(solidified_field).cells<double>());
        return summary_of(state, liquid, solid);
    }

    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        lava::Event event = lava::event_of(run.initial);
        for (const std::string& name : lava::configured_parameters(lava::Form::numbered))
            event.parameters[name] = run.parameters.value(name);
        const auto cells = [&](const char* field) { return state.field(field).cells<double>(); };
        ParameterSet later = run.parameters;
        later.set(first_step_parameter,
                  {later.value(first_step_parameter) + static_cast<double>(run.generations)});
        save_event(state, path, run, event,
                   {cells(altitude_field), cells(thickness_field), cells(temperature_field),
                    cells(solidified_field)},
                   later);
    }

  private:
    void check_parameters(const ParameterSet& set) const override {
        outflow_parameters(set);
        cooling_parameters(set);
        emission_parameters(set);
        stop_rule(set);
    }
    State start_of(const InitialConditions& conditions) const override {
        const lava::Event event = lava::event_of(conditions);
        State state = bare_state(event.map.size, event.altitude, event.vents, event.rates);
        put_lava(state, event);
        return state;
    }
    ParameterSet parameters_of(const lava::Event& event) const override {
        ParameterSet set(sciara_fv2::parameters(event.rates));
        for (const auto& [name, value] : event.parameters) set.set(name, {value});
        return set;
    }
};

}  // namespace

std::unique_ptr<Workload> make_sciara_fv2() {
    return std::make_unique<SciaraFv2Workload>();
}

}  // namespace camber
