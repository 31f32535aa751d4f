#include "analysis/report/roofs.hpp"

#include <algorithm>

#include "analysis/profile/figures.hpp"
#include "analysis/profile/utilisation.hpp"
#include "harness/record/metric_names.hpp"

namespace camber::report {

namespace {

using results::CaseRecord;

constexpr double most_cells_per_thread = 4;
constexpr double most_above_fastest = 100;

// Of one launch, if each thread executes the text of its kernel once.
Value instructions_by_text(const CaseRecord& record) {
    if (record.identity.generations_per_launch.value_or(1) != 1) return std::nullopt;
    double warps = 0;
    for (const results::Kernel& kernel : record.kernels) {
        const auto total = kernel.instructions.find("total");
        const double threads = static_cast<double>(kernel.threads_per_block() * kernel.blocks());
        if (total == kernel.instructions.end() || threads * most_cells_per_thread < record.cells())
            return std::nullopt;
        warps += static_cast<double>(total->second) * threads / profile::warp_threads;
    }
    return warps > 0 ? Value(warps) : std::nullopt;
}

// Where the case would come to the first limit of its instructions.
std::optional<FlatRoof> arithmetic(const results::Run& run, const CaseRecord& record) {
    profile::Facts facts = profile::facts_of(run, record);
    const bool counted = facts.counters.contains(metric::warp_instructions);
    if (!counted) {
        const Value estimate = instructions_by_text(record);
        if (!estimate) return std::nullopt;
        facts.counters[metric::warp_instructions] = *estimate;
    }
    for (const profile::Utilisation& used : utilisations(facts))  // largest share first
        if (used.resource == Resource::issue || used.resource == Resource::fp32 ||
            used.resource == Resource::fp64)
            return FlatRoof{std::string(name(used.resource)),
                            record.derived->cells_per_second / used.share(), !counted};
    return std::nullopt;
}

std::optional<FlatRoof> launching(const results::Run& run, const CaseRecord& record) {
    const bool graph = record.identity.submission == Submission::graph;
    const Value seconds = graph ? run.ceilings.graph_node_seconds : run.ceilings.launch_seconds;
    if (!seconds || *seconds <= 0) return std::nullopt;
    const double kernels = std::max<double>(1, static_cast<double>(record.kernels.size()));
    const double cells = record.cells() * record.identity.generations_per_launch.value_or(1);
    return FlatRoof{"launches", cells / (kernels * *seconds), false};
}

void raise(std::optional<FlatRoof>& roof, const std::optional<FlatRoof>& other) {
    if (other && (!roof || other->cells_per_second > roof->cells_per_second)) roof = other;
}

}  // namespace

std::optional<FlatRoof> flat_roof(const results::Run& run,
                                  const std::vector<const CaseRecord*>& records) {
    std::optional<FlatRoof> counted, estimated, launches;
    double fastest = 0;
    for (const CaseRecord* record : records) {
        if (record->identity.backend != Backend::cuda || !run.gpu || !record->samples ||
            !record->derived)
            continue;
        fastest = std::max(fastest, record->derived->cells_per_second);
        const auto limit = arithmetic(run, *record);
        raise(limit && limit->estimate ? estimated : counted, limit);
        raise(launches, launching(run, *record));
    }
    const auto holds = [&](const std::optional<FlatRoof>& limit) {
        return limit && limit->cells_per_second >= fastest;
    };
    std::optional<FlatRoof> roof;
    if (holds(counted))
        roof = counted;
    else if (holds(estimated))
        roof = estimated;
    if (holds(launches) && launches->cells_per_second <= fastest * most_above_fastest &&
        (!roof || launches->cells_per_second < roof->cells_per_second))
        roof = launches;
    return roof;
}

}  // namespace camber::report
