// What lists of neighbours cost particles over the number of iterations that share one: from times
// of kernels, which say it for every period, and from times of whole runs, where there are some.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::published {

inline constexpr const char* published_particles = "sph/neighbour_list/float4/plain/b128";

// Of one case whose kernels were timed; ns.
struct ListCost {
    std::string origin;   // "23195 particles (sph-counters.json)"
    int period = 0;       // iterations that shared a list
    double building = 0;  // of a list
    double sorting = 0;   // before it: cells, the library's sort, particles into their order
    double forces = 0;    // of an iteration
    double others = 0;

    double iteration(int shared_by) const {
        return forces + others + (building + sorting) / shared_by;
    }
    double building_share(int shared_by) const {
        return building / shared_by / iteration(shared_by);
    }
    double sorting_share(int shared_by) const { return sorting / shared_by / iteration(shared_by); }
    double forces_share(int shared_by) const { return forces / iteration(shared_by); }
};

// Of the variant on the most particles; absent where no document has its kernels' times.
std::optional<ListCost> list_cost(const std::vector<results::Document>& documents,
                                  std::string_view variant);

// Times of whole runs of the variant from the start, ns per iteration, by the iterations that share
// a list: those of the board and the number of iterations for which the most periods were measured.
std::map<int, double> run_times_by_period(const std::vector<results::Document>& documents,
                                          std::string_view variant);

// What the loads of Forces found in the caches.
struct ForcesLoads {
    std::string variant;
    std::string origin;
    double sectors_per_request = 0;
    double l1_hit_percent = 0;
    double l2_sectors = 0;               // read, per evaluation and particle
    std::optional<double> times_slower;  // than the published form, of whole runs
};

// Of the published form and what it is set against, in this order, as far as they were counted.
std::vector<ForcesLoads> forces_loads(const std::vector<results::Document>& documents);

}  // namespace camber::published
