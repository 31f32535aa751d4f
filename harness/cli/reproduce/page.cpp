#include "harness/cli/reproduce/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/base/text/text.hpp"
#include "harness/cli/reproduce/sources.hpp"

namespace camber {

void PageText::add(const std::string& plain, const std::string& markdown, const std::string& html) {
    if (in_list_ && !html.starts_with("<li>")) {
        text_ += "</ul>\n";
        in_list_ = false;
    }
    text_ += format_ == PageFormat::table      ? plain
             : format_ == PageFormat::markdown ? markdown
                                               : html;
}

void PageText::title(const std::string& text) {
    heading_ = caption_ = text;
    add(text + "\n", "# " + text + "\n", "");
}

void PageText::heading(const std::string& text) {
    heading_ = caption_ = text;
    add("\n" + text + "\n", "\n## " + text + "\n\n", "<h2>" + escape_xml(text) + "</h2>\n");
}

void PageText::subheading(const std::string& text) {
    caption_ = heading_ + ": " + text;
    add("\n" + text + "\n", "\n**" + text + "**\n\n", "<h3>" + escape_xml(text) + "</h3>\n");
}

void PageText::table(const TextTable& table) {
    if (format_ == PageFormat::html)
        add("", "", table.html({.caption = caption_, .links = links_}));
    else
        text_ += format_ == PageFormat::markdown ? table.markdown() : table.plain();
}

void PageText::paragraph(const std::string& text) {
    add(wrapped(text, page_width(), 0), "\n" + text + "\n", "<p>" + escape_xml(text) + "</p>\n");
}

void PageText::item(const std::string& text) {
    if (format_ == PageFormat::html && !in_list_) {
        text_ += "<ul>\n";
        in_list_ = true;
    }
    add(wrapped("- " + text, page_width(), 0), "- " + text + "\n",
        "<li>" + escape_xml(text) + "</li>\n");
}

namespace {

using published::Table;

std::string times(const std::optional<double>& ratio, const std::string& bound = "") {
    if (!ratio) return "-";
    return fmt::format("{}{:.2f}x", bound.empty() ? "" : bound + " ", *ratio);
}

// "published, and measured on NVIDIA H200, 16384x16384 (life.json)"; several cards are listed below
// the page's title.
std::string how_measured(const Reproduction& made) {
    const OnCard& first = made.cards.front();
    if (made.cards.size() > 1) return ": published, and measured on each card";
    if (first.measured_on.empty()) return ", as published";
    return fmt::format(": published, and measured on {}", fmt::join(first.measured_on, "; "));
}

// Appends the names of the cards as columns.
std::vector<std::string> with_cards(std::vector<std::string> header, const Reproduction& made) {
    for (const OnCard& on : made.cards)
        header.push_back(on.card.empty() ? std::string("measured") : on.card);
    return header;
}

void add_ratios(PageText& page, const Reproduction& made) {
    const auto& rows = made.cards.front().ratios;
    if (rows.empty()) return;
    page.heading("How often faster" + how_measured(made));
    TextTable table(with_cards({"row", "variant here", "against", "published"}, made), 3);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const published::Ratio& ratio = rows[i];
        std::vector<std::string> cells{ratio.row, ratio.variant.empty() ? "-" : ratio.variant,
                                       ratio.baseline.empty() ? "-" : ratio.baseline,
                                       times(ratio.published, ratio.bound)};
        for (const OnCard& on : made.cards) cells.push_back(times(on.ratios[i].measured.ratio));
        table.add(std::move(cells));
    }
    page.table(table);
}

void add_conclusions(PageText& page, const Reproduction& made) {
    const auto& stated = made.cards.front().conclusions;
    if (stated.empty()) return;
    page.heading("Published conclusions");
    std::vector<std::string> header{"conclusion"};
    for (const OnCard& on : made.cards) {
        const std::string of = made.cards.size() == 1 ? "" : on.card + ", ";
        header.push_back(made.cards.size() == 1 ? "here" : on.card);
        header.push_back(of + "measured");
        header.push_back(of + "95 % interval");
    }
    TextTable table(header, 2);
    bool equal = false;
    for (std::size_t i = 0; i < stated.size(); ++i) {
        std::vector<std::string> cells{stated[i].stated.text};
        for (const OnCard& on : made.cards) {
            const published::Judged& measured = on.conclusions[i].measured;
            equal = equal || measured.outcome == published::Outcome::no_difference;
            cells.push_back(published::verdict_text(measured, stated[i].printed));
            cells.push_back(times(measured.ratio));
            cells.push_back(measured.interval
                                ? fmt::format("{:.2f} to {:.2f}", measured.interval->low,
                                              measured.interval->high)
                                : "-");
        }
        table.add(std::move(cells));
    }
    page.table(table);
    if (equal) page.paragraph(no_difference_rule());
}

void add_counts(PageText& page, const Reproduction& made) {
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

// Comparison of the measured order of a series with the printed one.
std::string order_sentence(const published::OrderedSeries& series) {
    if (series.pairs == 0) return "No two of them were measured.";
    if (series.basis != published::Basis::same)
        return fmt::format(
            "Printed: {}. Measured: {}. {}: no verdict on the order.",
            fmt::join(series.published_order(), " > "), fmt::join(series.measured_order(), " > "),
            series.basis == published::Basis::short_run ? "Short run" : "Other ground");
    return fmt::format(
        "Printed: {}. Measured: {}. Of {} pairs the printed order holds in {}, is reversed in {} "
        "and makes no difference in {}.",
        fmt::join(series.published_order(), " > "), fmt::join(series.measured_order(), " > "),
        series.pairs, series.hold, series.reversed, series.no_difference);
}

void add_orders(PageText& page, const Reproduction& made) {
    const auto& all = made.cards.front().orders;
    if (all.empty()) return;
    page.heading("Speed over the fastest" + how_measured(made));
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!all[k].name.empty()) page.subheading(all[k].name);
        std::vector<std::string> header{"entry", "variant here", "printed", "share"};
        for (const OnCard& on : made.cards) {
            const std::string of = made.cards.size() == 1 ? "" : on.card + " ";
            header.push_back(of + "gen/s");
            header.push_back(made.cards.size() == 1 ? "share here" : of + "share");
        }
        TextTable table(header, 2);
        for (std::size_t i = 0; i < all[k].entries.size(); ++i) {
            const published::OrderedEntry& entry = all[k].entries[i];
            std::vector<std::string> cells{entry.name, entry.variant.empty() ? "-" : entry.variant,
                                           entry.printed, percent(entry.published_share)};
            for (const OnCard& on : made.cards) {
                const published::OrderedEntry& here = on.orders[k].entries[i];
                cells.push_back(here.measured ? fmt::format("{:.0f}", *here.measured) : "-");
                cells.push_back(percent(here.measured_share));
            }
            table.add(std::move(cells));
        }
        page.table(table);
        for (const OnCard& on : made.cards)
            if (!on.measured_on.empty())
                page.paragraph((made.cards.size() == 1 ? "" : on.card + ": ") +
                               order_sentence(on.orders[k]));
    }
}

