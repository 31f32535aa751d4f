// Hidden share of transfers in a pass over an array in parts: its time compared with the times of
// its single operations from the same run.
#pragma once

#include <utility>
#include <vector>

#include "harness/record/case_record.hpp"

namespace camber::overlap {

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
