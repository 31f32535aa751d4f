// Division of particles among devices: the kernel forms that can be divided, slices and capacity
// per device, and balancing (Rustico 2012, section 8.10).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/group.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/groups/partition.hpp"
#include "harness/registry/division.hpp"
#include "variants/particles/sph/execution.hpp"
#include "workloads/particles/sph/slices.hpp"

// Forms of particle kernels that several devices can share, their division and capacity.
CAMBER_WORKLOAD_BEGIN(sph)

// True if devices can share the particles of such a form.
template <class Form>
inline constexpr bool is_divisible = false;
template <class List, class Fields, Read read, class Evaluation, class Search>
requires is_by_particle<Evaluation>
inline constexpr bool
    is_divisible<Form<List, Fields, read, SortedOrder<RowOrder, typename Fields::Real>,
                      LibraryMinimum<typename Fields::Real>, Evaluation, Search>> =
        is_found_by_cells<List>;

// Throws Unsupported for a division that particle groups do not support.
inline void refuse_division(const Group& group, const Division& division, ExchangePath path) {
    const auto refuse = [](const std::string& why) {
        throw Unsupported("particles cannot be divided so: " + why);
    };
    if (division.partition != Partition::rows)
        refuse("places have whole slices of cells, which lie side by side as rows do");
    if (is_by_kernels(path)) refuse("no kernel of an iteration sends what others wait for");
    if (path == ExchangePath::everything)
        refuse(std::string("forces of edges travel, and never all that places have: choose ") +
               (group.ranks() ? "mpi" : "staged"));
    if (division.halo_depth > 1)
        refuse(
            "places share the step's length in the middle of every iteration, which a deeper "
            "halo does not save");
    if (division.balancing.rule != BalanceRule::none && division.balancing.rows > 1)
        refuse("slices change their place one by one, because a place holds one beside its own");
}

// Capacity of a device relative to its initial particles (Rustico 2012, section 8.4).
inline constexpr double room_factor = 1.4;

// Capacity of a device that has `held` of `all` particles at the start.
inline std::size_t room_for(std::int64_t held, std::int64_t all, Allocation allocation) {
    const std::int64_t particles =
        allocation == Allocation::whole
            ? all
            : std::min(all, static_cast<std::int64_t>(room_factor * static_cast<double>(held)) + 1);
    return static_cast<std::size_t>(particles + SliceLayout::most_unused);
}

CAMBER_TARGET_END

// Slices of each device in a group, and the capacity for particles. With balancing, slices move
// from slower devices to faster ones (Rustico 2012, section 8.10).
CAMBER_WORKLOAD_BEGIN(sph)

class SliceShares {
  public:
    SliceShares(const Division& division, const Sharing& sharing)
        : threshold_{sharing.balance_threshold > 0 ? sharing.balance_threshold
                                                   : BalanceThreshold().share,
                     sharing.balance_threshold == 0},
          weights_(division.weights),
          balancing_(division.balancing),
          allocation_(division.allocation) {}

    // Slices of each device, including devices of other ranks.
    const std::vector<Rows>& slices() const { return slices_; }
    Rows of(int place) const { return slices_[static_cast<std::size_t>(place)]; }

    // Divides slices by a measure of each. Earlier measurements become invalid.
    void divide(const std::vector<std::int64_t>& measures) {
        slices_ = divided_slices(measures, weights_);
        since_balanced_ = 0;
        balancer_.reset();
        if (balancing_.rule != BalanceRule::none) balancer_.emplace(balancing_, 1, threshold_);
    }

    // Sets capacities. `counts` contains the particles per slice; `all` is the number on the board.
    void make_room(const std::vector<std::int64_t>& counts, std::int64_t all) {
        for (const Rows own : slices_)
            rooms_.push_back(room_for(SliceLayout(counts, own).count(), all, allocation_));
    }
    std::size_t room(int place) const { return rooms_[static_cast<std::size_t>(place)]; }
    // Throws Error(usage) if the particles exceed a device's capacity in that iteration.
    void check_room(const std::vector<std::int64_t>& counts, int iteration) const {
        for (std::size_t place = 0; place < slices_.size(); ++place) {
            const std::int64_t needed = SliceLayout(counts, slices_[place]).count();
            const std::int64_t has =
                static_cast<std::int64_t>(rooms_[place]) - SliceLayout::most_unused;
            if (needed > has)
                throw Error(ExitCode::usage,
                            "place " + std::to_string(place) + " of " +
                                std::to_string(slices_.size()) + " needs room for " +
                                std::to_string(needed) + " particles in iteration " +
                                std::to_string(iteration) + " and has " + std::to_string(has) +
                                ": give --allocation whole, with which it has room for all");
        }
    }

    void iterated() { ++since_balanced_; }
    // Balancing is due after enough iterations for a comparison of the devices.
    bool is_balance_due() const { return balancer_ && since_balanced_ >= balancing_.every; }
    // Balances by the devices' `loads`. Returns the number of slices that moved.
    int balance(const std::vector<double>& loads) {
        since_balanced_ = 0;
        const std::vector<Rows> next = balancer_->divided_anew(slices_, loads);
        int moved = 0;
        for (std::size_t place = 0; place + 1 < next.size(); ++place)
            moved += std::abs(next[place].end - slices_[place].end);
        slices_ = next;
        return moved;
    }

  private:
    BalanceThreshold threshold_;
    std::vector<int> weights_;
    Balancing balancing_;
    Allocation allocation_;
    std::vector<Rows> slices_;
    std::vector<std::size_t> rooms_;  // capacity of each device in particles
    std::optional<Balancer> balancer_;
    int since_balanced_ = 0;  // iterations
};

CAMBER_TARGET_END
