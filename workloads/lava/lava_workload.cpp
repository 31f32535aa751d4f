#include "workloads/lava/lava_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "workloads/core/saved_state.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/results.hpp"
#include "workloads/lava/start.hpp"

namespace camber::lava {

std::vector<RateCurve> curves_of(std::span<const double> table, int slots, double slot_length,
                                 bool linear) {
    std::vector<RateCurve> curves;
    const auto length = static_cast<std::size_t>(slots);
    for (std::size_t first = 0; length > 0 && first < table.size(); first += length)
        curves.push_back({table.subspan(first, length), slot_length, linear});
    return curves;
}

Supply supply(const RateCurve& curve, double time) {
    Supply supply;
    const std::size_t slots = curve.rates.size();
    double before = slots > 0 ? curve.rates[0] : 0;  // rate immediately before the slot
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const double start = static_cast<double>(slot) * curve.slot_length;
        if (!(start < time)) return supply;
        const double duration = std::min(time - start, curve.slot_length);
        const double first = curve.rates[slot];
        supply.variation += std::abs(first - before);
        before = first;
        if (!curve.linear) {
            supply.volume += first * duration;
            continue;
        }
        // A linear curve ends at the beginning of its last slot.
        if (slot + 1 == slots) break;
        before = first + (curve.rates[slot + 1] - first) * (duration / curve.slot_length);
        supply.volume += (first + before) / 2 * duration;
        supply.variation += std::abs(before - first);
    }
    const double last = static_cast<double>(slots - (curve.linear ? 1 : 0)) * curve.slot_length;
    if (slots > 0 && last < time) supply.variation += before;
    return supply;
}

std::vector<std::uint8_t> covered(std::span<const double> thickness) {
    std::vector<std::uint8_t> cells(thickness.size());
    std::ranges::transform(thickness, cells.begin(), [](double h) { return h > 0; });
    return cells;
}

void add_supply(Flow& flow, std::span<const std::uint8_t> vents,
                const std::vector<RateCurve>& curves, double longest_step, double area) {
    for (const std::uint8_t vent : vents) {
        if (vent == 0 || vent > curves.size()) continue;  // a vent without rates emits nothing
        const Supply given = supply(curves[vent - 1u], flow.time.value());
        flow.supplied += given.volume / area;
        flow.supplied_error += given.variation * longest_step / area;
    }
}

namespace {

WorkloadFacts completed(WorkloadFacts facts) {
    facts.boundaries = {Boundary::dead};
    facts.file_format = "folder of ESRI ASCII grids, vents, emission rates and parameters";
    facts.options = start_options();
    facts.added_by_density = "lava";
    return facts;
}

}  // namespace

LavaWorkload::LavaWorkload(WorkloadFacts facts) : Workload(completed(std::move(facts))) {}

ParameterSet LavaWorkload::parameters_for(const InitialConditions& conditions) const {
    check_choices(conditions);
    const StartChoices choices = start_choices(conditions.options);
    if (choices.plane) {
        Event event = event_of(conditions);
        const ParameterSet usual(facts().parameters);
        for (const std::string& name : configured_parameters(Form::numbered))
            if (const auto own = usual.all().find(name); own != usual.all().end())
                event.parameters.emplace(name, own->second.front());
        return parameters_of(event);
    }
    if (!conditions.input) return ParameterSet(facts().parameters);
    ParameterSet parameters =
        parameters_of(refined(read_event(*conditions.input), choices.refinement));
    if (const auto head = saved_head(*this, conditions))
        take_parameters(*head, parameters,
                        [this](const ParameterSet& set) { check_parameters(set); });
    return parameters;
}

State LavaWorkload::initial(const InitialConditions& conditions) const {
    if (conditions.input_at) event_of(conditions);  // throws: an event has no position on the board
    const auto example = [this](ElementType cell) {
        return start_of({.size = {16, 12}, .cell = cell, .density = 0});
    };
    auto saved = saved_state(*this, conditions, example);
    return saved ? std::move(*saved) : start_of(conditions);
}

std::string LavaWorkload::describe_start(const InitialConditions& conditions,
                                         const ParameterSet& parameters) const {
    if (!start_choices(conditions.options).plane)
        return Workload::describe_start(conditions, parameters);
    const double density = conditions.density.value_or(0);
    return fmt::format(
        "a plane with a crater{}",
        density > 0 ? fmt::format(" and lava, seed {}, density {}", conditions.seed, density) : "");
}

std::string LavaWorkload::input_note(const InitialConditions& conditions) const {
    if (!conditions.input) return "";
    if (const auto head = saved_head(*this, conditions))
        return fmt::format(", gone on from generation {}", head->generations);
    std::string note = changes_note(conditions, added_density(conditions));
    if (find_event_files(*conditions.input).thickness)
        note += ", with its lava; time and all that its rasters do not hold begin anew";
    return note;
}

void LavaWorkload::save_event(const State& state, const std::filesystem::path& path, const Run& run,
                              const Event& event, const Rasters& rasters,
                              const ParameterSet& parameters) const {
    const auto before = saved_head(*this, run.initial);
    save_results(path, event, rasters, (before ? before->generations : 0) + run.generations,
                 run.comment, [&](const std::filesystem::path& folder) {
                     save_state(*this, state, folder, run, parameters);
                 });
}

std::optional<Size> LavaWorkload::input_size(const std::filesystem::path& path,
                                             const OptionValues& options) const {
    const StartChoices choices = start_choices(options);
    return size_of(size_of(event_size(path), {choices.refinement, choices.refinement}),
                   choices.tiles);
}

void LavaWorkload::check_save_path(const std::filesystem::path& path,
                                   const OptionValues& options) const {
    if (start_choices(options).tiles != Size{1, 1})
        throw Error(ExitCode::usage,
                    "--save cannot write a board that --tile has repeated: leave out one of the "
                    "two");
    check_results_folder(path);
}

std::vector<std::uint8_t> LavaWorkload::real_event(const InitialConditions& conditions) const {
    return conditions.input ? event_of(conditions).real : std::vector<std::uint8_t>();
}

FinalState LavaWorkload::summary_of(const State& state, double liquid, double solid) const {
    Checksum checksum;
    for (const HostField& field : state.fields)
        if (writes(field.name())) checksum.add(field.bytes());
    FinalState final{"mass", liquid + solid, checksum.value(), state.account};
    final.account[liquid_account] = liquid;
    final.account[solid_account] = solid;
    final.account[active_share_account] = active_share(state.field(thickness_field));
    return final;
}

double active_share(const HostField& thickness) {
    return with_real_cells(thickness, [](auto cells) {
        return static_cast<double>(std::ranges::count_if(cells, [](auto h) { return h > 0; })) /
               static_cast<double>(cells.size());
    });
}

}  // namespace camber::lava
