#include "harness/cli/run/printing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/scaling/fits.hpp"
#include "analysis/timeline/quantities.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

using results::Activity;
using results::CaseRecord;
using results::Interval;

double ns_per_generation(const Interval& interval) {
    return median(interval.samples_ns) / interval.generations();
}

double whole_run(const CaseRecord& record) {
    double ns = 0;
    for (const Interval& interval : record.intervals) ns += median(interval.samples_ns);
    return ns;
}

std::string name_with_conditions(const CaseRecord& record) {
    return record.identity.variant + record.identity.circumstances();
}

std::string times(const std::vector<const CaseRecord*>& records) {
    std::string text;
    // Variants of several generations per launch may have other interval bounds.
    std::vector<const CaseRecord*> rest = records;
    while (!rest.empty()) {
        const auto bounds = [](const CaseRecord* record) {
            std::vector<int> ends;
            for (const Interval& interval : record->intervals) ends.push_back(interval.last);
            return ends;
        };
        const auto first = bounds(rest.front());
        std::vector<std::string> header{"generations"};
        for (const Interval& interval : rest.front()->intervals)
            header.push_back(fmt::format("{}-{}", interval.first + 1, interval.last));
        TextTable table(header);
        std::erase_if(rest, [&](const CaseRecord* record) {
            if (bounds(record) != first) return false;
            std::vector<std::string> row{name_with_conditions(*record)};
            for (const Interval& interval : record->intervals)
                row.push_back(duration(ns_per_generation(interval)));
            table.add(std::move(row));
            return true;
        });
        text += table.plain();
    }
    return text;
}

std::string shares(const CaseRecord& record) {
    std::vector<std::string> header{"kernels of " + name_with_conditions(record)};
    for (const Interval& interval : record.intervals)
        header.push_back(fmt::format("{}-{}", interval.first + 1, interval.last));
    TextTable table(header);
    for (const results::IntervalKernel& kernel : record.intervals.front().kernels) {
        std::vector<std::string> row{kernel.name};
        for (const Interval& interval : record.intervals) {
            double all = 0;
            double own = 0;
            for (const results::IntervalKernel& other : interval.kernels) {
                all += other.ns_per_generation;
                if (other.name == kernel.name) own = other.ns_per_generation;
            }
            row.push_back(percent(all > 0 ? own / all : 0));
        }
        table.add(std::move(row));
    }
    return table.plain();
}

// Comparison of a case's final state, in words.
std::string end_text(const CaseRecord& record) {
    if (!record.end) return "";
    if (!record.end->found) return "the first";
    const Verification& found = *record.end->found;
    if (found.differing_cells == 0) return fmt::format("{} cells equal", found.compared_cells);
    if (!found.statistics) return fmt::format("{} cells differ", found.differing_cells);
    return fmt::format("Jaccard {:.3f}, {} within 10 %", found.statistics->cells.jaccard,
                       percent(found.statistics->cells.share_within_tenth));
}

std::string activity(const std::vector<Activity>& rows, double board) {
    TextTable table({"after", "cells with lava", "of the board", "of 1 box", "2 boxes", "3 boxes",
                     "4 boxes", "of a list"},
                    0);
    for (const Activity& row : rows) {
        const auto share = [&](double cells) {
            return cells > 0 ? percent(static_cast<double>(row.active) / cells) : std::string("-");
        };
        std::vector<std::string> line{fmt::format("{}", row.generation),
                                      fmt::format("{}", row.active), share(board)};
        for (const std::int64_t cells : row.boxes)
            line.push_back(share(static_cast<double>(cells)));
        line.push_back(share(static_cast<double>(row.list)));
        table.add(std::move(line));
    }
    return table.plain();
}

}  // namespace

std::string long_run_table(const results::Document& document) {
    TextTable table({{"variant", Align::left},
                     {"whole run"},
                     {"sum over states"},
                     {"95 % interval"},
                     {"end", Align::left}});
    std::string notes;
    for (const CaseRecord& record : document.cases) {
        if (!record.summed || record.status != results::Status::ok) continue;
        const results::SummedRun& sum = *record.summed;
        table.add({name_with_conditions(record),
                   record.intervals.empty() ? "" : duration(whole_run(record)), duration(sum.ns),
                   fmt::format("{} to {}", duration(sum.low_ns), duration(sum.high_ns)),
                   end_text(record)});
        const int compared = sum.verification ? sum.verification->generations : 0;
        notes = fmt::format(
            "{} states of {}; every variant compared with the reference after {} generations from "
            "the start and after {} from each state\n",
            sum.states.size(), sum.states_by, record.verification->generations, compared);
    }
    return notes.empty() ? "" : table.plain() + notes;
}

