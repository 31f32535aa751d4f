// Overlap of transfers and kernels: busy time, exposed transfers and waits per device from a
// timeline, and the hidden share of transfers in a pass that processes an array in parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/timeline.hpp"
#include "harness/record/case_record.hpp"

namespace camber::timeline {

// Quantities of one device, times in ns. Simultaneous spans of one kind (on two queues) count once.
struct PlaceQuantities {
    std::string place;
    std::int64_t kernels = 0;  // number of kernels
    std::int64_t kernel_ns = 0;
    double busy_share = 0;  // of the time from the first to the last work on any device
    std::int64_t copy_ns = 0;
    std::int64_t exposed_copy_ns = 0;  // while no kernel of the device ran
    std::int64_t barrier_wait_ns = 0;
    std::int64_t host_wait_ns = 0;  // host waits for the device
    // Sum of both waits while the device was idle.
    std::int64_t exposed_wait_ns = 0;
    // Intervals between kernels during which the device was idle.
    std::int64_t gaps = 0;
    std::int64_t gap_ns = 0;
    std::int64_t longest_gap_ns = 0;
    // Median time from the host's call to the start of the operation on the device.
    std::optional<double> issue_to_start_ns;
};

struct Quantities {
    std::int64_t length_ns = 0;  // from the first to the last work on any device
    std::vector<PlaceQuantities> places;
    // Largest kernel_ns over the mean of all devices; absent if no device ran a kernel.
    std::optional<double> imbalance;
};

Quantities quantities_of(const Timeline& timeline);

// Clock offset between host and devices up to which timelines remain plausible. No operation starts
// before the call that issued it, and no wait for a device ends before the earlier issued work
// does; a clock could be off by the smallest of these distances without violating either order. The
// result is the largest such value of all devices. Absent if a device has work but no calls or no
// waits.
std::optional<double> clock_residual_ns(const Timeline& timeline);

}  // namespace camber::timeline

namespace camber::overlap {

// Times of a pass over an array in parts, and of its single operations in the same run, in ns.
struct Overlap {
    int streams = 1;
    double measured = 0;
    double kernel = 0;   // single kernel over the whole array
    double pieces = 0;   // sum of upload, kernel and download
    double longest = 0;  // longest of the three

    double share_of_pieces() const { return measured / pieces; }
    // Expected time with full overlap: the longest operation plus one stream's share of the others,
    // which cannot be hidden (the first part's upload, the last part's kernel and download).
    double expected() const { return longest + (pieces - longest) / streams; }
    // Transfer time while no kernel runs. Negative if kernels of several streams together take less
    // time than one kernel over the whole array.
    double exposed_transfers() const { return measured - kernel; }
};

// Overlaps of `transfer_overlap` cases whose single operations were timed alone under the same
// conditions and with the same host memory, in the order of `cases`.
std::vector<std::pair<const results::CaseRecord*, Overlap>> overlaps(
    const std::vector<results::CaseRecord>& cases);

}  // namespace camber::overlap
