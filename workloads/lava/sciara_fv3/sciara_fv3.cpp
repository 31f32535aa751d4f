// Workload `sciara_fv3`: facts, initial states, tolerance and output of lava flows with momentum.
#include "workloads/core/factories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "harness/base/error.hpp"
#include "workloads/lava/lava_workload.hpp"
#include "workloads/lava/results.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"
#include "workloads/lava/sciara_fv3/parameters.hpp"
#include "workloads/lava/sciara_fv3/reference.hpp"
#include "workloads/lava/start.hpp"

namespace camber {
namespace {

using namespace sciara_fv3;

// Configuration parameters of an eruption that apply to this model, too. All others were calibrated
// for SCIARA-fv2.
constexpr const char* shared_parameters[] = {
    "cell_side", "t_sol", "t_vent", "density", "emissivity", "stefan_boltzmann", "heat_capacity"};

void check_ground(const lava::Event& event) {
    for (const lava::VentCell& vent : event.vents) {
        const std::size_t i =
            static_cast<std::size_t>(vent.row) * event.map.size.columns + vent.column;
        if (event.altitude[i] < 0)
            throw Error(ExitCode::usage,
                        fmt::format("vent {} in row {}, column {} lies where no altitude is known: "
                                    "move it",
                                    vent.id, vent.row, vent.column));
    }
}

// Copies the event's lava to the state, except in cells of unknown altitude.
void put_lava(State& state, const lava::Event& event) {
    const auto put = [&](std::vector<double> values, const char* field) {
        if (values.empty()) return;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (event.altitude[i] < 0) values[i] = 0;
        assign(state.field(field), values);
    };
    put(event.thickness, thickness_field);
    put(event.temperature, temperature_field);
    put(event.solidified, solidified_field);
    open_account(state);
}

// Number of cells at the edge that have or had lava. The edge is a wall and may have changed the
// flow's course there.
int at_edge(const State& state) {
    const Size size = state.field(thickness_field).size();
    const auto liquid = values_of(state.field(thickness_field));
    const auto solid = values_of(state.field(solidified_field));
    int count = 0;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column) {
            const bool edge =
                row == 0 || row == size.rows - 1 || column == 0 || column == size.columns - 1;
            const std::size_t i = static_cast<std::size_t>(row) * size.columns + column;
            count += edge && (liquid[i] > 0 || solid[i] > 0);
        }
    return count;
}

WorkloadFacts sciara_fv3_facts() {
    return {.name = "sciara_fv3",
            .summary = "Lava flows with momentum, in steps as long as the fastest lava allows",
            .source = "a thesis on SCIARA-fv3, Università della Calabria",
            .cell_types = {ElementType::float64, ElementType::float32},
            .usual_size = Size{517, 378},
            .parameters = sciara_fv3::parameters(lava::volcano_rates()),
            .written_fields = {altitude_field, thickness_field, temperature_field, momentum_x_field,
                               momentum_y_field, solidified_field, clock_field},
            .stored = {.values = 6, .byte_values = 1},
            // Emission reads vents; candidates read altitude, thickness, temperature and momentum,
            // and write one field, which the minimum reads; outflow reads five fields and writes
            // sixteen; exchange reads twenty and writes four; cooling reads and writes six.
            .moved = {.values = (5 + 1 + 1) + (5 + 16) + (20 + 4) + (6 + 6), .byte_values = 1},
            .account = {{emitted_account, 1}}};
}

class SciaraFv3Workload final : public lava::LavaWorkload, public HasReferenceForms {
  public:
    SciaraFv3Workload() : LavaWorkload(sciara_fv3_facts()) {}

