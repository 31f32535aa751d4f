// Compares predictions extrapolated from small boards with a simulation of the target board.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::continued {

inline const Architecture h200 = parse_architecture("sm_90");

inline InitialData data_of(const char* workload, const Problem& problem, std::uint64_t seed = 7) {
    return {find_workload(workload), {.size = problem.size, .cell = problem.cell, .seed = seed}};
}

using SiteMap = std::map<std::pair<std::size_t, std::string>, AccessCounts>;

// Site numbers may differ between executors, source locations do not.
inline SiteMap sites_of(const Prediction& prediction) {
    SiteMap sites;
    for (std::size_t k = 0; k < prediction.kernels.size(); ++k)
        for (const SiteCounts& site : prediction.kernels[k].model.sites)
            sites[{k, prediction.sites.at(static_cast<std::size_t>(site.site)).key}] = site.counts;
    return sites;
}

// True if the board's counts were extrapolated from small boards. They must then equal a full
// simulation's, kernel by kernel and site by site. Sets `data_dependent` to the prediction's.
inline bool extrapolates(const Variant& variant, const Problem& problem,
                         const Architecture& architecture = h200,
                         std::optional<bool>* data_dependent = nullptr) {
    const InitialData data = data_of(variant.info.workload.c_str(), problem);
    // A board whose counts do not follow from small ones is sampled, which is faster than simulating
    // it; its counts are not used.
    const Prediction quick = predict(variant, problem, data, architecture,
                                     {.simulated_cells = 0, .sampled_blocks = 2});
    if (data_dependent) *data_dependent = quick.data_dependent;
    if (quick.method != Method::extrapolated) return false;
    const Prediction full = predict(variant, problem, data, architecture,
                                    {.simulated_cells = 1 << 30, .may_extrapolate = false});
    CAPTURE(variant.info.name(), problem.size.columns, problem.size.rows);
    CHECK(full.method == Method::simulated);
    CHECK(quick.data_dependent == false);
    CHECK((sites_of(quick) == sites_of(full)));
    REQUIRE(quick.kernels.size() == full.kernels.size());
    for (std::size_t k = 0; k < full.kernels.size(); ++k) {
        const LaunchModel& a = quick.kernels[k].model;
        const LaunchModel& b = full.kernels[k].model;
        CHECK((a.counts == b.counts));
        CHECK((a.reads == b.reads));
        CHECK((a.writes == b.writes));
        CHECK(a.blocks == b.blocks);
        CHECK(a.distinct_sectors == b.distinct_sectors);
        CHECK(quick.kernels[k].kernel == full.kernels[k].kernel);
        CHECK(quick.kernels[k].grid.count() == full.kernels[k].grid.count());
    }
    return true;
}

}  // namespace camber::continued
