#include "harness/cli/reproduce/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/scale/units.hpp"
#include "harness/measure/session.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

namespace {

// Study on `count` GPUs. `balance`: rule by which their shares change; "": constant shares.
Study point_of(Study study, const published::Table& table, int count, const std::string& balance,
               bool quick) {
    // The sample duration shrinks with the number of GPUs, so that a sample has about as many
    // generations as on one: later generations of moving water take longer. Several samples give
    // the uncertainty.
    if (study.seconds_per_sample > RunOptions().sample_seconds) {
        study.seconds_per_sample /= count;
        constexpr double samples = 5;
        if (!quick)
            study.sampling.budget_seconds =
                std::max(study.sampling.budget_seconds, (samples - 0.5) * study.seconds_per_sample);
    }
    UnitSource from;
    from.gpus.resize(static_cast<std::size_t>(count));
    std::iota(from.gpus.begin(), from.gpus.end(), 0);
    from.group.exchanges = {table.here.exchange};
    from.group.balance = balance;
    return study_on(std::move(study), {scaling::Unit::gpu, 1, {}}, count, scaling::Mode::strong,
                    from);
}

// Distinct rules in the table's order.
std::vector<std::string> balances_of(const published::Table& table) {
    std::vector<std::string> balances;
    for (const published::ScalingRows& rows : table.scaling->series)
        if (std::ranges::find(balances, rows.balance) == balances.end())
            balances.push_back(rows.balance);
    return balances;
}

}  // namespace

std::vector<results::Document> measure_series(const published::Table& table, RunOptions options,
                                              const std::vector<int>& counts,
                                              const CommandLine& command_line) {
    options.variants = table.here.variants;
    // Only the cells of an input can be refined.
    if (!options.input.empty()) {
        set_board(options, "", table.here.refine);
        options.size.clear();
    }
    // Parameters determine the number of particles.
    if (workload_of(options).capabilities().parameter_start && options.size == table.here.size)
        options.size.clear();
    options.graph = table.here.graph;
    const Study study = study_from(options);
    Progress progress;
    std::vector<results::Document> documents;
    for (const std::string& balance : balances_of(table)) {
        results::ResultsFile measured;
        for (std::size_t done = 0; done < counts.size() && stop_signal() == 0; ++done) {
            if (counts[done] == 1 && !documents.empty()) continue;
            const Study point = point_of(study, table, counts[done], balance, options.quick);
            Narrator narrator(point, progress);
            const auto to_come = (counts.size() - done - 1) * cases_of(point).size();
            Session session(point, narrator);
            session.run(measured, command_line, 1, static_cast<int>(to_come));
            progress.clear();
            for (const std::string& sentence : describe_failures(session.failures()))
                say_error(sentence);
        }
        results::Document document = measured.document();
        document.source = "measured now";
        if (!documents.empty())
            std::ranges::copy_if(documents.front().cases, std::back_inserter(document.cases),
                                 [](const results::CaseRecord& record) {
                                     return record.identity.scaling->units == 1;
                                 });
        if (stop_signal() != 0) say_stopped(document);
        documents.push_back(std::move(document));
        if (stop_signal() != 0) break;
    }
    return documents;
}

namespace {

using published::Table;

// Printed parallel fraction of a series at `units` units; "-" if the table has none.
std::string printed_fraction(const Table& table, const std::string& series, int units) {
    const auto rows =
        std::ranges::find(table.scaling->series, series, &published::ScalingRows::name);
    if (rows == table.scaling->series.end() || rows->karp_flatt.empty()) return "-";
    const auto& entry = table.row(rows->karp_flatt)->values[table.column(fmt::format("{}", units))];
    return entry ? entry->printed : "-";
}

}  // namespace

void add_legend_of_scaling(PageText& page, const Reproduction& made) {
    const bool measured =
        std::ranges::any_of(made.cards, [](const OnCard& on) { return !on.series.empty(); });
    if (made.series.empty() && !measured) return;
    const auto predicts = [](const published::PublishedSeries& series) {
        return series.analysis.series.predicted_serial_share.has_value();
    };
    page.heading("What the columns of the scaling tables say");
    page.item("Printed: as the source has it; columns without this word are computed here.");
    page.item("p: units, such as GPUs, that share the work. T(p): the time on them.");
    page.item("S: the speedup, T(1)/T(p). E: the efficiency, S/p.");
    page.item(
        "e: the serial fraction by Karp and Flatt, (1/S - 1/p)/(1 - 1/p), and after it its "
        "standard error, +-. It is undefined on one unit.");
    page.item("cost/T1: what T(p) is above an equal division, T(1)/p, as a share of T(1).");
    if (!made.series.empty())
        page.item("per unit: what each unit since the row before adds to that cost.");
    if (std::ranges::any_of(made.series, predicts))
        page.item("S predicted: the speedup by the serial share that the source states.");
    if (!measured) return;
    page.item(
        "step here: the measured time of a generation. The columns S to cost/T1 follow "
        "from it.");
    if (made.table->here.printed_iterations > 0)
        page.item(
            fmt::format("kip/s: thousands of particles times iterations in a second. s: "
                        "seconds of as many iterations as the printed run took, {}.",
                        made.table->here.printed_iterations));
}

