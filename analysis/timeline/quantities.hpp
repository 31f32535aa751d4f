// Transfers and kernels that overlap: busy time, exposed transfers and waits of each device from a
// timeline, and the hidden share of transfers in a pass over an array in parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/timeline.hpp"
#include "harness/record/case_record.hpp"

namespace camber::timeline {

// Figures per device from a timeline: busy time, exposed transfers and waits.

// Times in ns. Spans of one kind that overlap, as on two queues, count once.
struct PlaceQuantities {
    std::string place;
    std::int64_t kernels = 0;  // how many
    std::int64_t kernel_ns = 0;
    double busy_share = 0;  // of the time from the first to the last work of all places
    std::int64_t copy_ns = 0;
    std::int64_t exposed_copy_ns = 0;  // while no kernel of the place ran
    std::int64_t barrier_wait_ns = 0;
    std::int64_t host_wait_ns = 0;  // of the host for the place
    // Sum of both waits while the device was idle.
    std::int64_t exposed_wait_ns = 0;
    // Between kernels, where nothing of the place ran.
    std::int64_t gaps = 0;
    std::int64_t gap_ns = 0;
    std::int64_t longest_gap_ns = 0;
    // From the host's call to the start of what it gave the place; the median.
    std::optional<double> issue_to_start_ns;
};

struct Quantities {
    std::int64_t length_ns = 0;  // from the first to the last work of all places
    std::vector<PlaceQuantities> places;
    // The largest kernel_ns over the mean of all places; absent where no place ran a kernel.
    std::optional<double> imbalance;
};

Quantities quantities_of(const Timeline& timeline);

// By how much, at most, the clocks of host and places can differ: no work starts before the call
// that asked for it, and no wait for a place ends before the work that the host had given it
// earlier. The least distance from either is what a clock could be off without showing. Absent
// where the host has no calls or no waits of their own.
std::optional<double> clock_residual_ns(const Timeline& timeline);

}  // namespace camber::timeline

namespace camber::overlap {

// Hidden share of transfers in a pass over an array in parts: its time compared with the times of
// its single operations from the same run.

// Times of a pass, in ns.
struct Overlap {
    int streams = 1;
    double measured = 0;
    double kernel = 0;   // alone
    double pieces = 0;   // the sum of what it is made of: upload, kernel, download
    double longest = 0;  // of these

    double share_of_pieces() const { return measured / pieces; }
    // Expected time with full overlap: the longest operation plus one stream's share of the others.
    // The share is the first part's upload and the last part's download and kernel.
    double expected() const { return longest + (pieces - longest) / streams; }
    // While no kernel runs. Below zero where kernels of several streams take less time together
    // than one kernel of the whole array.
    double exposed_transfers() const { return measured - kernel; }
};

// Overlaps of `transfer_overlap` cases whose single operations were timed alone under the same
// conditions and with the same host memory, in the order of `cases`.
std::vector<std::pair<const results::CaseRecord*, Overlap>> overlaps(
    const std::vector<results::CaseRecord>& cases);

}  // namespace camber::overlap
