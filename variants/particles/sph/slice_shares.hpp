// Slices of each device in a group, and the capacity for particles. With balancing, slices move
// from slower devices to faster ones (Rustico 2012, section 8.10).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/balancer.hpp"
#include "harness/groups/slice_division.hpp"
#include "variants/particles/sph/divisible.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

class SliceShares {
  public:
    explicit SliceShares(const Division& division)
        : weights_(division.weights),
          balancing_(division.balancing),
          allocation_(division.allocation) {}

    // Slices of each device, including devices of other ranks.
    const std::vector<Rows>& slices() const { return slices_; }
    Rows of(int place) const { return slices_[static_cast<std::size_t>(place)]; }

    // By the work in each slice. What was measured before counts no more.
    void divide(const std::vector<std::int64_t>& work) {
        slices_ = divided_slices(work, weights_);
        since_balanced_ = 0;
        balancer_.reset();
        if (balancing_.rule != BalanceRule::none) balancer_.emplace(balancing_, 1);
    }

    // `counts`: the particles of each slice; `all`: of the board.
    void make_room(const std::vector<std::int64_t>& counts, std::int64_t all) {
        for (const Rows own : slices_)
            rooms_.push_back(room_for(SliceLayout(counts, own).count(), all, allocation_));
    }
    std::size_t room(int place) const { return rooms_[static_cast<std::size_t>(place)]; }
    // Throws Error(usage) if particles exceed a device's capacity in that iteration.
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

    bool are_balanced() const { return balancer_.has_value(); }
    void iterated() { ++since_balanced_; }
    // Balancing is due after enough iterations for a comparison of the devices.
    bool is_balance_due() const { return balancer_ && since_balanced_ >= balancing_.every; }
    // `loads`: of each device. Returns the number of slices that moved.
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
    std::vector<int> weights_;
    Balancing balancing_;
    Allocation allocation_;
    std::vector<Rows> slices_;
    std::vector<std::size_t> rooms_;  // particles that each place has room for
    std::optional<Balancer> balancer_;
    int since_balanced_ = 0;  // iterations
};

CAMBER_TARGET_END
