#include "harness/cli/run/interval_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/base/number_text.hpp"
#include "harness/base/statistics.hpp"
#include "harness/cli/common/text_table.hpp"

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
    // Those of several generations per launch may have other bounds.
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

}  // namespace camber
