#include "harness/measure/group_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/groups/halo_exchange.hpp"

namespace camber {

namespace {

// Kernels' time of each place, of all ranks.
std::vector<double> gathered(std::vector<double> own, Communicator* ranks) {
    if (!ranks) return own;
    std::vector<double> all;
    for (const std::string& of_rank : ranks->all_of(fmt::format("{}", own.front())))
        all.push_back(std::stod(of_rank));
    return all;
}

}  // namespace

void describe_group(results::GroupRecord& group, const timeline::Quantities& quantities,
                    int generations, Communicator* ranks) {
    std::vector<double> kernels;
    std::int64_t exposed = 0;
    std::int64_t waited = 0;
    for (const timeline::PlaceQuantities& place : quantities.places) {
        kernels.push_back(static_cast<double>(place.kernel_ns));
        exposed = std::max(exposed, place.exposed_copy_ns);
        waited = std::max(waited, place.exposed_wait_ns);
    }
    const auto of_generation = [&](std::int64_t ns) {
        const auto own = static_cast<double>(ns) / generations;
        return ranks ? ranks->largest(own) : own;
    };
    group.exposed_transfer_ns = of_generation(exposed);
    const double wait = of_generation(waited);
    if (group.exchange != name(ExchangePath::kernel) &&
        group.exchange != name(ExchangePath::persistent))
        group.barrier_wait_ns = wait;
    kernels = gathered(std::move(kernels), ranks);
    double sum = 0;
    for (const double ns : kernels) sum += ns;
    if (sum > 0)
        group.imbalance = std::ranges::max(kernels) * static_cast<double>(kernels.size()) / sum;
}

void note_rows(results::GroupRecord& group, const Execution& execution) {
    const ExchangeContext* const divided = execution.divided();
    if (!divided || (!group.balancing && divided->divisions.empty())) return;
    group.moved_rows = divided->moved_rows;
    group.rows = divided->box_rows;
    group.divisions.clear();
    for (const RowDivision& division : divided->divisions)
        group.divisions.push_back({division.generation, division.rows, division.moved_rows});
    if (!group.balancing) return;
    for (const PlaceFields& place : divided->places) group.rows.push_back(place.own.count());
}

}  // namespace camber
