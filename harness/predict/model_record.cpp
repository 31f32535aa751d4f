#include "harness/predict/model_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "harness/predict/site_rows.hpp"

namespace camber {

namespace {

results::SiteRecord site_record(const SiteRow& row, const Prediction& prediction) {
    const CallSite& site = prediction.sites.at(static_cast<std::size_t>(row.site));
    results::SiteRecord record;
    record.site = row.number;
    record.kernel = prediction.kernels.at(row.kernel).kernel;
    record.place = site.place;
    record.path = site.path;
    record.kind = kind(row);
    record.requests = row.requests;
    if (in_passes(row.space)) {
        record.wavefronts = row.passes;
        record.bank_conflicts = row.conflicts;
    } else {
        record.sectors = row.sectors;
    }
    record.bytes_moved = row.bytes_moved;
    record.bytes_used = row.bytes_used;
    record.efficiency = row.efficiency();
    record.share = row.share;
    return record;
}

// "blur/rows.cu/blur" of a kernel from a file, with what was set of it: a name that does not change
// when the block's shape does. "": the variant's name is the case's.
std::string case_name_of(const Variant& variant) {
    const auto kernel = std::ranges::find(variant.info.parameters, "kernel", &Parameter::name);
    if (variant.file.empty() || kernel == variant.info.parameters.end()) return "";
    std::string name = fmt::format("{}/{}/{}", variant.info.workload, variant.info.technique.name,
                                   std::get<std::string>(kernel->value));
    constexpr std::string_view with = " with ";
    if (const std::size_t at = variant.file.rfind(with); at != variant.file.npos)
        name += "/" + variant.file.substr(at + with.size());
    return name;
}

results::ModelEntry identity_of(const Variant& variant, const Problem& problem) {
    results::ModelEntry entry;
    entry.variant = variant.info.name();
    entry.case_name = case_name_of(variant);
    entry.size = problem.size;
    entry.cell = info(problem.cell).name;
    entry.rule = problem.parameters.rule();
    entry.boundary = problem.boundary;
    entry.generations_per_launch = variant.info.shape.generations;
    return entry;
}

}  // namespace

results::ModelRecord model_record(const Prediction& prediction,
                                  const std::vector<CounterComparison>& comparisons) {
    const Architecture& architecture = prediction.architecture;
    results::ModelRecord record;
    record.arch = fmt::format("{}.{}", architecture.major, architecture.minor);
    record.rules = to_string(architecture.rules);
    record.method = name(prediction.method);
    record.data_dependent = prediction.data_dependent;
    record.quantities = quantities(prediction);
    if (!comparisons.empty()) record.agrees = all_agree(comparisons);
    return record;
}

results::ModelEntry skipped_entry(const Variant& variant, const Problem& problem,
                                  const std::string& reason) {
    results::ModelEntry entry = identity_of(variant, problem);
    entry.reason = reason;
    return entry;
}

results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload) {
    results::ModelEntry entry = identity_of(*prediction.variant, prediction.problem);
    entry.model = model_record(prediction, {});
    entry.model.quantities["bytes_moved"] = static_cast<double>(bytes_moved(prediction));
    entry.model.quantities["bytes_needed"] = bytes_needed(prediction, workload);
    return entry;
}

results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload,
                                const Bounds& bounds) {
    results::ModelEntry entry = model_entry(prediction, workload);
    entry.sites.emplace();
    for (const SiteRow& row : site_rows(prediction))
        entry.sites->push_back(site_record(row, prediction));
    entry.bounds.emplace();
    for (const Bound& bound : bounds.all)
        entry.bounds->push_back({std::string(bound.limit()), bound.seconds, bound.basis});
    if (const auto largest = bounds.largest()) entry.largest_bound = largest->limit();
    return entry;
}

}  // namespace camber
