#include "harness/cli/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/cli/common/flow_notes.hpp"

namespace camber {

namespace {

using results::CaseRecord;
using results::Derived;
using results::Status;
using Cases = std::vector<const CaseRecord*>;

std::string percent(const std::optional<double>& share) {
    return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string times(const std::optional<double>& speedup) {
    return speedup ? fmt::format("{:.2f}x", *speedup) : "-";
}

std::string title(const CaseRecord* record) {
    return record->identity.variant + suffix(record->identity.conditions());
}

std::string_view verified(const CaseRecord* record) {
    if (!record->verification || !record->verification->passed()) return "no";
    return decided_by_statistics(*record) ? "by statistics" : "yes";
}

Derived derived_of(const CaseRecord* record) {
    return record->derived.value_or(Derived());
}

// One record per case, in order of first appearance.
Cases middles(const results::Document& document) {
    std::vector<std::string> order;
    std::map<std::string, Cases> repetitions;
    for (const CaseRecord& record : document.cases) {
        if (!record.by_camber) continue;
        auto& same = repetitions[record.name];
        if (same.empty()) order.push_back(record.name);
        same.push_back(&record);
    }
    Cases middle;
    for (const std::string& name : order) {
        auto& same = repetitions[name];
        std::ranges::stable_sort(same, {}, &CaseRecord::real_time_ns);
        middle.push_back(same[same.size() / 2]);
    }
    return middle;
}

// Whether the bytes that the variant's own steps must move differ from the algorithm's.
bool steps_differ(const CaseRecord* record) {
    const Derived derived = derived_of(record);
    if (!derived.step_bytes_per_cell) return false;
    const double needed = derived.application_bandwidth_bytes_per_second;
    const double by_steps = *derived.step_bytes_per_cell * derived.cells_per_second;
    constexpr double rounding = 1e-9;
    return std::abs(by_steps - needed) > rounding * needed;
}

// Whether only some of the board's cells have something to compute, so that cells per second say
// less than generations do.
bool counts_generations(const CaseRecord* record) {
    return derived_of(record).generations_per_second && record->final &&
           record->final->account.contains("active_share");
}

std::string timed_table(Cases cases, std::size_t width,
                        const std::optional<double>& copy_bytes_per_second) {
    std::string out;
    const auto line = std::back_inserter(out);
    std::ranges::stable_sort(cases, {}, &CaseRecord::real_time_ns);
    const bool with_steps = std::ranges::any_of(cases, steps_differ);
    const auto steps = [&](const std::string& text) {
        return with_steps ? fmt::format("  {:>7}", text) : std::string();
    };
    const bool with_rate = std::ranges::any_of(cases, counts_generations);
    const auto rate = [&](const std::string& text) {
        return with_rate ? fmt::format("  {:>8}", text) : std::string();
    };
    const auto rate_of = [](const Derived& derived) {
        return derived.generations_per_second
                   ? fmt::format("{:.1f}", *derived.generations_per_second)
                   : std::string("-");
    };
    fmt::format_to(line, "{:>4}  {:<{}}  {:>12}{}  {:>9}  {:>9}  {:>7}{}  {:>8}  {}\n", "rank",
                   "variant", width, "time/gen", rate("gen/s"), "Gcell/s", "app GB/s", "of copy",
                   steps("steps"), "speedup", "verified");
    int rank = 0;
    for (const CaseRecord* record : cases) {
        const Derived derived = derived_of(record);
        fmt::format_to(line, "{:>4}  {:<{}}  {:>12}{}  {:>9.2f}  {:>9.1f}  {:>7}{}  {:>8}  {}\n",
                       ++rank, title(record), width, duration(record->real_time_ns),
                       rate(rate_of(derived)), derived.cells_per_second * 1e-9,
                       derived.application_bandwidth_bytes_per_second * 1e-9,
                       percent(derived.share_of_copy), steps(percent(derived.step_share_of_copy)),
                       times(derived.speedup_vs_baseline), verified(record));
    }
    for (const CaseRecord* record : cases)
        if (record->device_state && record->device_state->clock_fall)
            fmt::format_to(line, "slowed while measured: {}: {}\n", title(record),
                           *record->device_state->clock_fall);
    if (copy_bytes_per_second)
        fmt::format_to(line, "copy bandwidth of this device: {:.1f} GB/s (read + written)\n",
                       *copy_bytes_per_second * 1e-9);
    return out;
}

std::string untimed_table(const Cases& cases, std::size_t width) {
    std::string out;
    const auto line = std::back_inserter(out);
    fmt::format_to(line, "{:<{}}  {:>7}  {:>14}  {}\n", "variant", width, "gen/run",
                   "cells compared", "verified");
    for (const CaseRecord* record : cases)
        fmt::format_to(line, "{:<{}}  {:>7}  {:>14}  {}\n", title(record), width,
                       record->identity.generations_per_launch.value_or(1),
                       record->verification ? record->verification->compared_cells : 0,
                       verified(record));
    out +=
        "The simt backend executes kernels thread by thread on the CPU to check them: its times "
        "say nothing about a GPU and are not shown.\n";
    return out;
}

}  // namespace

std::string duration(double nanoseconds) {
    if (nanoseconds < 1e6) return fmt::format("{:.2f} us", nanoseconds * 1e-3);
    if (nanoseconds < 1e9) return fmt::format("{:.3f} ms", nanoseconds * 1e-6);
    return fmt::format("{:.3f} s", nanoseconds * 1e-9);
}

std::string ranking(const results::Document& document) {
    const Cases cases = middles(document);
    std::size_t width = 7;
    for (const CaseRecord* record : cases) width = std::max(width, title(record).size());

    Cases ok;
    std::ranges::copy_if(cases, std::back_inserter(ok),
                         [](const CaseRecord* record) { return record->status == Status::ok; });
    std::string out;
    if (!ok.empty())
        out = ok.front()->identity.backend == Backend::simt
                  ? untimed_table(ok, width)
                  : timed_table(ok, width,
                                document.run() ? document.run()->ceilings.copy_bytes_per_second
                                               : std::nullopt);
    out += flow_notes(ok);
    for (const auto& [status, heading] :
         {std::pair(Status::failed, "FAILED"), {Status::skipped, "skipped"}})
        for (const CaseRecord* record : cases)
            if (record->status == status)
                out += fmt::format("{} {}: {}\n", heading, title(record), record->reason);
    return out;
}

int cases_with(const results::Document& document, Status status) {
    return static_cast<int>(std::ranges::count_if(document.cases, [&](const CaseRecord& record) {
        return record.by_camber && record.status == status;
    }));
}

}  // namespace camber
