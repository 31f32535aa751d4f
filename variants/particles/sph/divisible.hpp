// Forms of particle kernels that several devices can share, their division and capacity.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/base/unsupported.hpp"
#include "harness/groups/group.hpp"
#include "harness/groups/slice_division.hpp"
#include "harness/registry/division.hpp"
#include "variants/particles/sph/execution.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// True if devices can share the particles of such a form.
template <class Form>
inline constexpr bool is_divisible = false;
template <class List, class Fields, Read read, class Evaluation>
requires is_by_particle<Evaluation>
inline constexpr bool
    is_divisible<Form<List, Fields, read, SortedOrder<RowOrder, typename Fields::Real>,
                      LibraryMinimum<typename Fields::Real>, Evaluation>> = is_found_by_cells<List>;

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

// Capacity of a device with `held` of all particles at the start.
inline std::size_t room_for(std::int64_t held, std::int64_t all, Allocation allocation) {
    const std::int64_t particles =
        allocation == Allocation::whole
            ? all
            : std::min(all, static_cast<std::int64_t>(room_factor * static_cast<double>(held)) + 1);
    return static_cast<std::size_t>(particles + SliceLayout::most_unused);
}

CAMBER_TARGET_END
