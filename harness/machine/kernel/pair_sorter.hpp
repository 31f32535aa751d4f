// Sorts pairs of a key and a value on a queue, with a library on devices.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/base/target.hpp"
#include "harness/machine/queue/queue.hpp"

#if CAMBER_ON_DEVICE
    #include "harness/machine/cuda/sort.hpp"
    #include "harness/machine/queue/devices.hpp"
#else
    #include "harness/machine/simt/host_queue.hpp"
#endif

CAMBER_TARGET_BEGIN

// Sorter for arrays of at most `count` elements; `queue` must outlive it.
class PairSorter {
  public:
    PairSorter(Queue& queue, std::size_t count) : queue_(queue), count_(count) {}

    // Enqueues a stable sort of the pairs by ascending key. Only the lowest `bits` bits of a key
    // may be set. The arrays must not overlap.
    void sort(const std::uint32_t* keys, const std::int32_t* values, std::uint32_t* sorted_keys,
              std::int32_t* sorted_values, int bits) {
        sort(keys, values, sorted_keys, sorted_values, bits, count_);
    }
    // Sorts only the first `count` pairs.
    void sort(const std::uint32_t* keys, const std::int32_t* values, std::uint32_t* sorted_keys,
              std::int32_t* sorted_values, int bits, std::size_t count) {
#if CAMBER_ON_DEVICE
        const auto scratch = [this](std::size_t bytes) {
            if (bytes > scratch_bytes_) {
                scratch_ = Memory(queue_, bytes);
                scratch_bytes_ = bytes;
            }
            return scratch_.get();
        };
        cuda::sort(native_.stream(), scratch, keys, sorted_keys, values, sorted_values, count,
                   bits);
#else
        if (scratch_bytes_ == 0) {
            scratch_bytes_ = count_ * (sizeof(std::uint32_t) + sizeof(std::int32_t));
            scratch_ = Memory(queue_, scratch_bytes_);
        }
        simt::sort(queue_, scratch_.get(), keys, sorted_keys, values, sorted_values, count, bits);
#endif
    }

  private:
    Queue& queue_;
    std::size_t count_;
#if CAMBER_ON_DEVICE
    NativeQueue native_{queue_};
#endif
    Memory scratch_;
    std::size_t scratch_bytes_ = 0;
};

CAMBER_TARGET_END
