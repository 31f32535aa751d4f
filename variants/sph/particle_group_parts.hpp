// Replaceable parts of a group of devices that share particles: tests substitute parts that omit
// something.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "harness/registry/group_minimum.hpp"
#include "harness/registry/halo_exchange.hpp"
#include "harness/registry/slice_division.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

struct ParticleGroupParts {
    std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)> make =
        make_exchange;
    std::function<std::unique_ptr<GroupMinimum>(ExchangePath, Group&, std::vector<void*>,
                                                std::size_t)>
        minimum = make_group_minimum;
    std::function<std::vector<SliceMove>(const std::vector<Rows>&, const std::vector<Rows>&)>
        moves = slice_moves;
    // The slices of which a place claims particles.
    std::function<Rows(Rows own)> claimed = [](Rows own) { return own; };
    // The slices whose particles' forces a place computes.
    std::function<Rows(const SliceLayout&)> computed = [](const SliceLayout& layout) {
        return layout.own();
    };
    // The slices by whose particles a place finds the least step.
    std::function<Rows(const SliceLayout&)> counted = [](const SliceLayout& layout) {
        return layout.own();
    };
    // The load of each place, by its slices; empty: the time that its forces take on a device, and
    // its particles on the executor.
    std::function<std::vector<double>(const std::vector<Rows>&)> loads = {};
};

CAMBER_TARGET_END
