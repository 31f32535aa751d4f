// Messages between devices by a library: NCCL.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "harness/machine/queue/queue.hpp"

namespace camber {

class DeviceMessages {
  public:
    // Bytes that a place sends to another one or gets of it, once its queue comes to them. Of a
    // pair of places the first to be sent is the first to be received.
    struct Message {
        int place = 0;
        int other = 0;
        bool sent = false;
        void* bytes = nullptr;
        std::size_t count = 0;
        Queue* queue = nullptr;  // of the place
    };

    virtual ~DeviceMessages() = default;
    // Enqueues all of them at once: both ends of each.
    virtual void exchange(std::span<const Message> messages) = 0;
};

// Empty where NCCL can be used.
std::string why_no_nccl();
// Between places that have these devices, no two of them the same. Throws Error(unavailable) where
// NCCL cannot be used.
std::unique_ptr<DeviceMessages> open_nccl(std::span<const int> devices);

}  // namespace camber
