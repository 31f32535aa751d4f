#include "harness/cli/reproduce/series_measuring.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/stopped.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/run/session.hpp"

namespace camber {

namespace {

// So many units as the table has them, balanced by each of its rules.
std::vector<GroupChoice> choices_of(const published::TableHere& here, int count, Backend backend) {
    std::vector<int> devices(static_cast<std::size_t>(count));
    std::iota(devices.begin(), devices.end(), 0);
    std::vector<GroupChoice> all;
    for (const std::string& rule :
         here.balances.empty() ? std::vector<std::string>{"off"} : here.balances) {
        GroupOptions group;
        group.devices = fmt::format("{}", fmt::join(devices, ","));
        group.exchanges = {here.exchange};
        if (rule != "off") group.balance = rule;
        std::ranges::move(group.choices(backend), std::back_inserter(all));
    }
    return all;
}

}  // namespace

results::Document measure_series(const published::Table& table, RunOptions options,
                                 const std::vector<int>& counts, const CommandLine& command_line) {
    options.variants = table.here.variants;
    // Only the cells of an eruption can be divided.
    if (!options.input.empty()) {
        options.refinement = table.here.refine;
        options.size.clear();
    }
    options.graph = table.here.graph;
    if (table.here.sample_seconds > 0) options.sample_seconds = table.here.sample_seconds;
    const Study study = study_from(options);
    Progress progress;
    results::ResultsFile measured;
    for (std::size_t done = 0; done < counts.size() && stop_signal() == 0; ++done) {
        Study point = study;
        // Series that differ in how units are balanced are told apart by the words of their groups.
        if (table.here.balances.empty())
            point.place = {scaling::Unit::gpu, counts[done], 1, scaling::Mode::strong};
        // One GPU computes as it does without the others.
        if (counts[done] > 1) divide(point, choices_of(table.here, counts[done], study.backend));
        Narrator narrator(point, progress);
        const auto to_come = (counts.size() - done - 1) * cases_of(point).size();
        Session session(point, narrator);
        session.run(measured, command_line, 1, static_cast<int>(to_come));
        progress.clear();
        for (const std::string& sentence : describe_failures(session.failures()))
            fmt::print(stderr, "camber: {}\n", sentence);
    }
    if (stop_signal() != 0) say_stopped(measured.document());
    results::Document document = measured.document();
    document.source = "measured now";
    return document;
}

}  // namespace camber