void add_machines(PageText& page, const Reproduction& made) {
    const auto& all = made.cards.front().machines;
    if (all.empty()) return;
    page.heading("How often faster than the CPU" + how_measured(made));
    std::vector<std::string> header{"entry", "variant here", "printed", "over the CPU"};
    for (const OnCard& on : made.cards) {
        const std::string of = made.cards.size() == 1 ? "" : on.card + ", ";
        for (const char* what :
             {"gen/s", "over 1 core", "over all cores", "program, s", "program over 1 core"})
            header.push_back(of + what);
    }
    TextTable table(header, 2);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<std::string> cells{all[i].name, all[i].variant.empty() ? "-" : all[i].variant,
                                       all[i].printed.printed, rough_times(all[i].published)};
        for (const OnCard& on : made.cards) {
            const published::MachineEntry& here = on.machines[i];
            cells.push_back(number(here.generations_per_second, 1));
            cells.push_back(rough_times(here.over_core.ratio));
            cells.push_back(rough_times(here.over_cores.ratio));
            cells.push_back(number(here.program_seconds, 2));
            cells.push_back(rough_times(here.program_over_core));
        }
        table.add(std::move(cells));
    }
    page.table(table);
    page.paragraph(
        "Generations per second, and how often faster they are than on one core and on all cores "
        "of the host, are of the time of generations alone. A program also loads, uploads, "
        "downloads and saves; its time is known of runs from the start.");
    std::set<std::string> on_core;
    for (const OnCard& on : made.cards)
        for (const published::MachineEntry& entry : on.machines)
            if (entry.over_core.ratio) on_core.insert(entry.core);
    if (!on_core.empty())
        page.paragraph(fmt::format("On one core: {}.", fmt::join(on_core, ", ")));
    for (const OnCard& on : made.cards)
        for (const std::string& cpu : on.reference_cpus)
            page.paragraph(fmt::format("The host's CPU{}: {}.",
                                       made.cards.size() == 1 ? "" : ", " + on.card, cpu));
}