void add_scaling(PageText& page, const Reproduction& made) {
    for (const published::PublishedSeries& series : made.series) {
        page.heading(fmt::format("{}: recomputed from the printed {}", series.name,
                                 series.from_rates ? "rates" : "times"));
        const bool predicted = series.analysis.series.predicted_serial_share.has_value();
        std::vector<std::string> header{"p",  "S",         "E",       "e",
                                        "+-", "e printed", "cost/T1", "per unit"};
        if (predicted) header.push_back("S predicted");
        TextTable table(header, 0);
        const double t1 = series.analysis.points.front().median_ns;
        for (const scaling::PointAnalysis& point : series.analysis.points) {
            std::vector<std::string> row{
                fmt::format("{:g}", point.p),
                number(point.speedup, 4),
                number(point.efficiency, 4),
                number(point.karp_flatt, 4),
                number(point.karp_flatt_sigma, 4),
                printed_fraction(*made.table, series.name, point.units),
                point.cost_ns ? fmt::format("{:.4f}", *point.cost_ns / t1) : "-",
                number(point.marginal_cost, 4)};
            if (predicted) row.push_back(number(point.predicted_speedup, 4));
            table.add(row);
        }
        page.table(table);
        page.paragraph(series.analysis.reading);
        if (const auto error = series.analysis.series.assumed_relative_error)
            page.paragraph(fmt::format("Each time is taken to have a standard error of {:g} %.",
                                       100 * *error));
    }
}

namespace {

const scaling::Analysis& printed_beside(const Reproduction& made,
                                        const published::MeasuredSeries& measured) {
    const std::string& name = published::rows_beside(*made.table, measured).name;
    return std::ranges::find(made.series, name, &published::PublishedSeries::name)->analysis;
}

// Columns for scaling tables of particles: rates, and times of as many iterations as the printed
// run had, if the table prints them for the series.
class Rates {
  public:
    Rates(const Table& table, const published::MeasuredSeries& measured)
        : table_(table),
          rows_(published::rows_beside(table, measured)),
          series_(measured.analysis.series),
          are_wanted_(table.here.printed_iterations > 0) {}

    std::vector<std::string> headings() const {
        if (!are_wanted_) return {};
        std::vector<std::string> headings;
        if (!rows_.rates.empty()) headings.emplace_back("kip/s printed");
        headings.emplace_back("kip/s");
        if (!rows_.times.empty()) {
            headings.emplace_back("s printed");
            headings.emplace_back("s");
        }
        return headings;
    }
    // `point`: nullptr if nothing was measured.
    std::vector<std::string> cells(double p, const scaling::PointAnalysis* point) const {
        if (!are_wanted_) return {};
        std::vector<std::string> cells;
        if (!rows_.rates.empty()) cells.push_back(printed(rows_.rates, p));
        const double particles = static_cast<double>(series_.columns * series_.rows);
        cells.push_back(point ? fmt::format("{:.0f}", particles * 1e6 / point->median_ns) : "-");
        if (!rows_.times.empty()) {
            cells.push_back(printed(rows_.times, p));
            cells.push_back(point && is_own()
                                ? fmt::format("{:.1f}", table_.here.printed_iterations *
                                                            point->median_ns * 1e-9)
                                : "-");
        }
        return cells;
    }

  private:
    bool is_own() const {
        return fmt::format("{}x{}", series_.columns, series_.rows) == table_.here.size;
    }
    std::string printed(const std::string& name, double p) const {
        const std::string units = fmt::format("{:g}", p);
        const auto column = std::ranges::find(table_.columns, units, &published::Column::name);
        if (column == table_.columns.end()) return "-";
        const std::string& row = p == 1 && !rows_.first_from.empty() ? rows_.first_from : name;
        const auto& entry =
            table_.row(row)->values[static_cast<std::size_t>(column - table_.columns.begin())];
        return entry ? entry->printed : "-";
    }

    const Table& table_;
    const published::ScalingRows& rows_;
    const scaling::Series& series_;
    bool are_wanted_;
};

}  // namespace

