#include "harness/measure/case_result.hpp"

#include <variant>

#include "analysis/profile/figures.hpp"
#include "harness/groups/group.hpp"
#include "workloads/core/named_arrays.hpp"

namespace camber {

results::CaseRecord record_of(const Study& study, const Case& chosen) {
    const VariantInfo& info = chosen.variant->info;
    results::CaseRecord record;
    record.name = case_name(study, chosen);
    results::Identity& identity = record.identity;
    identity.workload = info.workload;
    identity.technique = info.technique.name;
    identity.variant = info.name();
    for (const Parameter& parameter : info.parameters)
        identity.parameters.emplace_back(
            parameter.name,
            std::visit([](const auto& value) { return results::Scalar(value); }, parameter.value));
    identity.scaling = study.place;
    if (info.group) identity.group = results::recorded(*info.group, study.backend == Backend::cuda);
    identity.size = study.problem.size;
    identity.cell = camber::info(study.problem.cell).name;
    identity.generations = study.generations;
    identity.rule = study.problem.parameters.rule();
    identity.workload_parameters = study.problem.parameters.all();
    identity.backend = study.backend;
    if (study.backend == Backend::cuda) identity.device = study.device;
    identity.boundary = study.problem.boundary;
    identity.cache = chosen.conditions.cache;
    identity.submission = chosen.conditions.submission;
    identity.from_start = study.from_start;
    if (study.begin > 0) identity.begin = study.begin;
    const InitialConditions& initial = study.initial;
    const double added = study.workload->added_density(initial);
    if (!initial.input || added > 0) identity.seed = initial.seed;
    constexpr Size one{1, 1};
    if (const Size tiles = size_value(initial.options, tile_option, one); tiles != one)
        identity.input_tiles = tiles;
    if (added > 0) identity.added_density = added;
    identity.generations_per_launch = info.shape.generations;
    identity.arithmetic = info.arithmetic;
    return record;
}

void add_limits(results::Document& document) {
    const results::Run* run = document.run();
    if (!run) return;
    for (results::CaseRecord& record : document.cases) {
        const auto limit = profile::binding_limit(*run, record);
        if (!limit) continue;
        record.derived->limit = key(limit->resource);
        record.derived->share_of_limit = limit->share();
    }
}

results::Work work_of(const Study& study, const Variant& variant) {
    results::Work work;
    work.cells = static_cast<double>(study.problem.size.cells());
    work.application_bytes_per_cell = moved_bytes_per_cell(*study.workload, study.problem.cell);
    if (variant.info.bytes_per_cell > 0) work.step_bytes_per_cell = variant.info.bytes_per_cell;
    return work;
}

results::Kernel recorded(const KernelFacts& facts, bool on_device) {
    // The file has two extents; their product is the number of blocks or threads.
    const auto extent = [](const unsigned(&e)[3]) {
        return Size{static_cast<int>(e[0]), static_cast<int>(e[1] * e[2])};
    };
    results::Kernel kernel;
    kernel.name = facts.name;
    kernel.block = extent(facts.block);
    kernel.grid = extent(facts.grid);
    if (!on_device) return kernel;
    kernel.symbol = facts.symbol;
    kernel.registers = facts.registers;
    kernel.static_shared_bytes = static_cast<std::int64_t>(facts.static_shared);
    kernel.dynamic_shared_bytes = static_cast<std::int64_t>(facts.dynamic_shared);
    kernel.local_bytes = static_cast<std::int64_t>(facts.local);
    kernel.occupancy = facts.occupancy;
    kernel.shared_carve_out_percent = facts.shared_carve_out_percent;
    return kernel;
}

void record(const results::Kernel& mix, results::Kernel& kernel) {
    kernel.instructions = mix.instructions;
    kernel.regions = mix.regions;
    kernel.basic_blocks = mix.basic_blocks;
}

}  // namespace camber