std::string interval_tables(const results::Document& document) {
    std::vector<const CaseRecord*> records;
    for (const CaseRecord& record : document.cases)
        if (!record.intervals.empty()) records.push_back(&record);
    std::string text;
    if (!records.empty()) {
        std::ranges::stable_sort(records, {},
                                 [](const CaseRecord* record) { return whole_run(*record); });
        text += times(records);
        const auto several = std::ranges::find_if(records, [](const CaseRecord* record) {
            return record->intervals.front().kernels.size() > 1;
        });
        if (several != records.end()) text += shares(**several);
    }
    const results::Run* run = document.run();
    if (run && !run->activity.empty() && !document.cases.empty())
        text += activity(run->activity, document.cases.front().cells());
    return text;
}

namespace {

using Pass = std::pair<const results::CaseRecord*, overlap::Overlap>;

// Above this ratio of two times, the order of issue matters.
constexpr double noticeable = 1.05;

// "pinned/s4/all": name of a pass, which is the same for both orders of issue.
std::string pass_of(const results::CaseRecord& record) {
    const std::string& variant = record.identity.variant;
    return variant.substr(variant.find('/', variant.find('/') + 1) + 1);
}

// Compares depth-first with breadth-first order (Rustico 2012, section 3.8).
std::string issue_note(const std::vector<Pass>& passes) {
    std::map<std::string, std::pair<double, double>> times;  // breadth-first, depth-first
    for (const auto& [record, overlap] : passes) {
        if (overlap.streams == 1) continue;
        auto& both = times[pass_of(*record) + suffix(record->identity.conditions())];
        (record->identity.technique == "depth_first" ? both.second : both.first) = overlap.measured;
    }
    std::vector<double> ratios;
    for (const auto& [pass, both] : times)
        if (both.first > 0 && both.second > 0) ratios.push_back(both.second / both.first);
    if (ratios.empty()) return "";
    const auto [least, most] = std::ranges::minmax(ratios);
    return fmt::format(
        "Issued depth-first a pass takes {:.2f} to {:.2f} times as long as breadth-first: {}. With "
        "one queue for copies and one for kernels depth-first would serialise (Rustico 2012, "
        "section 3.8).\n",
        least, most,
        most <= noticeable && least >= 1 / noticeable ? "here the order hardly matters"
        : least >= 1 / noticeable                     ? "breadth-first overlaps more"
        : most <= noticeable                          ? "depth-first overlaps more"
                             : "which one overlaps more depends on the pass");
}

}  // namespace

std::string overlap_table(const results::Document& document) {
    results::Document merged = document;
    results::merge_repetitions(merged);
    std::vector<Pass> passes = overlap::overlaps(merged.cases);
    if (passes.empty()) return "";
    std::ranges::stable_sort(passes, {},
                             [](const Pass& pass) { return pass.second.share_of_pieces(); });
    TextTable table({"transfers under kernels", "time", "expected", "pieces alone", "of pieces",
                     "kernel alone", "exposed"});
    for (const auto& [record, overlap] : passes)
        table.add({record->identity.variant + suffix(record->identity.conditions()),
                   duration(overlap.measured), duration(overlap.expected()),
                   duration(overlap.pieces), percent(overlap.share_of_pieces()),
                   duration(overlap.kernel), duration(std::max(0.0, overlap.exposed_transfers()))});
    return table.plain() +
           "expected: the longest piece, and of the others one stream's share. exposed: the time "
           "in which no kernel runs.\n" +
           issue_note(passes);
}