    WorkloadCapabilities capabilities() const override {
        return {.reference_forms = this, .eruption = this};
    }
    std::vector<ReferenceForm> reference_forms() const override { return active_list_forms(); }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        if (from.field(thickness_field).element() == ElementType::float32)
            step<float>(from, to, context);
        else
            step<double>(from, to, context);
    }
    // Elementary functions differ in the last bit between math libraries, and sums in another order
    // do, too. In double, that stays invisible for hundreds of steps. In float, if much lava flows,
    // fewer than one in a thousand cells cross a threshold within twenty steps. Some thirty steps
    // later, the clock has spread the difference to all cells, which then cannot be compared any
    // more (docs/verification.md).
    Tolerance tolerance(const Computation& computation) const override {
        if (computation.as_reference()) return {};
        const bool is_double = computation.cell == ElementType::float64;
        const int generations = computation.generations;
        Tolerance tolerance;
        tolerance.absolute = is_double ? 1e-9 : 5e-4;
        tolerance.outliers = is_double ? 0 : 1e-3;
        tolerance.absolute_of = {{temperature_field, is_double ? 1e-6 : 0.02},
                                 {clock_field, is_double ? 1e-6 : 1e-3}};
        // Fast functions and arbitrary orders of sums cross thresholds sooner.
        const bool rough = !is_double && computation.on_device && computation.reordered;
        if (rough || generations > (is_double ? 200 : 20))
            tolerance.flow = FlowLimits{.mass_error = is_double ? 1e-12 : 1e-5,
                                        .jaccard = is_double ? 0.98 : 0.90,
                                        .time_difference = 0.1,
                                        .least_cells = is_double || generations > 100 ? 0 : 1000};
        return tolerance;
    }
    // Flows are compared by their liquid lava.
    camber::Flow flow(const State& state, const ParameterSet& set) const override {
        camber::Flow flow;
        flow.thickness = values_of(state.field(thickness_field));
        flow.reached = lava::covered(flow.thickness);
        const auto solid = values_of(state.field(solidified_field));
        for (std::size_t i = 0; i < solid.size(); ++i) flow.reached[i] |= solid[i] > 0;
        flow.mass = total(state.field(thickness_field)) + total(state.field(solidified_field));
        flow.time = state.field(clock_field).cells<double>()[1];
        flow.supplied = state.account.at(initial_account);
        const Emission emission = emission_parameters(set);
        const ClockParameters<double> clock = clock_parameters<double>(set);
        lava::add_supply(flow, state.field(vents_field).cells<std::uint8_t>(),
                         lava::curves_of(emission.rates, emission.slots, emission.slot_length),
                         std::max(clock.start, clock.relaxation * clock.longest),
                         emission.side * emission.side);
        return flow;
    }
    FinalState final_state(const State& state) const override {
        const double liquid = total(state.field(thickness_field));
        const double solid = total(state.field(solidified_field));
        FinalState final = summary_of(state, liquid, solid);
        final.account[edge_account] = at_edge(state);
        final.account[time_account] = state.field(clock_field).cells<double>()[1];
        return final;
    }

    // Rasters cannot contain momentum and time; the state beside them does. Parameters of
    // SCIARA-fv2 alone are written with the input's values, or with that model's defaults.
    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        lava::Event event = lava::event_of(run.initial);
        for (const ParameterInfo& parameter : sciara_fv2::parameters(lava::volcano_rates()))
            event.parameters.emplace(parameter.name, parameter.values.front());
        for (const char* name : shared_parameters)
            event.parameters[name] = run.parameters.value(name);
        const auto values = [&](const char* field) { return values_of(state.field(field)); };
        const auto altitude = values(altitude_field);
        const auto thickness = values(thickness_field);
        const auto temperature = values(temperature_field);
        const auto solidified = values(solidified_field);
        save_event(state, path, run, event, {altitude, thickness, temperature, solidified},
                   run.parameters);
    }

  private:
    void check_parameters(const ParameterSet& set) const override {
        outflow_parameters<double>(set);
        cooling_parameters<double>(set);
        clock_parameters<double>(set);
        emission_parameters(set);
    }
    State start_of(const InitialConditions& conditions) const override {
        const lava::Event event = lava::event_of(conditions);
        check_ground(event);
        State state =
            bare_state(event.map.size, conditions.cell, event.altitude, event.vents, event.rates);
        put_lava(state, event);
        return state;
    }
    ParameterSet parameters_of(const lava::Event& event) const override {
        ParameterSet set(sciara_fv3::parameters(event.rates));
        for (const char* name : shared_parameters) set.set(name, {event.parameters.at(name)});
        return set;
    }
};

}  // namespace

std::unique_ptr<Workload> make_sciara_fv3() {
    return std::make_unique<SciaraFv3Workload>();
}

}  // namespace camber