void add_measured_series(PageText& page, const Reproduction& made) {
    for (const OnCard& on : made.cards)
        for (const published::MeasuredSeries& measured : on.series) {
            const scaling::Analysis& here = measured.analysis;
            std::string balance = measured.balance.empty() ? "" : ", balance " + measured.balance;
            if (here.series.variant.find(balance) != std::string::npos) balance.clear();
            page.heading(fmt::format("Measured on {}: {}, {}x{}{}{} ({})", on.card,
                                     here.series.variant, here.series.columns, here.series.rows,
                                     measured.stage, balance, measured.origin));
            const Rates rates(*made.table, measured);
            std::vector<std::string> header{"p", "S printed", "E printed", "e printed", "step here",
                                            "S", "E",         "e",         "+-",        "cost/T1"};
            std::ranges::copy(rates.headings(), std::back_inserter(header));
            TextTable table(header, 0);
            const scaling::Analysis& printed = printed_beside(made, measured);
            const auto at = [](const scaling::Analysis& analysis, double p) {
                const auto found =
                    std::ranges::find(analysis.points, p, &scaling::PointAnalysis::p);
                return found == analysis.points.end() ? nullptr : &*found;
            };
            std::set<double> counts;
            for (const scaling::Analysis* analysis : {&printed, &here})
                for (const scaling::PointAnalysis& point : analysis->points) counts.insert(point.p);
            for (const double p : counts) {
                const auto* const in_print = at(printed, p);
                const auto* const point = at(here, p);
                std::vector<std::string> row{fmt::format("{:g}", p)};
                const auto add = [&](const scaling::PointAnalysis* of, auto member) {
                    row.push_back(of ? number(of->*member, 4) : "-");
                };
                using Point = scaling::PointAnalysis;
                for (const auto member : {&Point::speedup, &Point::efficiency, &Point::karp_flatt})
                    add(in_print, member);
                row.push_back(point ? fmt::format("{:.1f} us", point->median_ns * 1e-3) : "-");
                for (const auto member : {&Point::speedup, &Point::efficiency, &Point::karp_flatt,
                                          &Point::karp_flatt_sigma})
                    add(point, member);
                row.push_back(
                    point && point->cost_ns
                        ? fmt::format("{:.4f}", *point->cost_ns / here.points.front().median_ns)
                        : "-");
                std::ranges::copy(rates.cells(p, point), std::back_inserter(row));
                table.add(row);
            }
            page.table(table);
            if (const published::Basis basis = basis_of(*made.table, &measured.work);
                basis != published::Basis::same)
                page.paragraph(fmt::format(
                    "{}: S, E and e are those of the measured run, and say nothing of the "
                    "source's.",
                    basis == published::Basis::short_run ? "Short run" : "Other ground"));
            page.paragraph(here.reading);
            if (const std::string cost = published::cost_of_units(here); !cost.empty())
                page.paragraph(cost);
        }
}

void add_one_gpu(PageText& page, const Reproduction& made) {
    if (std::ranges::all_of(made.cards, [](const OnCard& on) { return on.one_gpu.empty(); }))
        return;
    page.heading("On one GPU: as printed, and measured");
    const published::PrintedOneGpu printed = published::printed_one_gpu(*made.table);
    const auto over = [](const std::optional<published::Entry>& entry, double here, bool is_time) {
        if (!entry || !entry->reading) return std::string("-");
        return rough_times(is_time ? *entry->reading / here : here / *entry->reading);
    };
    const auto text = [](const std::optional<published::Entry>& entry) {
        return entry ? entry->printed : std::string("-");
    };
    TextTable table({"card", "variant here", "particles", "iteration", "kip/s printed", "kip/s",
                     "faster", "s printed", "s", "faster", "a sample's iterations", "file"},
                    2);
    const std::int64_t own = parse_size(made.table->here.size).cells();
    for (const OnCard& on : made.cards)
        for (const published::OneGpu& here : on.one_gpu)
            table.add({on.card.empty() ? "-" : on.card, here.variant,
                       fmt::format("{}", here.particles),
                       fmt::format("{:.1f} us", here.iteration_ns * 1e-3), text(printed.rate),
                       fmt::format("{:.0f}", here.rate), over(printed.rate, here.rate, false),
                       here.particles == own ? text(printed.seconds) : "-", number(here.seconds, 1),
                       here.seconds ? over(printed.seconds, *here.seconds, true) : "-",
                       fmt::format("{}", here.iterations), here.origin});
    page.table(table);
    const bool is_short = std::ranges::any_of(made.cards, [&](const OnCard& on) {
        return std::ranges::any_of(on.one_gpu, [&](const published::OneGpu& here) {
            return basis_of(*made.table, &here.work) == published::Basis::short_run;
        });
    });
    if (is_short)
        page.paragraph(
            "Short run: rates and seconds are extrapolated from water that has hardly moved, and "
            "are no verdict on the printed ones.");
    if (const int iterations = made.table->here.printed_iterations; iterations > 0)
        page.paragraph(fmt::format(
            "Seconds are of {} iterations, which the printed rate and time make of the printed "
            "number of particles.",
            iterations));
}

}  // namespace camber