void add_figures(PageText& page, const Reproduction& made) {
    const auto& all = made.cards.front().figures;
    if (all.empty()) return;
    page.heading("Figures of kernels: printed, and those of today's kernels");
    TextTable table(with_cards({"row", "variant here", "printed as", "today", "printed"}, made), 4);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const published::Figure& figure = all[i];
        std::vector<std::string> cells{figure.row, figure.variant.empty() ? "-" : figure.variant,
                                       figure.column, figure.today, figure.printed.printed};
        for (const OnCard& on : made.cards) {
            const auto& measured = on.figures[i].measured;
            const bool whole = measured && *measured == std::floor(*measured);
            cells.push_back(number(measured, whole ? 0 : 3));
        }
        table.add(std::move(cells));
    }
    page.table(table);
    for (const OnCard& on : made.cards) {
        std::set<std::string> boards;
        for (const published::Figure& figure : on.figures)
            if (figure.counted_on)
                boards.insert(
                    fmt::format("{}x{}", figure.counted_on->columns, figure.counted_on->rows));
        if (!boards.empty())
            page.paragraph(fmt::format("Counts{} are of boards of {}, of one generation.",
                                       on.card.empty() ? "" : " on the " + on.card,
                                       fmt::join(boards, ", ")));
    }
}

void add_shares(PageText& page, const Reproduction& made) {
    const auto& all = made.cards.front().shares;
    if (all.empty()) return;
    page.heading("Shares of kernels" + how_measured(made));
    TextTable table(with_cards({"row", "variant here", "kernel", "printed"}, made), 3);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const published::Share& share = all[i];
        std::vector<std::string> cells{share.row, share.variant.empty() ? "-" : share.variant,
                                       share.column, share.printed.printed};
        for (const OnCard& on : made.cards) {
            const auto& measured = on.shares[i].measured;
            cells.push_back(measured ? fmt::format("{:.1f} %", *measured) : "-");
        }
        table.add(std::move(cells));
    }
    page.table(table);
}

void add_printed(PageText& page, const Table& printed) {
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

void add_list(PageText& page, const std::string& heading, const std::vector<std::string>& items) {
    if (items.empty()) return;
    page.heading(heading);
    for (const std::string& item : items) page.item(item);
}

}  // namespace

void add_works(PageText& page, const std::vector<published::WorkRow>& rows) {
    if (rows.empty()) return;
    TextTable table({"column", "work", "active cells at the end", "steps", "simulated time",
                     "no verdict because"}, 6);
    for (const published::WorkRow& row : rows)
        table.add({row.column, row.work, row.active, row.steps, row.seconds, row.verdict});
    page.table(table);
    std::string citations;
    for (const published::WorkRow& row : rows)
        if (!row.citation.empty())
            citations += fmt::format("{}{}: {}.", citations.empty() ? "" : " ", row.work,
                                     row.citation);
    if (!citations.empty()) page.paragraph("Published: " + citations);
    if (const std::string rule = published::withheld_rule(rows); !rule.empty())
        page.paragraph(rule);
}

std::string no_difference_rule() {
    return fmt::format("No difference: the ratio lies within {:g} % of 1, or its interval holds 1.",
                       100 * published::equal_share);
}

std::string reproduction_page(const Reproduction& made, PageFormat format) {
    const Table& table = *made.table;
    PageText page(format);
    page.title(fmt::format("{}: {}", table.id, table.title));
    page.paragraph(fmt::format("{}, {}", table.source, table.place));
    page.paragraph(fmt::format("{}; {}", fmt::join(table.hardware, "; "), table.conditions));
    if (made.cards.size() > 1)
        for (const OnCard& on : made.cards)
            page.paragraph(fmt::format("{}: {}", on.card,
                                       on.measured_on.empty()
                                           ? "not measured"
                                           : fmt::format("{}", fmt::join(on.measured_on, "; "))));
    if (!made.works.empty()) page.heading("Work of the source, and of the measured runs");
    add_works(page, made.works);
    // Sections with measured times would be empty if times are only predicted.
    const bool only_predicted = !made.predicted.empty() && made.cards.front().measured_on.empty();
    if (!only_predicted) add_ratios(page, made);
    add_machines(page, made);
    if (!only_predicted) add_orders(page, made);
    add_shares(page, made);
    if (!only_predicted) add_conclusions(page, made);
    for (const PredictedTable& predicted : made.predicted) add_predicted(page, predicted);
    add_list(page, "What turns over between the cards", made.turned_over);
    add_counts(page, made);
    add_figures(page, made);
    add_legend_of_scaling(page, made);
    add_scaling(page, made);
    add_one_gpu(page, made);
    add_measured_series(page, made);
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
