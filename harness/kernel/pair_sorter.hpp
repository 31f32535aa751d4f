// Sorts pairs of a key and a value on a queue, by what a library has in place of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/backend/queue.hpp"
#include "harness/base/target.hpp"

#if CAMBER_ON_DEVICE
    #include "harness/cuda/sort.hpp"
    #include "harness/cuda/stream.hpp"
#else
    #include "harness/simt/host_sort.hpp"
#endif

CAMBER_TARGET_BEGIN

// Of arrays of `count` elements; `queue` outlives it.
class PairSorter {
  public:
    PairSorter(Queue& queue, std::size_t count) : queue_(queue), count_(count) {}

    // Enqueues it: pairs by ascending key, pairs of equal keys in the order in which they come. No
    // key has a bit that is set from bit `bits` on. The arrays do not overlap.
    void sort(const std::uint32_t* keys, const std::int32_t* values, std::uint32_t* sorted_keys,
              std::int32_t* sorted_values, int bits) {
#if CAMBER_ON_DEVICE
        const auto scratch = [this](std::size_t bytes) {
            if (bytes > scratch_bytes_) {
                scratch_ = Memory(queue_, bytes);
                scratch_bytes_ = bytes;
            }
            return scratch_.get();
        };
        cuda::sort(static_cast<cuda::Stream&>(queue_).native(), scratch, keys, sorted_keys, values,
                   sorted_values, count_, bits);
#else
        static_cast<void>(bits);
        if (scratch_bytes_ == 0) {
            scratch_bytes_ = count_ * (sizeof(std::uint32_t) + sizeof(std::int32_t));
            scratch_ = Memory(queue_, scratch_bytes_);
        }
        simt::sort(queue_, scratch_.get(), keys, sorted_keys, values, sorted_values, count_);
#endif
    }

  private:
    Queue& queue_;
    std::size_t count_;
    Memory scratch_;
    std::size_t scratch_bytes_ = 0;
};

CAMBER_TARGET_END
