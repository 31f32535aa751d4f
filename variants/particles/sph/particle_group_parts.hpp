// Replaceable parts of a group of devices that share particles: tests substitute parts that omit
// something.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "harness/groups/group_minimum.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/groups/slice_division.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

struct ParticleGroupParts {
    std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)> make =
        make_exchange;
    std::function<std::unique_ptr<GroupMinimum>(ExchangePath, Group&, std::vector<void*>,
                                                std::size_t)>
        minimum = make_group_minimum;
    std::function<std::vector<SliceMove>(const std::vector<Rows>&, const std::vector<Rows>&)>
        moves = slice_moves;
    // Slices from which a device claims particles.
    std::function<Rows(Rows own)> claimed = [](Rows own) { return own; };
    // Slices for whose particles a device computes forces.
    std::function<Rows(const SliceLayout&)> computed = [](const SliceLayout& layout) {
        return layout.own();
    };
    // Slices whose particles a device includes in the minimum step.
    std::function<Rows(const SliceLayout&)> counted = [](const SliceLayout& layout) {
        return layout.own();
    };
    // Load of each device, by its slices; empty: the time of its forces on a GPU, and its number of
    // particles on the executor.
    std::function<std::vector<double>(const std::vector<Rows>&)> loads = {};
};

CAMBER_TARGET_END
