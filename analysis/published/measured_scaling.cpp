#include "analysis/published/measured_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "analysis/published/measured.hpp"
#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/results_series.hpp"
#include "harness/base/error.hpp"

namespace camber::published {

namespace {

// Without the words of its exchange.
std::string variant_alone(const scaling::Series& series) {
    return series.variant.substr(0, series.variant.find(", "));
}

// A file of a series has one exchange; where a run has several, the variants' names end in theirs.
std::string balance_of(const results::Document& document, const scaling::Series& series) {
    for (const results::CaseRecord& record : document.cases) {
        const auto& group = record.identity.group;
        if (!group || !group->balancing || record.identity.variant != variant_alone(series))
            continue;
        if (record.identity.scaling ||
            series.variant == record.identity.variant + ", " + group->exchange_words())
            return group->balancing->rule;
    }
    return "";
}

std::vector<scaling::Series> series_in(const results::Document& document) {
    try {
        return scaling::series_of_results(document);
    } catch (const Error&) {
        return {};  // of something else
    }
}

std::string size_text(Size size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

// Whether `camber run` measured this, alone or on several units, for a problem of the table.
bool is_run_of(const Table& table, const LargerProblem& problem,
               const results::CaseRecord& record) {
    const results::Identity& identity = record.identity;
    return !identity.scaling && record.timed() &&
           std::ranges::find(table.here.variants, identity.variant) != table.here.variants.end() &&
           size_text(identity.size) == problem.size && has_parameters(identity, problem.parameters);
}

struct Run {
    const results::Document* document;
    results::CaseRecord record;
};

// Runs on one unit that have all of the parameters of those on several, as how often lists are
// made. Of each variant the one whose samples are longest: water that has moved for long takes
// another time than water at rest.
void leave_those_like_others(std::vector<Run>& runs) {
    const auto several = std::ranges::find_if(
        runs, [](const Run& run) { return run.record.identity.group.has_value(); });
    if (several == runs.end()) return;
    const auto parameters = several->record.identity.workload_parameters;
    const auto is_alone = [](const Run& run) { return !run.record.identity.group; };
    std::erase_if(runs, [&](const Run& run) {
        return is_alone(run) && (run.record.identity.workload_parameters != parameters ||
                                 !run.record.identity.is_usual());
    });
    const auto is_shorter = [&](const Run& run) {
        return is_alone(run) && std::ranges::any_of(runs, [&](const Run& other) {
                   return is_alone(other) &&
                          other.record.identity.variant == run.record.identity.variant &&
                          other.record.samples->generations_per_sample >
                              run.record.samples->generations_per_sample;
               });
    };
    std::vector<Run> left;
    std::ranges::copy_if(runs, std::back_inserter(left), std::not_fn(is_shorter));
    runs = std::move(left);
}

// Its cases from all files that have some; nullopt where no file but one has.
std::optional<results::Document> together(const Table& table, const LargerProblem& problem,
                                          const std::vector<results::Document>& documents) {
    std::vector<Run> runs;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (is_run_of(table, problem, record)) runs.push_back({&document, record});
    leave_those_like_others(runs);
    std::optional<results::Document> all;
    int files = 0;
    const results::Document* last = nullptr;
    for (Run& run : runs) {
        if (!all) {
            all = *run.document;
            all->cases.clear();
        } else if (run.document != last && all->source != run.document->source) {
            all->source += " and " + run.document->source;
        }
        files += run.document != last;
        last = run.document;
        all->cases.push_back(std::move(run.record));
    }
    return files > 1 ? all : std::nullopt;
}

// The table's own problem, and the larger ones.
std::vector<LargerProblem> problems_of(const Table& table) {
    std::vector<LargerProblem> all{{table.here.size, table.here.parameters}};
    all.insert(all.end(), table.here.larger.begin(), table.here.larger.end());
    return all;
}

}  // namespace

std::vector<MeasuredSeries> measured_series(const Table& table,
                                            const std::vector<results::Document>& documents) {
    std::vector<MeasuredSeries> all;
    if (!table.scaling || table.here.variants.empty()) return all;
    const auto add = [&](const results::Document& document) {
        for (scaling::Series& series : series_in(document))
            if (series.unit == table.scaling->unit &&
                std::ranges::find(table.here.variants, variant_alone(series)) !=
                    table.here.variants.end()) {
                const std::string balance = balance_of(document, series);
                all.push_back({document.source, scaling::analyse(std::move(series)), balance});
            }
    };
    std::vector<LargerProblem> in_several;  // files
    for (const LargerProblem& problem : problems_of(table))
        if (const auto runs = together(table, problem, documents)) {
            add(*runs);
            in_several.push_back(problem);
        }
    for (results::Document document : documents) {
        std::erase_if(document.cases, [&](const results::CaseRecord& record) {
            return std::ranges::any_of(in_several, [&](const LargerProblem& problem) {
                return is_run_of(table, problem, record);
            });
        });
        add(document);
    }
    const auto size = [](const MeasuredSeries& one) {
        return fmt::format("{}x{}", one.analysis.series.columns, one.analysis.series.rows);
    };
    const auto cells = [](const MeasuredSeries& one) {
        return one.analysis.series.columns * one.analysis.series.rows;
    };
    const auto is_named = [&](const MeasuredSeries& one) {
        return size(one) == table.here.size ||
               std::ranges::find(table.here.larger, size(one), &LargerProblem::size) !=
                   table.here.larger.end();
    };
    const bool has_own = std::ranges::any_of(all, is_named);
    long most = 0;
    for (const MeasuredSeries& one : all) most = std::max(most, cells(one));
    std::erase_if(all, [&](const MeasuredSeries& one) {
        return has_own ? !is_named(one) : cells(one) != most;
    });
    return all;
}

const ScalingRows& rows_beside(const Table& table, const MeasuredSeries& measured) {
    const std::vector<ScalingRows>& all = table.scaling->series;
    const auto found = std::ranges::find_if(all, [&](const ScalingRows& rows) {
        return rows.balance.empty() == measured.balance.empty();
    });
    return found == all.end() ? all.front() : *found;
}

std::string cost_of_units(const scaling::Analysis& analysis) {
    const double alone = analysis.points.front().median_ns;
    const scaling::PointAnalysis& last = analysis.points.back();
    if (!last.cost_ns) return "";
    // Of each unit beside the first.
    const double cost = *last.cost_ns / (last.p - 1);
    if (cost <= 0)
        return fmt::format("{} units lose nothing against an equal division of the time.",
                           last.units);
    // A further unit gains T / (D (D - 1)).
    int units = 1;
    while (alone / (static_cast<double>(units) * (units + 1)) > cost) ++units;
    return fmt::format(
        "{} units take {:.1f} us a step more than an equal division of the time on one, {:.1f} us "
        "for each unit that was added. A D-th unit gains T/(D (D - 1)), so that at this cost it "
        "pays up to {}.",
        last.units, *last.cost_ns * 1e-3, cost * 1e-3,
        units == 1 ? std::string("none") : fmt::format("D = {}", units));
}

}  // namespace camber::published
