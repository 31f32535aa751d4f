// Distinct bytes that some lanes of a warp touch, as a few intervals: the basis of all counts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "harness/base/kernel_launch.hpp"

namespace camber {

struct ByteInterval {
    std::int64_t begin, end;  // [begin, end)
};

// Bytes touched by the active ones among `lanes`, as disjoint intervals in ascending order.
// Adjacent lanes usually touch adjacent bytes, so that there are one or two intervals; the cost is
// linear in the number of lanes unless addresses jump back and forth.
class Footprint {
  public:
    Footprint(const WarpRequest& request, std::uint32_t lanes) {
        const std::int64_t size = request.size;
        // Bit l: the bytes of lane l follow those of lane l - 1. Computed for all lanes at once,
        // without branches to mispredict.
        std::uint32_t follows = 0;
        for (int lane = 1; lane < warp_lanes; ++lane) {
            const bool next = request.address[lane] - request.address[lane - 1] == size;
            follows |= std::uint32_t{next} << lane;
        }
        bool ascending = true;
        for (std::uint32_t left = request.active & lanes; left != 0;) {
            const int first = std::countr_zero(left);
            const std::uint32_t further = (left & follows) >> first >> 1;
            const int beyond = first + 1 + std::countr_one(further);
            const std::int64_t begin = request.address[first];
            ascending &= append(begin, begin + (beyond - first) * size);
            left &= beyond < warp_lanes ? ~0u << beyond : 0u;
        }
        if (!ascending) sort_and_merge();
    }

    const ByteInterval* begin() const { return intervals_.data(); }
    const ByteInterval* end() const { return intervals_.data() + count_; }
    bool empty() const { return count_ == 0; }

    std::int64_t bytes() const {
        std::int64_t sum = 0;
        for (const auto& [begin, end] : *this) sum += end - begin;
        return sum;
    }

    // Calls visit(g) for every aligned 2^shift-byte granule touched, ascending; the granule's
    // first byte is g << shift.
    template <class Visit>
    void for_each_granule(int shift, Visit&& visit) const {
        std::int64_t next = std::numeric_limits<std::int64_t>::min();
        for (const auto& [begin, end] : *this) {
            const std::int64_t last = (end - 1) >> shift;
            for (std::int64_t g = std::max(begin >> shift, next); g <= last; ++g) visit(g);
            next = last + 1;
        }
    }

    // Number of aligned 2^shift-byte granules touched.
    std::int64_t granules(int shift) const {
        std::int64_t count = 0;
        std::int64_t next = std::numeric_limits<std::int64_t>::min();
        for (const auto& [begin, end] : *this) {
            const std::int64_t last = (end - 1) >> shift;
            const std::int64_t first = std::max(begin >> shift, next);
            count += std::max<std::int64_t>(last - first + 1, 0);
            next = last + 1;
        }
        return count;
    }

  private:
    // Returns false if the intervals need sorting afterwards.
    bool append(std::int64_t begin, std::int64_t end) {
        if (count_ == 0) {
            intervals_[count_++] = {begin, end};
            return true;
        }
        ByteInterval& last = intervals_[count_ - 1];
        if (begin >= last.begin && end <= last.end) return true;  // a broadcast
        if (begin == last.end) {
            last.end = end;
            return true;
        }
        if (end == last.begin) {  // descending addresses
            last.begin = begin;
            return count_ < 2 || intervals_[count_ - 2].end <= begin;
        }
        const bool ascends = begin > last.end;
        intervals_[count_++] = {begin, end};
        return ascends;
    }

    void sort_and_merge() {
        std::sort(intervals_.begin(), intervals_.begin() + count_,
                  [](const ByteInterval& a, const ByteInterval& b) { return a.begin < b.begin; });
        int kept = 0;
        for (int i = 1; i < count_; ++i) {
            if (intervals_[i].begin <= intervals_[kept].end) {
                intervals_[kept].end = std::max(intervals_[kept].end, intervals_[i].end);
            } else {
                intervals_[++kept] = intervals_[i];
            }
        }
        count_ = kept + 1;
    }

    std::array<ByteInterval, warp_lanes> intervals_;
    int count_ = 0;
};

}  // namespace camber
