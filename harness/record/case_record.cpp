#include "harness/record/case_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace camber {

std::string_view name(Verification::Status status) {
    using enum Verification::Status;
    return status == passed ? "passed" : status == failed ? "failed" : "skipped";
}

void FlowSpread::add(const FlowDifference& from_first) {
    ++runs;
    FlowStatistics& cells = worst.cells;
    const FlowStatistics& other = from_first.cells;
    cells.jaccard = std::min(cells.jaccard, other.jaccard);
    cells.share_within_tenth = std::min(cells.share_within_tenth, other.share_within_tenth);
    cells.largest_difference = std::max(cells.largest_difference, other.largest_difference);
    cells.mean_difference = std::max(cells.mean_difference, other.mean_difference);
    cells.differing_cells = std::max(cells.differing_cells, other.differing_cells);
    worst.mass_difference = std::max(worst.mass_difference, from_first.mass_difference);
    if (from_first.time_difference)
        worst.time_difference =
            std::max(worst.time_difference.value_or(0), *from_first.time_difference);
}

namespace results {

std::string GroupRecord::exchange_words() const {
    std::string words = exchange;
    if (overlap) words += ", overlap";
    if (partition != "rows") words += ", " + partition;
    if (halo_depth != 1) words += fmt::format(", depth {}", halo_depth);
    if (border_buffers == 1) words += ", one buffer";
    if (host_wait) words += fmt::format(", {} wait", *host_wait);
    if (minimum) words += fmt::format(", {} minimum", *minimum);
    if (balancing) {
        const BalancingRecord usual;
        words += ", balance " + balancing->rule;
        if (balancing->every != usual.every) words += fmt::format(" every {}", balancing->every);
        if (balancing->rows != usual.rows) words += fmt::format(" by {} rows", balancing->rows);
    } else if (start) {
        words += fmt::format(", {} start", start->rule);
        if (start->blocks_per_multiprocessor != StartRecord().blocks_per_multiprocessor)
            words += fmt::format(" at {} blocks", start->blocks_per_multiprocessor);
    } else if (allocation != "slab") {
        words += ", " + allocation;
    }
    if (std::ranges::any_of(weights, [&](int weight) { return weight != weights.front(); }))
        words += fmt::format(", weights {}", fmt::join(weights, ":"));
    return words;
}

std::string Identity::circumstances() const {
    std::string words = suffix(conditions());
    if (group)
        words += fmt::format(", {} {}, {}", group->places,
                             group->places == 1 ? "device" : "devices", group->exchange_words());
    return words;
}

std::string_view name(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::skipped:
            return "skipped";
        case Status::failed:
            return "failed";
    }
    return "";
}

}  // namespace results

}  // namespace camber
