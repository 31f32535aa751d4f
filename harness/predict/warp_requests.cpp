#include "harness/predict/warp_requests.hpp"

#include <algorithm>
#include <bit>

#include "harness/machine/simt/executor.hpp"

namespace camber {

void WarpRequests::begin_launch(const simt::Launch& launch, const simt::SiteTable&) {
    cluster_ = launch.cluster;
    block_warps_ = (launch.block.count() + warp_lanes - 1) / warp_lanes;
    warps_.resize(cluster_.count() * block_warps_);
    for (Warp& warp : warps_) clear(warp);  // of a block that faulted
}

void WarpRequests::clear(Warp& warp) {
    warp.groups.clear();
    for (const std::size_t place : warp.touched) warp.by_occurrence[place].clear();
    warp.touched.clear();
}

WarpRequests::Group& WarpRequests::group_of(Warp& warp, const simt::Access& access) {
    const std::size_t place = 3 * std::size_t{access.site} + static_cast<int>(access.operation);
    if (place >= warp.by_occurrence.size()) warp.by_occurrence.resize(std::bit_ceil(place + 1));
    auto& groups = warp.by_occurrence[place];
    if (access.occurrence >= groups.size()) {
        if (groups.empty()) warp.touched.push_back(place);
        groups.resize(access.occurrence + std::size_t{1}, none);
    }
    std::uint32_t previous = none;
    for (std::uint32_t i = groups[access.occurrence]; i != none; i = warp.groups[i].other) {
        const WarpRequest& request = warp.groups[i].request;
        if (request.size == access.size && request.space == access.space) return warp.groups[i];
        previous = i;
    }
    const auto added = static_cast<std::uint32_t>(warp.groups.size());
    (previous == none ? groups[access.occurrence] : warp.groups[previous].other) = added;
    Group& group = warp.groups.emplace_back();
    group.request.space = access.space;
    group.request.operation = access.operation;
    group.request.size = access.size;
    group.site = access.site;
    group.other = none;
    return group;
}

void WarpRequests::record(const simt::Access& access) {
    Warp& warp = warps_[first_warp(access.block) + access.thread / warp_lanes];
    WarpRequest& request = group_of(warp, access).request;
    const std::uint32_t lane = access.thread % warp_lanes;
    request.active |= std::uint32_t{1} << lane;
    // Of a block alone they are those of a block.
    if (cluster_.count() > 1)
        request.cluster_barriers = std::max(request.cluster_barriers, access.cluster_barrier);
    request.rounds = std::max(request.rounds, access.rounds);
    request.address[lane] =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(access.address));
}

void WarpRequests::end_block(const simt::Index3& block) {
    for (warp_ = 0; warp_ < static_cast<int>(block_warps_); ++warp_) {
        Warp& warp = warps_[first_warp(block) + static_cast<std::size_t>(warp_)];
        for (Group& group : warp.groups) {
            group.request.warp = static_cast<std::uint32_t>(warp_);
            consumer_(group.site, group.request, block);
        }
        clear(warp);
    }
}

}  // namespace camber