namespace {

using results::CaseRecord;

std::string title(const CaseRecord& record) {
    return record.identity.variant + record.identity.circumstances();
}

std::string text_of(Size size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

std::string cell_of(const CaseRecord& record) {
    const auto speedup = record.derived ? record.derived->speedup_vs_baseline : std::nullopt;
    return duration(record.real_time_ns) + (speedup ? fmt::format(" {:.2f}x", *speedup) : "");
}

// Sizes sorted by number of cells.
std::vector<Size> sizes_of(const results::Document& document) {
    std::vector<Size> sizes;
    for (const CaseRecord& record : document.cases)
        if (std::ranges::find(sizes, record.identity.size) == sizes.end())
            sizes.push_back(record.identity.size);
    std::ranges::stable_sort(sizes, {}, &Size::cells);
    return sizes;
}

// Each variant and reason once, with the sizes that it applies to.
std::string without_result(const results::Document& document) {
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> sizes;
    for (const CaseRecord& record : document.cases) {
        if (record.status == results::Status::ok) continue;
        const std::pair key(
            fmt::format("{} {}", record.status == results::Status::failed ? "FAILED" : "skipped",
                        title(record)),
            record.reason);
        if (sizes[key].empty()) order.push_back(key);
        sizes[key].push_back(text_of(record.identity.size));
    }
    std::string text;
    for (const auto& key : order)
        text += fmt::format("{} at {}: {}\n", key.first, fmt::join(sizes[key], ", "), key.second);
    return text;
}

// Count with blanks between thousands, rounded to three significant digits: "61 400".
std::string count(double cells) {
    double unit = 1;
    while (cells / unit >= 1000) unit *= 10;
    std::string digits = fmt::format("{:.0f}", std::round(cells / unit) * unit);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
    return digits;
}

std::string in_microseconds(double ns) {
    return fmt::format("{:.2f} us", ns * 1e-3);
}

}  // namespace

std::string size_table(const results::Document& document) {
    const std::vector<Size> sizes = sizes_of(document);
    std::vector<std::string> header{"variant"};
    for (const Size size : sizes) header.push_back(text_of(size));
    TextTable table(header);
    std::vector<std::string> variants;
    std::map<std::string, std::vector<const CaseRecord*>> rows;
    for (const CaseRecord& record : document.cases) {
        if (record.status != results::Status::ok) continue;
        auto& row = rows[title(record)];
        if (row.empty()) {
            row.resize(sizes.size());
            variants.push_back(title(record));
        }
        row[static_cast<std::size_t>(std::ranges::find(sizes, record.identity.size) -
                                     sizes.begin())] = &record;
    }
    // Sorts by the largest board; variants without a time there come last.
    std::ranges::stable_sort(variants, [&](const std::string& a, const std::string& b) {
        for (std::size_t i = sizes.size(); i-- > 0;) {
            const CaseRecord* left = rows[a][i];
            const CaseRecord* right = rows[b][i];
            if (!left || !right) {
                if ((left == nullptr) != (right == nullptr)) return left != nullptr;
                continue;
            }
            return left->real_time_ns < right->real_time_ns;
        }
        return false;
    });
    for (const std::string& variant : variants) {
        std::vector<std::string> row{variant};
        for (const CaseRecord* record : rows[variant])
            row.push_back(record ? cell_of(*record) : "-");
        table.add(std::move(row));
    }
    return (table.empty() ? "" : table.plain()) + without_result(document);
}

std::string saturation_table(const results::Document& document) {
    TextTable table(
        {"over size", "kernel", "floor", "knee, cells", "95 % interval", "per Mcell", "intercept"},
        2);
    for (const scaling::SizeSeries& series : scaling::series_over_size(document)) {
        const auto fit = scaling::fit_saturation(series.points);
        if (!fit) continue;
        table.add({series.variant, series.kernel.empty() ? "all" : series.kernel,
                   in_microseconds(fit->floor_ns), count(fit->knee_cells),
                   count(fit->knee_low) + " to " + count(fit->knee_high),
                   in_microseconds(fit->ns_per_cell * 1e6), in_microseconds(fit->intercept_ns)});
    }
    if (table.empty()) return "";
    return table.plain() +
           "Below the knee the time per generation stays at its floor, because the device is not "
           "fully occupied. Beyond it, time grows in proportion to the cells; the intercept is "
           "that "
           "line at zero cells.\n";
}

}  // namespace camber
