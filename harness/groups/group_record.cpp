#include "harness/groups/group_record.hpp"

#include <set>
#include <string>

namespace camber::results {

GroupRecord recorded(const GroupChoice& group, bool on_device) {
    const auto distinct = std::set<int>(group.devices.begin(), group.devices.end()).size();
    GroupRecord record;
    record.kind = group.ranks                                     ? "ranks"
                  : on_device && distinct == group.devices.size() ? "gpus"
                                                                  : "emulated";
    record.places = group.places();
    if (on_device) record.devices = group.ranks ? group.rank_devices : group.devices;
    record.weights = group.division.weights;
    record.partition = name(group.division.partition);
    record.allocation = name(group.division.allocation);
    record.exchange = name(group.exchange.path);
    record.overlap = group.exchange.overlap;
    record.halo_depth = group.division.halo_depth;
    record.edge_share = group.division.edge_share;
    if (group.exchange.buffers == BorderBuffers::one) record.border_buffers = 1;
    if (group.exchange.host_wait != HostWait::driver)
        record.host_wait = name(group.exchange.host_wait);
    if (group.exchange.minimum == Minimum::lagged) record.minimum = "lagged";
    if (const Balancing& balancing = group.division.balancing; balancing.rule != BalanceRule::none)
        record.balancing = {std::string(name(balancing.rule)), balancing.every, balancing.rows};
    if (const Start& start = group.division.start; start.progressive)
        record.start = {.blocks_per_multiprocessor = start.blocks_per_multiprocessor};
    return record;
}

}  // namespace camber::results
