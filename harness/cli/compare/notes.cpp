#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/cli/compare/wording.hpp"

namespace camber {

using namespace compare;

std::vector<std::string> notes_on(const Comparison& comparison) {
    std::vector<std::string> notes;
    const auto timed = [&](const auto& holds) {
        return std::ranges::count_if(comparison.cases, [&](const CaseComparison& one) {
            return one.time && holds(*one.time);
        });
    };
    for (const std::string& file : comparison.with_times_only)
        notes.push_back(fmt::format(
            "{} was written by Google Benchmark: it has times only, no deterministic quantities "
            "and no clock, and it does not name its GPU",
            file));
    if (const auto alone =
            timed([](const TimeComparison& t) { return !t.time.between_processes_known; }))
        notes.push_back(fmt::format(
            "{} case{} measured in one process in one of the files: how much processes differ is "
            "unknown there, so the intervals are too narrow; measure with --processes 5",
            alone, alone == 1 ? " was" : "s were"));
    double misses = 0;
    const auto few = timed([&](const TimeComparison& t) {
        const double share = range_misses(t.base_spread.processes, t.new_spread.processes);
        if (!t.time.between_processes_known || share <= 0.05) return false;
        misses = std::max(misses, share);
        return true;
    });
    if (few > 0)
        notes.push_back(fmt::format(
            "{} case{} measured in so few processes that up to {:.0f} % of such intervals miss the "
            "true ratio; --processes 5 makes it under 1 %",
            few, few == 1 ? " was" : "s were", 100 * misses));
    if (const auto blind = timed([](const TimeComparison& t) { return !t.cycles_ratio; }))
        notes.push_back(
            fmt::format("the files do not tell the SM clock of {} case{}: whether a change of "
                        "clocks explains a "
                        "difference in time could not be checked",
                        blind, blind == 1 ? "" : "s"));
    if (const auto clocks = timed([&](const TimeComparison& t) {
            const double drift = t.cycles_ratio ? *t.cycles_ratio / t.time.ratio : 1;
            return t.verdict == Verdict::same &&
                   (drift > 1 + comparison.threshold || drift < 1 / (1 + comparison.threshold));
        }))
        notes.push_back(fmt::format(
            "{} case{} SAME in time at SM clocks that differ by more than the threshold", clocks,
            clocks == 1 ? " is" : "s are"));
    if (!comparison.same_compiler)
        notes.emplace_back(
            "the files name different compilers, runtimes or flags: registers, local memory and "
            "instructions are information only");
    std::map<Family, std::size_t> lacking;
    for (const CaseComparison& one : comparison.cases)
        for (const auto& [family, quantities] : one.quantities.only_in_base)
            lacking[family] += quantities;
    for (const auto& [family, quantities] : lacking)
        notes.push_back(
            fmt::format("{} quantities of the family {} are in BASE only, and were "
                        "not compared",
                        quantities, name(family)));
    if (comparison.times_of_simt)
        notes.emplace_back("times of the simt backend say nothing about a GPU: not compared");
    return notes;
}

}  // namespace camber
