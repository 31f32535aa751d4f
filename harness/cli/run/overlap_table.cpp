#include "harness/cli/run/overlap_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/overlap/overlap.hpp"
#include "harness/base/number_text.hpp"
#include "harness/cli/common/text_table.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

using Pass = std::pair<const results::CaseRecord*, overlap::Overlap>;

// Beyond this ratio of two times the order of issue matters.
constexpr double noticeable = 1.05;

// "pinned/s4/all": the same pass in either order of issue.
std::string pass_of(const results::CaseRecord& record) {
    const std::string& variant = record.identity.variant;
    return variant.substr(variant.find('/', variant.find('/') + 1) + 1);
}

// Depth-first against breadth-first (Rustico 2012, section 3.8).
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

}  // namespace camber
