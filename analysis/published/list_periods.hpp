// Cost of neighbor lists in particle simulations as a function of the rebuild period (iterations
// that share one list): predicted from kernel times for every period, and measured in whole runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::published {

inline constexpr const char* published_particles = "sph/neighbour_list/float4/plain/b128";

// Times of one case whose kernels were timed, in ns.
struct ListCost {
    std::string origin;   // "23195 particles (sph-counters.json)"
    int period = 0;       // iterations that share a list
    double building = 0;  // per list
    double sorting = 0;   // before each build: cell indices, the library's sort, reordering of
                          // particles
    double forces = 0;    // per iteration
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

// Cost for the largest number of particles at which the variant's kernels were timed; absent if
// they were not.
std::optional<ListCost> list_cost(const std::vector<results::Document>& documents,
                                  std::string_view variant);

// Times of whole runs of the variant in ns per iteration, by rebuild period. Uses the board and the
// number of iterations for which the most periods were measured.
std::map<int, double> run_times_by_period(const std::vector<results::Document>& documents,
                                          std::string_view variant);

// Memory counters of the loads of the kernel Forces.
struct ForcesLoads {
    std::string variant;
    std::string origin;
    double sectors_per_request = 0;
    double l1_hit_percent = 0;
    double l2_sectors = 0;               // sectors read, per evaluation and particle
    std::optional<double> times_slower;  // whole runs, relative to the published form
};

// Counters of the published form and then of the forms that it is compared with, as far as counted.
std::vector<ForcesLoads> forces_loads(const std::vector<results::Document>& documents);

}  // namespace camber::published
