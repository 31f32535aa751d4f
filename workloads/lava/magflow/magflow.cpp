// Workload `magflow`: facts, initial states, tolerance and output of lava flows as a Bingham fluid.
#include "workloads/core/factories.hpp"

#include <cstdint>
#include <vector>

#include "workloads/lava/event.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/lava_workload.hpp"
#include "workloads/lava/magflow/parameters.hpp"
#include "workloads/lava/magflow/reference.hpp"
#include "workloads/lava/results.hpp"
#include "workloads/lava/start.hpp"

namespace camber {
namespace {

using namespace magflow;

// Altitude of event cells without ground. Altitudes of an event are those of the surface.
constexpr double no_ground = -9999;

// Number of cells of each vent in the event itself. Cells of tiled copies have the same rates, so
// copies do not count.
std::vector<double> cells_of_vents(const lava::Event& event) {
    std::vector<double> cells(event.rates.vents.size());
    for (const lava::VentCell& vent : event.vents) ++cells[event.rates.index_of(vent.id)];
    return cells;
}

// Configuration parameters that MAGFLOW uses. All others, such as the solidification temperature,
// were fitted to another model.
constexpr const char* shared_parameters[] = {"cell_side", "density", "heat_capacity", "emissivity",
                                             "t_vent"};

double capacity_of(const ParameterSet& set) {
    return update_parameters<double>(set).cell_capacity;
}

WorkloadFacts magflow_facts() {
    const lava::EmissionRates& rates = lava::volcano_rates();
    return {
        .name = "magflow",
        .summary = "Lava flows that cool and solidify, a Bingham fluid in steps of variable length",
        .source = "Bilotta, Rustico, Herault, Vicari, Russo, Del Negro and Gallo 2011",
        .cell_types = {ElementType::float32, ElementType::float64},
        .usual_size = Size{382, 819},
        .parameters = magflow::parameters(rates, std::vector<double>(rates.vents.size(), 1)),
        .written_fields = {thickness_field, solidified_field, heat_field, temperature_field,
                           time_field},
        .stored = {.values = 5, .byte_values = 1},
        // Erupt reads vents; the fluxes read altitude, solid and fluid lava, temperature and vents,
        // and write two fluxes and the longest step; the minimum reads that step; Update reads four
        // fields and two fluxes and writes four fields.
        .moved = {.values = 7 + 1 + 10, .byte_values = 2},
        .account = {{emitted_account, 1}}};  // walls: no lava leaves the board
}

class MagflowWorkload final : public lava::LavaWorkload, public HasReferenceForms {
  public:
    MagflowWorkload() : LavaWorkload(magflow_facts()) {}

    WorkloadCapabilities capabilities() const override {
        return {.reference_forms = this, .eruption = this};
    }
    std::vector<ReferenceForm> reference_forms() const override { return active_list_forms(); }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        step(from, to, context);
    }
    // All variants add in the reference's order, on any backend, and are bit-equal. With another
    // order, results stay close as long as no lava ponds at an edge (docs/verification.md).
    Tolerance tolerance(const Computation& computation) const override {
        if (!computation.reordered) return {};
        return {.flow = FlowLimits{
                    .mass_error = computation.cell == ElementType::float64 ? 1e-12 : 1e-6,
                    .largest_difference = 1e-3,
                    .covered_difference = 0.01}};
    }
    Flow flow(const State& state, const ParameterSet& set) const override {
        Flow flow;
        flow.thickness = lava::values_of(state.field(thickness_field));
        const std::vector<double> solid = lava::values_of(state.field(solidified_field));
        for (std::size_t i = 0; i < solid.size(); ++i) flow.thickness[i] += solid[i];
        flow.reached = lava::covered(flow.thickness);
        flow.mass = total(state.field(thickness_field)) + total(state.field(solidified_field));
        flow.time = state.field(time_field).cells<double>()[0];
        flow.supplied = state.account.at(initial_account);
        const Effusion given = effusion(set);
        const CurveShape& shape = given.shape;
        lava::add_supply(flow, state.field(vents_field).cells<std::uint8_t>(),
                         lava::curves_of(given.rates, shape.slots, shape.slot_length, shape.linear),
                         longest_step(set), cell_area(set));
        return flow;
    }
    FinalState final_state(const State& state) const override {
        const double liquid = total(state.field(thickness_field));
        const double solid = total(state.field(solidified_field));
        FinalState final = summary_of(state, liquid, solid);
        final.account[time_account] = state.field(time_field).cells<double>()[0];
        final.account[edge_reached_account] = edge_reached(state);
        return final;
    }

    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        lava::Event event = lava::event_of(run.initial);
        // Configuration keys that MAGFLOW does not use are written with the input's value, or 0.
        for (const std::string& name : lava::configured_parameters(lava::Form::numbered)) {
            const auto& own = run.parameters.all();
            if (const auto found = own.find(name); found != own.end())
                event.parameters[name] = found->second.front();
            else
                event.parameters.try_emplace(name, 0);
        }
        const std::vector<double> solid = lava::values_of(state.field(solidified_field));
        std::vector<double> surface = lava::values_of(state.field(altitude_field));
        event.map.no_data = event.map.no_data.value_or(no_ground);
        for (std::size_t i = 0; i < surface.size(); ++i)
            surface[i] = surface[i] < wall ? surface[i] + solid[i] : *event.map.no_data;
        const std::vector<double> thickness = lava::values_of(state.field(thickness_field));
        const std::vector<double> temperature = lava::values_of(state.field(temperature_field));
        save_event(state, path, run, event, {surface, thickness, temperature, solid},
                   run.parameters);
    }

  private:
    void check_parameters(const ParameterSet& set) const override {
        flow_parameters<double>(set);
        update_parameters<double>(set);
        longest_step(set);
        effusion(set);
        lagged(set);
    }
    State start_of(const InitialConditions& conditions) const override {
        return initial_state(lava::event_of(conditions), conditions.cell,
                             capacity_of(parameters_for(conditions)));
    }
    ParameterSet parameters_of(const lava::Event& event) const override {
        ParameterSet set(magflow::parameters(event.rates, cells_of_vents(event)));
        for (const char* name : shared_parameters) set.set(name, {event.parameters.at(name)});
        return set;
    }
};

}  // namespace

std::unique_ptr<Workload> make_magflow() {
    return std::make_unique<MagflowWorkload>();
}

}  // namespace camber
