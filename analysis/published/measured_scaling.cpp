// Measured scaling series beside a table: points of several files under the same conditions, merged.
#include "analysis/published/scaling_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analysis/published/measured.hpp"
#include "analysis/published/outcome.hpp"
#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/series.hpp"
#include "harness/base/error.hpp"

namespace camber::published {

namespace {

// Variant name without the suffix for the exchange.
std::string variant_alone(const scaling::Series& series) {
    return series.variant.substr(0, series.variant.find(", "));
}

// Balancing rule of a series. If a run has several exchanges, the variants' names end in theirs.
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

// Work of the series' case with the longest samples.
MeasuredWork series_work(const results::Document& document, const scaling::Series& series) {
    MeasuredWork longest;
    for (const results::CaseRecord& record : document.cases) {
        if (record.identity.variant != variant_alone(series) || !record.timed() ||
            record.identity.size.columns != series.columns ||
            record.identity.size.rows != series.rows)
            continue;
        MeasuredWork work = work_of(document, record);
        if (longest.origin.empty() || work.steps > longest.steps) longest = std::move(work);
    }
    return longest;
}

std::vector<scaling::Series> series_in(const results::Document& document) {
    try {
        return scaling::series_of_results(document);
    } catch (const Error&) {
        return {};  // not a scaling file
    }
}

std::string size_text(Size size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

// Returns true if `camber run` measured this case, on one unit or several, for a problem of the
// table.
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

// Parameters of how units share slices: they change times on several units only.
constexpr const char* measure_parameter = "divide_by";
constexpr const char* threshold_parameter = "balance_threshold";
constexpr const char* axis_parameter = "divide_along";

// Developed state that a run begins with, and how units share its slices.
struct Stage {
    int begin = 0;
    double measure = 0;
    double threshold = 0.5;
    double axis = 0;
    auto operator<=>(const Stage&) const = default;
};

double parameter_of(const results::Identity& identity, const char* name, double usual) {
    const auto found = identity.workload_parameters.find(name);
    return found == identity.workload_parameters.end() || found->second.empty()
               ? usual
               : found->second.front();
}

Stage stage_of(const results::Identity& identity) {
    Stage stage{identity.begin.value_or(0)};
    if (!identity.group) return stage;
    stage.measure = parameter_of(identity, measure_parameter, stage.measure);
    stage.threshold = parameter_of(identity, threshold_parameter, stage.threshold);
    stage.axis = parameter_of(identity, axis_parameter, stage.axis);
    return stage;
}

std::string stage_text(const Stage& stage) {
    std::string text;
    if (stage.begin > 0) text += fmt::format(", from step {}", stage.begin);
    if (stage.measure == 1) text += ", divided by particles";
    if (stage.measure == 2) text += ", divided by particles at the start";
    if (stage.threshold == 0)
        text += ", adaptive threshold";
    else if (stage.threshold != Stage().threshold)
        text += fmt::format(", threshold {:g}", stage.threshold);
    if (stage.axis > 0) text += fmt::format(", along {}", "xyz"[static_cast<int>(stage.axis) - 1]);
    return text;
}

// Parameters that determine times on one unit.
auto own_parameters(const results::Identity& identity) {
    auto parameters = identity.workload_parameters;
    parameters.erase(measure_parameter);
    parameters.erase(threshold_parameter);
    parameters.erase(axis_parameter);
    return parameters;
}

// Removes one-unit runs whose parameters (such as the list period) or conditions differ from those of
// the multi-unit runs. Retains the run with the longest samples per variant: the time per iteration of
// moving water differs from that of water at rest.
void leave_those_like_others(std::vector<Run>& runs) {
    const auto several = std::ranges::find_if(
        runs, [](const Run& run) { return run.record.identity.group.has_value(); });
    if (several == runs.end()) return;
    const auto parameters = own_parameters(several->record.identity);
    const auto is_alone = [](const Run& run) { return !run.record.identity.group; };
    std::vector<Conditions> conditions;  // of the multi-unit runs
    for (const Run& run : runs)
        if (!is_alone(run)) conditions.push_back(run.record.identity.conditions());
    std::erase_if(runs, [&](const Run& run) {
        const results::Identity& identity = run.record.identity;
        return is_alone(run) && (own_parameters(identity) != parameters ||
                                 std::ranges::find(conditions, identity.conditions()) ==
                                     conditions.end());
    });
    const auto is_shorter = [&](const Run& run) {
        return is_alone(run) && std::ranges::any_of(runs, [&](const Run& other) {
                   return is_alone(other) &&
                          other.record.identity.variant == run.record.identity.variant &&
                          other.record.identity.conditions() ==
                              run.record.identity.conditions() &&
                          other.record.samples->generations_per_sample >
                              run.record.samples->generations_per_sample;
               });
    };
    std::vector<Run> left;
    std::ranges::copy_if(runs, std::back_inserter(left), std::not_fn(is_shorter));
    runs = std::move(left);
}

// Merges cases of one stage; nullopt if only one file contains any.
std::optional<results::Document> merged(std::vector<Run> runs) {
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

struct Merged {
    results::Document document;
    Stage stage;
};

// Merges the problem's cases from all files, stage by stage. One-unit runs belong to all divisions
// of the state that they begin with.
std::vector<Merged> together(const Table& table, const LargerProblem& problem,
                             const std::vector<results::Document>& documents) {
    std::vector<Run> runs;
    std::set<Stage> stages;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (is_run_of(table, problem, record)) {
                runs.push_back({&document, record});
                if (record.identity.group) stages.insert(stage_of(record.identity));
            }
    if (stages.empty()) stages.insert(Stage());
    std::vector<Merged> all;
    for (const Stage& stage : stages) {
        std::vector<Run> own;
        std::ranges::copy_if(runs, std::back_inserter(own), [&](const Run& run) {
            const results::Identity& identity = run.record.identity;
            return identity.group ? stage_of(identity) == stage
                                  : identity.begin.value_or(0) == stage.begin;
        });
        if (auto document = merged(std::move(own))) all.push_back({std::move(*document), stage});
    }
    return all;
}

// The table's own problem, followed by the larger ones.
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
    const auto add = [&](const results::Document& document, const std::string& stage) {
        for (scaling::Series& series : series_in(document))
            if (series.unit == table.scaling->unit &&
                std::ranges::find(table.here.variants, variant_alone(series)) !=
                    table.here.variants.end()) {
                const std::string balance = balance_of(document, series);
                MeasuredWork work = series_work(document, series);
                all.push_back(
                    {document.source, scaling::analyse(std::move(series)), balance, work, stage});
            }
    };
    std::vector<LargerProblem> in_several;  // problems whose cases are in several files
    for (const LargerProblem& problem : problems_of(table))
        if (const std::vector<Merged> stages = together(table, problem, documents);
            !stages.empty()) {
            for (const Merged& one : stages) add(one.document, stage_text(one.stage));
            in_several.push_back(problem);
        }
    for (results::Document document : documents) {
        std::erase_if(document.cases, [&](const results::CaseRecord& record) {
            return std::ranges::any_of(in_several, [&](const LargerProblem& problem) {
                return is_run_of(table, problem, record);
            });
        });
        const auto group = std::ranges::find_if(
            document.cases, [](const auto& record) { return record.identity.group.has_value(); });
        add(document, group == document.cases.end() ? "" : stage_text(stage_of(group->identity)));
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
    // Cost per unit added to the first.
    const double cost = *last.cost_ns / (last.p - 1);
    if (cost <= 0)
        return fmt::format("{} units lose nothing against an equal division of the time.",
                           last.units);
    // The D-th unit gains T / (D (D - 1)).
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
