#include "harness/cli/reproduce/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/number_text.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/common/text_table.hpp"

namespace camber {

namespace {

using published::Table;

// The parts of a page in one of its two forms.
class Page {
  public:
    explicit Page(PageFormat format) : markdown_(format == PageFormat::markdown) {}

    void title(const std::string& text) { text_ += markdown_ ? "# " + text + "\n" : text + "\n"; }
    void heading(const std::string& text) {
        text_ += markdown_ ? "\n## " + text + "\n\n" : "\n" + text + "\n";
    }
    void table(const TextTable& table) { text_ += markdown_ ? table.markdown() : table.plain(); }
    void subheading(const std::string& text) {
        text_ += markdown_ ? "\n**" + text + "**\n\n" : "\n" + text + "\n";
    }
    void paragraph(const std::string& text) {
        text_ += markdown_ ? "\n" + text + "\n" : wrapped(text, page_width(), 0);
    }
    void item(const std::string& text) {
        text_ += markdown_ ? "- " + text + "\n" : wrapped("- " + text, page_width(), 0);
    }
    std::string text() const { return text_; }

  private:
    bool markdown_;
    std::string text_;
};

std::string times(const std::optional<double>& ratio, const std::string& bound = "") {
    if (!ratio) return "-";
    return fmt::format("{}{:.2f}x", bound.empty() ? "" : bound + " ", *ratio);
}

std::string interval(const std::optional<published::Interval>& of) {
    return of ? fmt::format("{:.2f} to {:.2f}", of->low, of->high) : "-";
}

void add_ratios(Page& page, const Reproduction& made) {
    if (made.ratios.empty()) return;
    page.heading(made.measured_on.empty()
                     ? "How often faster, as published"
                     : "How often faster: published, and measured on " + made.measured_on);
    TextTable table({"row", "variant here", "against", "published", "measured"}, 3);
    for (const published::Ratio& ratio : made.ratios)
        table.add({ratio.row, ratio.variant.empty() ? "-" : ratio.variant,
                   ratio.baseline.empty() ? "-" : ratio.baseline,
                   times(ratio.published, ratio.bound), times(ratio.measured)});
    page.table(table);
}

void add_conclusions(Page& page, const Reproduction& made) {
    if (made.conclusions.empty()) return;
    page.heading("Published conclusions");
    TextTable table({"conclusion", "here", "measured", "95 % interval"}, 2);
    for (const published::Conclusion& conclusion : made.conclusions)
        table.add({conclusion.stated.text, std::string(published::name(conclusion.fate)),
                   times(conclusion.measured), interval(conclusion.interval)});
    page.table(table);
    if (std::ranges::any_of(made.conclusions, [](const published::Conclusion& conclusion) {
            return conclusion.fate == published::Fate::no_difference;
        }))
        page.paragraph(fmt::format(
            "No difference: the ratio lies within {:g} % of 1, or its interval holds 1.",
            100 * published::equal_share));
}

void add_counts(Page& page, const Reproduction& made) {
    if (made.counts.empty()) return;
    page.heading("Counts: printed, and predicted by the model of memory for compute capability " +
                 made.table->here.arch);
    TextTable table({"row", "variant here", "count", "printed", "predicted", "equal"}, 3);
    for (const CountPair& pair : made.counts)
        table.add({pair.row, pair.variant, pair.column, pair.printed.printed,
                   fmt::format("{}", pair.predicted), pair.equal() ? "yes" : "no"});
    page.table(table);
    const auto equal = std::ranges::count_if(made.counts, &CountPair::equal);
    page.paragraph(fmt::format("{} of {} are equal.", equal, made.counts.size()));
}

// How the measured order of a series compares with the printed one.
std::string order_sentence(const published::OrderedSeries& series) {
    if (series.pairs == 0) return "No two of them were measured.";
    std::string text =
        fmt::format("Printed: {}. Measured: {}. ", fmt::join(series.published_order(), " > "),
                    fmt::join(series.measured_order(), " > "));
    text += fmt::format("{} of {} pairs keep their order, {} {} reversed", series.kept,
                        series.pairs, series.reversed, series.reversed == 1 ? "is" : "are");
    if (const int equal = series.pairs - series.kept - series.reversed; equal > 0)
        text += fmt::format(", {} within {:g} %", equal, 100 * published::equal_share);
    return text + ".";
}

void add_orders(Page& page, const Reproduction& made) {
    if (made.orders.empty()) return;
    page.heading(made.measured_on.empty()
                     ? "Speed over the fastest, as published"
                     : "Speed over the fastest: published, and measured on " + made.measured_on);
    for (const published::OrderedSeries& series : made.orders) {
        if (!series.name.empty()) page.subheading(series.name);
        TextTable table({"entry", "variant here", "printed", "share", "gen/s", "share here"}, 2);
        for (const published::OrderedEntry& entry : series.entries)
            table.add({entry.name, entry.variant.empty() ? "-" : entry.variant, entry.printed,
                       percent(entry.published_share),
                       entry.measured ? fmt::format("{:.0f}", *entry.measured) : "-",
                       percent(entry.measured_share)});
        page.table(table);
        if (!made.measured_on.empty()) page.paragraph(order_sentence(series));
    }
}

void add_shares(Page& page, const Reproduction& made) {
    if (made.shares.empty()) return;
    page.heading(made.measured_on.empty()
                     ? "Shares of kernels, as published"
                     : "Shares of kernels: published, and measured on " + made.measured_on);
    TextTable table({"row", "variant here", "kernel", "printed", "measured"}, 3);
    for (const published::Share& share : made.shares)
        table.add({share.row, share.variant.empty() ? "-" : share.variant, share.column,
                   share.printed.printed,
                   share.measured ? fmt::format("{:.1f} %", *share.measured) : "-"});
    page.table(table);
}

// The printed fraction of a series at p; "-" where the table has none.
std::string printed_fraction(const Table& table, const std::string& series, int units) {
    const auto rows =
        std::ranges::find(table.scaling->series, series, &published::ScalingRows::name);
    if (rows == table.scaling->series.end() || rows->karp_flatt.empty()) return "-";
    const auto& entry = table.row(rows->karp_flatt)->values[table.column(fmt::format("{}", units))];
    return entry ? entry->printed : "-";
}

std::string number(const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

void add_scaling(Page& page, const Reproduction& made) {
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

void add_printed(Page& page, const Table& printed) {
    page.heading("As printed");
    const bool row_units = std::ranges::any_of(
        printed.rows, [](const published::Row& row) { return !row.unit.empty(); });
    std::vector<std::string> header{"row"};
    if (row_units) header.push_back("unit");
    for (const published::Column& column : printed.columns)
        header.push_back(column.unit.empty() || column.unit == "1"
                             ? column.name
                             : fmt::format("{} ({})", column.name, column.unit));
    TextTable table(header, row_units ? 2 : 1);
    for (const published::Row& row : printed.rows) {
        std::vector<std::string> cells{row.name};
        if (row_units) cells.push_back(row.unit);
        for (const auto& entry : row.values) cells.push_back(entry ? entry->printed : "-");
        table.add(cells);
    }
    page.table(table);
}

void add_list(Page& page, const std::string& heading, const std::vector<std::string>& items) {
    if (items.empty()) return;
    page.heading(heading);
    for (const std::string& item : items) page.item(item);
}

}  // namespace

std::string reproduction_page(const Reproduction& made, PageFormat format) {
    const Table& table = *made.table;
    Page page(format);
    page.title(fmt::format("{}: {}", table.id, table.title));
    page.paragraph(fmt::format("{}, {}", table.source, table.place));
    page.paragraph(fmt::format("{}; {}", fmt::join(table.hardware, "; "), table.conditions));
    add_ratios(page, made);
    add_orders(page, made);
    add_shares(page, made);
    add_conclusions(page, made);
    add_counts(page, made);
    add_scaling(page, made);
    add_list(page, "Inconsistencies", made.inconsistencies);
    add_printed(page, table);
    add_list(page, "Notes on the table", table.notes);
    add_list(page, "Remarks", made.remarks);
    return page.text();
}

std::string published_tables_page(const std::vector<Table>& tables, PageFormat format) {
    TextTable list({"table", "source", "of", "here"}, 4);
    for (const Table& table : tables)
        list.add({table.id, table.source, table.title, what_is_here(table)});
    return format == PageFormat::markdown ? list.markdown() : list.plain();
}

}  // namespace camber
