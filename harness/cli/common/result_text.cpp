#include "harness/cli/common/result_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "harness/base/error.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"

namespace camber {

namespace {

using results::CaseRecord;
using results::Derived;
using results::Identity;
using results::Status;
using Cases = std::vector<const CaseRecord*>;

// Intervals wider than this fraction of the time are reported as noisy, because camber compare
// cannot decide much from them.
constexpr double noisy_half_width = 0.03;

std::string times(const std::optional<double>& speedup) {
    return speedup ? fmt::format("{:.2f}x", *speedup) : "-";
}

std::string title(const CaseRecord* record) {
    return record->identity.variant + record->identity.circumstances();
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

// True if the bytes that the variant's own steps must move differ from the algorithm's.
bool steps_differ(const CaseRecord* record) {
    const Derived derived = derived_of(record);
    if (!derived.step_bytes_per_cell) return false;
    const double needed = derived.application_bandwidth_bytes_per_second;
    const double by_steps = *derived.step_bytes_per_cell * derived.cells_per_second;
    constexpr double rounding = 1e-9;
    return std::abs(by_steps - needed) > rounding * needed;
}

// "91.2 % L2".
std::string of_limit(const Derived& derived) {
    if (!derived.limit || !derived.share_of_limit) return "-";
    return fmt::format("{} {}", percent(derived.share_of_limit), short_name(*derived.limit));
}

// True if only some cells of the board need computation, so that generations per second are more
// meaningful than cells per second.
bool counts_generations(const CaseRecord* record) {
    return derived_of(record).generations_per_second && record->final &&
           record->final->account.contains("active_share");
}

// Half-width of the median's 95 % interval, as a fraction of the median; nullopt for a single
// sample.
std::optional<double> half_width(const CaseRecord* record) {
    if (!record->samples || record->samples->ns.size() < 2) return std::nullopt;
    const SampleStatistics& statistics = record->samples->statistics;
    if (!(statistics.median > 0)) return std::nullopt;
    return (statistics.ci95_high - statistics.ci95_low) / 2 / statistics.median;
}

// True if a case computes particles. Its speed is given in thousands of particles times iterations
// per second (Rustico 2012, section 8.7).
bool has_particles(const CaseRecord* record) {
    return record->final && record->final->account.contains("particles");
}

void sort_by(const std::string& order, Cases& cases) {
    if (order == "name")
        std::ranges::stable_sort(cases, {}, title);
    else if (order == "spread")
        std::ranges::stable_sort(cases, std::greater<>(), [](const CaseRecord* record) {
            return half_width(record).value_or(0);
        });
    else
        std::ranges::stable_sort(cases, {}, &CaseRecord::real_time_ns);
}

// Lists a few names and the number of further ones.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 3;
    const std::size_t shown = std::min(most, names.size());
    std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

// Advice on samples with wide intervals: one sentence for each kind.
std::string sample_notes(const Cases& cases) {
    std::vector<std::string> noisy;
    std::vector<std::string> bimodal;
    for (const CaseRecord* record : cases) {
        if (!record->samples) continue;
        if (const auto modes = two_modes(record->samples->ns))
            bimodal.push_back(fmt::format("{} ({:.0f} % of its samples take {:.2f}x the time)",
                                          title(record), 100 * modes->share_of_slow,
                                          modes->slow_over_fast));
        else if (half_width(record).value_or(0) > noisy_half_width)
            noisy.push_back(fmt::format("{} (+- {})", title(record), percent(half_width(record))));
    }
    std::string text;
    if (!noisy.empty())
        text += fmt::format(
            "noisy: {}. Stop other programs on this machine, or take more samples: --rounds 5.\n",
            listed(noisy));
    if (!bimodal.empty())
        text += fmt::format(
            "two speeds: {}. --processes 5 shows whether the memory layout is the cause; if not, "
            "lock the clocks.\n",
            listed(bimodal));
    return text;
}

// For models whose cost changes as they evolve: the part of a run that the times refer to.
std::string evolution_note(const Cases& cases) {
    int least = 0;
    int most = 0;
    const Identity* first = nullptr;
    for (const CaseRecord* record : cases) {
        if (!counts_generations(record) || !record->samples) continue;
        const int generations = record->samples->generations_per_sample;
        least = first == nullptr ? generations : std::min(least, generations);
        most = std::max(most, generations);
        first = first == nullptr ? &record->identity : first;
    }
    if (first == nullptr) return "";
    if (first->from_start)
        return fmt::format("Every sample computes generations 1 to {}, from the initial state.\n",
                           most);
    return fmt::format(
        "A sample computes {} consecutive generations after generation {}, when the lava has "
        "spread: the times apply to that stage only. --from-start times generations 1 to N of "
        "--generations N.\n",
        least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
        first->generations);
}

std::string timed_table(Cases cases, const std::optional<double>& copy_bytes_per_second,
                        const std::string& order) {
    std::map<const CaseRecord*, int> ranks;
    std::ranges::stable_sort(cases, {}, &CaseRecord::real_time_ns);
    for (const CaseRecord* record : cases)
        ranks.emplace(record, static_cast<int>(ranks.size()) + 1);
    sort_by(order, cases);
    const bool with_steps = std::ranges::any_of(cases, steps_differ);
    const bool with_limit = std::ranges::any_of(
        cases, [](const CaseRecord* record) { return derived_of(record).limit.has_value(); });
    const bool with_rate = std::ranges::any_of(cases, counts_generations);
    const bool with_particles = std::ranges::all_of(cases, has_particles);
    std::vector<TableColumn> columns{{"rank"}, {"variant", Align::left}, {"time/gen"}, {"+-"}};
    if (with_rate) columns.push_back({"gen/s"});
    columns.insert(columns.end(),
                   {{with_particles ? "kip/s" : "Gcell/s"}, {"app GB/s"}, {"of copy"}});
    if (with_limit) columns.push_back({"of limit"});
    if (with_steps) columns.push_back({"steps"});
    columns.insert(columns.end(), {{"speedup"}, {"verified", Align::left}});
    TextTable table(std::move(columns));
    for (const CaseRecord* record : cases) {
        const Derived derived = derived_of(record);
        std::vector<std::string> row{fmt::format("{:>4}", ranks.at(record)), title(record),
                                     duration(record->real_time_ns), percent(half_width(record))};
        if (with_rate)
            row.push_back(derived.generations_per_second
                              ? fmt::format("{:.1f}", *derived.generations_per_second)
                              : "-");
        row.push_back(with_particles ? fmt::format("{:.0f}", derived.cells_per_second * 1e-3)
                                     : fmt::format("{:.2f}", derived.cells_per_second * 1e-9));
        const double bandwidth = derived.application_bandwidth_bytes_per_second;
        row.push_back(bandwidth > 0 ? fmt::format("{:.1f}", bandwidth * 1e-9) : "-");
        row.push_back(percent(derived.share_of_copy));
        if (with_limit) row.push_back(of_limit(derived));
        if (with_steps) row.push_back(percent(derived.step_share_of_copy));
        row.push_back(times(derived.speedup_vs_baseline));
        row.emplace_back(verified(record));
        table.add(std::move(row));
    }
    std::string out = table.plain();
    for (const CaseRecord* record : cases)
        if (record->device_state && record->device_state->clock_fall)
            out += fmt::format("slowed while measured: {}: {}\n", title(record),
                               *record->device_state->clock_fall);
    if (copy_bytes_per_second)
        out += fmt::format("copy bandwidth of this device: {:.1f} GB/s (read + written)\n",
                           *copy_bytes_per_second * 1e-9);
    return out + evolution_note(cases) + sample_notes(cases);
}

std::string untimed_table(Cases cases, const std::string& order) {
    if (order == "name") sort_by(order, cases);
    TextTable table(
        {{"variant", Align::left}, {"gen/run"}, {"cells compared"}, {"verified", Align::left}});
    for (const CaseRecord* record : cases)
        table.add(
            {title(record), fmt::format("{}", record->identity.generations_per_launch.value_or(1)),
             fmt::format("{}", record->verification ? record->verification->compared_cells : 0),
             std::string(verified(record))});
    return table.plain() +
           "The simt backend executes kernels thread by thread on the CPU to verify them; it has "
           "no "
           "meaningful times.\n";
}

}  // namespace

std::string ranking(const results::Document& document, const std::string& order) {
    const Cases cases = middles(document);
    Cases ok;
    std::ranges::copy_if(cases, std::back_inserter(ok),
                         [](const CaseRecord* record) { return record->status == Status::ok; });
    std::string out;
    if (!ok.empty())
        out = ok.front()->identity.backend == Backend::simt
                  ? untimed_table(ok, order)
                  : timed_table(ok,
                                document.run() ? document.run()->ceilings.copy_bytes_per_second
                                               : std::nullopt,
                                order);
    return out + ranking_notes(document);
}

std::string ranking_notes(const results::Document& document) {
    const Cases cases = middles(document);
    Cases ok;
    std::ranges::copy_if(cases, std::back_inserter(ok),
                         [](const CaseRecord* record) { return record->status == Status::ok; });
    std::string out = flow_notes(ok);
    for (const auto& [status, heading] :
         {std::pair(Status::failed, "FAILED"), {Status::skipped, "skipped"}})
        for (const CaseRecord* record : cases)
            if (record->status == status)
                out += fmt::format("{} {}: {}\n", record->left_out ? "left out" : heading,
                                   title(record), record->reason);
    return out;
}

int cases_with(const results::Document& document, Status status) {
    return static_cast<int>(std::ranges::count_if(document.cases, [&](const CaseRecord& record) {
        return record.by_camber && record.status == status;
    }));
}

namespace {

// "18 of 79 cases measured"; "" if all cases are measured.
std::string measured_part(const results::Document& document) {
    const results::Run* run = document.run();
    if (!run || !run->incomplete) return "";
    const results::Incomplete& so_far = *run->incomplete;
    std::string text = fmt::format("{} of {} cases measured", so_far.cases, so_far.of_cases);
    if (so_far.of_visits != so_far.of_cases)
        text += fmt::format(", {} of {} visits", so_far.visits, so_far.of_visits);
    return text;
}

}  // namespace

void say_stopped(const results::Document& document, const std::string& why) {
    const std::string part = measured_part(document);
    if (!part.empty()) say_error(fmt::format("{}: {}", why, part));
}

void say_stopped(int done, int total, const std::string& what) {
    fmt::print(stderr, "camber: stopped: {} of {} {}\n", done, total, what);
}

void say_overdue(const std::string& sentence) {
    finish_output();
    fmt::print(stderr,
               "camber: {} and has not ended: mend its loop, or give more time with --timeout\n",
               sentence);
}

void say_device_lost(const std::string& sentence) {
    finish_output();
    fmt::print(stderr, "camber: {}\n", sentence);
}

void say_incomplete(const results::Document& document) {
    const std::string part = measured_part(document);
    if (!part.empty())
        say_error(fmt::format("the run of {} was stopped or has not ended yet: {}", document.source,
                              part));
}

int exit_code_of(const results::Document& document) {
    const bool failed = std::ranges::any_of(document.cases, [](const results::CaseRecord& one) {
        return one.status == results::Status::failed;
    });
    return static_cast<int>(failed ? ExitCode::wrong_result : ExitCode::success);
}

}  // namespace camber
