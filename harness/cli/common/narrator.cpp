#include "harness/cli/common/narrator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/timeline/quantities.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/measure/timeline_file.hpp"

namespace camber {

namespace {

// More lines would push the ranking out of sight; the results file contains all of them.
constexpr std::size_t most_shown = 10;

std::string microseconds(double ns) {
    return fmt::format("{:.1f}", ns * 1e-3);
}

std::string table_of(const std::vector<Timeline>& timelines) {
    TextTable table({"timeline", "place", "kernels", "busy", "copies us", "exposed us",
                     "barriers us", "host waits us", "gaps us", "longest us"},
                    2);
    std::string imbalance;
    for (const Timeline& timeline : timelines) {
        const timeline::Quantities found = timeline::quantities_of(timeline);
        for (const timeline::PlaceQuantities& place : found.places)
            table.add({timeline.name, place.place, fmt::format("{}", place.kernels),
                       fmt::format("{:.1f} %", 100 * place.busy_share),
                       microseconds(static_cast<double>(place.copy_ns)),
                       microseconds(static_cast<double>(place.exposed_copy_ns)),
                       microseconds(static_cast<double>(place.barrier_wait_ns)),
                       microseconds(static_cast<double>(place.host_wait_ns)),
                       microseconds(static_cast<double>(place.gap_ns)),
                       microseconds(static_cast<double>(place.longest_gap_ns))});
        if (found.places.size() > 1 && found.imbalance)
            imbalance += fmt::format("{}: the busiest place computes {:.3f} times the mean\n",
                                     timeline.name, *found.imbalance);
    }
    return table.plain() + imbalance;
}

}  // namespace

TraceFile::TraceFile(const std::string& path) : path_(path), file_(path, "trace") {}

void TraceFile::add(const Timeline& timeline) {
    const auto known = std::ranges::find(timelines_, timeline.name, &Timeline::name);
    if (known == timelines_.end())
        timelines_.push_back(timeline);
    else
        *known = timeline;
    file_.replace(results::trace_text(timelines_));
}

std::string TraceFile::summary(bool timed) const {
    if (timelines_.empty()) return "";
    std::string text;
    if (timed && timelines_.size() <= most_shown) text += table_of(timelines_);
    double residual = 0;
    bool known = true;
    for (const Timeline& timeline : timelines_) {
        known = known && timeline.residual_ns;
        residual = std::max(residual, timeline.residual_ns.value_or(0));
    }
    std::string clocks;
    if (!known)
        clocks = ", clocks not compared";
    else if (residual > 0)
        clocks = fmt::format(", clocks within {} us", microseconds(residual));
    return text + fmt::format(
                      "trace: {} ({} timeline{}{}; ui.perfetto.dev and camber report "
                      "--trace show it)\n",
                      path_, timelines_.size(), timelines_.size() == 1 ? "" : "s", clocks);
}

}  // namespace camber
