#include "harness/groups/group.hpp"

#include "harness/machine/queue/devices.hpp"

namespace camber {

Group::Group(Queue& lead, std::span<const int> devices, Communicator* ranks, HostWait host_wait)
    : devices_(devices.begin(), devices.end()),
      ranks_(ranks),
      host_wait_(host_wait),
      forked_(lead.make_event()) {
    const auto own = [&](std::unique_ptr<Queue> queue) {
        joined_.push_back(queue->make_event());
        return owned_.emplace_back(std::move(queue)).get();
    };
    const bool on_devices = lead.backend() == Backend::cuda;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        Place& place = places_.emplace_back();
        if (i == 0)
            place.middle = &lead;
        else
            place.middle = own(on_devices ? open_cuda(devices_[i]) : lead.open_beside());
        place.above = own(place.middle->open_beside());
        place.below = own(place.middle->open_beside());
    }
    if (!on_devices) return;
    for (const int device : devices_)
        for (const int other : devices_)
            if (device != other) open_peer(device, other);
}

bool Group::reaches(int place, int other) const {
    if (lead().backend() != Backend::cuda) return true;
    const int from = devices_[static_cast<std::size_t>(place)];
    const int to = devices_[static_cast<std::size_t>(other)];
    return from == to || open_peer(from, to);
}

void Group::fork() {
    lead().record(*forked_);
    for (const auto& queue : owned_) queue->wait(*forked_);
}

void Group::join() {
    for (std::size_t i = 0; i < owned_.size(); ++i) {
        owned_[i]->record(*joined_[i]);
        lead().wait(*joined_[i]);
    }
}

void Group::meet() {
    join();
    fork();
}

void Group::synchronize() {
    lead().finish(host_wait_);
    for (const auto& queue : owned_) queue->finish(host_wait_);
}

}  // namespace camber
