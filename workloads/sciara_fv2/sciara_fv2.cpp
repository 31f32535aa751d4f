#include "workloads/sciara_fv2/sciara_fv2.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "workloads/lava/event.hpp"
#include "workloads/lava/lava_workload.hpp"
#include "workloads/lava/results.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/lava/supply.hpp"
#include "workloads/lava/volcano.hpp"
#include "workloads/sciara_fv2/parameters.hpp"
#include "workloads/sciara_fv2/reference.hpp"
#include "workloads/sciara_fv2/state.hpp"

namespace camber {
namespace {

using namespace sciara_fv2;

// How long, and how well afterwards, runs agree that differ in the last bit (docs/verification.md).
constexpr int last_step_by_cells = 4000;
constexpr double least_jaccard = 0.98;

// Cells of the frame start without lava, and what is solid has no temperature of its own.
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

class SciaraFv2Workload final : public lava::LavaWorkload {
  public:
    std::string_view name() const override { return "sciara_fv2"; }
    std::string_view summary() const override {
        return "Lava flows that cool and solidify, minimisation of differences";
    }
    std::string_view source() const override {
        return "Spataro, Avolio, Lupiano, Trunfio, Rongo and D'Ambrosio 2010";
    }
    std::vector<ElementType> cell_types() const override { return {ElementType::float64}; }
    std::optional<Size> usual_size() const override { return Size{517, 378}; }
    std::vector<ParameterInfo> parameters() const override {
        return sciara_fv2::parameters(lava::volcano_rates());
    }
    ParameterSet parameters_for(const InitialConditions& conditions) const override {
        if (!conditions.input) return ParameterSet(parameters());
        const lava::Event event = lava::read_event(*conditions.input);
        ParameterSet set(sciara_fv2::parameters(event.rates));
        for (const auto& [name, value] : event.parameters) set.set(name, {value});
        return set;
    }

    State initial(const InitialConditions& conditions) const override {
        const lava::Event event = lava::event_of(conditions);
        State state = bare_state(event.map.size, event.altitude, event.vents, event.rates);
        put_lava(state, event);
        return state;
    }
    bool ends_itself(const ParameterSet& set) const override { return stop_rule(set).active; }
    int own_generations(const State& initial, const GenerationContext& context) const override {
        return steps_by_rule(initial, context);
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        step(from, to, context);
    }
    // Powers differ in the last bit between mathematical libraries, and sums do in another order.
    // On Etna 2006 that moves a cell across a threshold after some 4000 steps and not before; then
    // nothing can be said cell by cell, but the outline and the mass hardly change
    // (docs/verification.md).
    Tolerance device_tolerance(ElementType, int generations) const override {
        Tolerance tolerance{.absolute = 1e-9, .absolute_of = {{temperature_field, 1e-6}}};
        if (generations > last_step_by_cells)
            tolerance.flow = FlowLimits{.mass_error = 1e-9, .jaccard = least_jaccard};
        return tolerance;
    }
    // Steps have one length, so that the reference's account is that of every run but for what was
    // lost: flows whose outlines may differ may also lose as much more or less, or keep it.
    std::optional<Flow> flow(const State& state, const ParameterSet&) const override {
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
    bool writes(std::string_view field) const override {
        return field != frame_field && field != vents_field;
    }

    double stored_bytes_per_cell(ElementType) const override { return 4 * 8 + 2; }
    // Vents read; outflows: altitude, thickness, temperature and frame read, eight flows written;
    // exchange: thickness, temperature, eight flows and frame read, two written; cooling: four
    // fields and frame read, four written.
    double application_bytes_per_cell(ElementType) const override {
        constexpr double real = 8, byte = 1;
        return byte + (3 * real + byte + 8 * real) + (10 * real + byte + 2 * real) +
               (4 * real + byte + 4 * real);
    }

    FinalState final_state(const State& state) const override {
        const double liquid = tree_sum(state.field(thickness_field).cells<double>());
        const double solid = tree_sum(state.field(solidified_field).cells<double>());
        FinalState final = summary_of(state, liquid + solid);
        final.account[liquid_account] = liquid;
        final.account[solid_account] = solid;
        return final;
    }

    void save_run(const State& state, const std::filesystem::path& path,
                  const Run& run) const override {
        lava::Event event = lava::event_of(run.initial);
        for (const std::string& name : lava::configured_parameters(lava::Form::numbered))
            event.parameters[name] = run.parameters.value(name);
        const auto cells = [&](const char* field) { return state.field(field).cells<double>(); };
        lava::save_results(path, event,
                           {cells(altitude_field), cells(thickness_field), cells(temperature_field),
                            cells(solidified_field)},
                           run.generations);
    }
};

}  // namespace

std::unique_ptr<Workload> make_sciara_fv2() {
    return std::make_unique<SciaraFv2Workload>();
}

}  // namespace camber
