#include "workloads/lava/lava_workload.hpp"

#include <algorithm>
#include <utility>

#include "workloads/checksum.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/results.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/real_cells.hpp"

namespace camber::lava {
namespace {

WorkloadFacts completed(WorkloadFacts facts) {
    facts.boundaries = {Boundary::dead};
    facts.file_format = "folder of ESRI ASCII grids, vents, emission rates and parameters";
    return facts;
}

}  // namespace

LavaWorkload::LavaWorkload(WorkloadFacts facts) : Workload(completed(std::move(facts))) {}

ParameterSet LavaWorkload::parameters_for(const InitialConditions& conditions) const {
    return conditions.input ? parameters_of(read_event(*conditions.input))
                            : ParameterSet(facts().parameters);
}

std::optional<Size> LavaWorkload::input_size(const std::filesystem::path& path) const {
    return event_size(path);
}

void LavaWorkload::check_save_path(const std::filesystem::path& path) const {
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
