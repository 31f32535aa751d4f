#include "analysis/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"

namespace camber::report {

namespace {

using results::Status;

std::string fixed(const Value& value, double factor, int digits) {
    return value ? fmt::format("{:.{}f}", *value * factor, digits) : "-";
}

std::string seconds(const Value& nanoseconds) {
    if (!nanoseconds) return "-";
    if (*nanoseconds < 1e3) return fmt::format("{:.2f} ns", *nanoseconds);
    return duration(*nanoseconds);
}

std::string verified(const Row& row) {
    if (!row.verification) return "-";
    return row.verification == Verification::Status::passed ? "yes" : "no";
}

// A column of the Markdown and LaTeX tables.
struct Column {
    const char* heading;
    Align align;
    std::function<std::string(const Row&)> cell;
};

const std::vector<Column>& columns() {
    static const std::vector<Column> all = {
        {"rank", Align::right,
         [](const Row& row) { return row.rank ? std::to_string(row.rank) : "-"; }},
        {"variant", Align::left, [](const Row& row) { return row.variant; }},
        {"time/gen", Align::right, [](const Row& row) { return seconds(row.median_ns); }},
        {"Gcell/s", Align::right,
         [](const Row& row) { return fixed(row.cells_per_second, 1e-9, 2); }},
        {"app GB/s", Align::right,
         [](const Row& row) { return fixed(row.application_bytes_per_second, 1e-9, 1); }},
        {"of copy, %", Align::right,
         [](const Row& row) { return fixed(row.share_of_copy, 100, 1); }},
        {"of limit, %", Align::right,
         [](const Row& row) {
             const std::string share = fixed(row.limit_share, 100, 1);
             return row.limit.empty() ? share : fmt::format("{} {}", share, row.limit);
         }},
        {"steps, %", Align::right,
         [](const Row& row) { return fixed(row.step_share_of_copy, 100, 1); }},
        {"speedup", Align::right, [](const Row& row) { return fixed(row.speedup, 1, 2); }},
        {"verified", Align::left, verified}};
    return all;
}

std::string without_result(const Row& row) {
    return fmt::format("{}: {}", row.status == Status::failed ? "FAILED" : "skipped", row.reason);
}

}  // namespace

std::string origin_of(const Group& group, const Report& report) {
    std::string text = fmt::format("{}, from {}", group.device, report.files[group.file].name);
    if (group.copy_bytes_per_second)
        text += fmt::format("; copy bandwidth {:.1f} GB/s", *group.copy_bytes_per_second * 1e-9);
    if (!group.timed) text += "; times on the simt backend mean nothing and are not shown";
    return text;
}

namespace {

// Table of all columns. `others`: rows of skipped and failed cases, which Markdown lists below.
TextTable ranked_table(const Group& group, bool others) {
    std::vector<TableColumn> all;
    for (const Column& column : columns()) all.push_back({column.heading, column.align});
    TextTable table(std::move(all));
    for (const Row& row : group.rows) {
        if (row.status != Status::ok) {
            if (others) table.add_spanning({"--", row.variant, without_result(row)});
            continue;
        }
        std::vector<std::string> cells;
        for (const Column& column : columns()) cells.push_back(column.cell(row));
        table.add(std::move(cells));
    }
    return table;
}

// Table of passes with transfers and their single operations; "" if the group has none.
std::string overlap_markdown(const Group& group) {
    TextTable table({"variant", "time/gen", "expected", "pieces alone", "of pieces", "kernel alone",
                     "exposed"});
    for (const Row& row : group.rows) {
        if (!row.overlap) continue;
        const overlap::Overlap& overlap = *row.overlap;
        table.add({escape_markdown(row.variant), duration(overlap.measured),
                   duration(overlap.expected()), duration(overlap.pieces),
                   percent(overlap.share_of_pieces()), duration(overlap.kernel),
                   duration(std::max(0.0, overlap.exposed_transfers()))});
    }
    return table.empty() ? "" : "\n" + table.markdown();
}

// Further columns of a page's table.
std::vector<Column> further_columns() {
    std::vector<Column> all = {
        {"IQR, %", Align::right,
         [](const Row& row) {
             return row.iqr_ns && row.median_ns ? fixed(*row.iqr_ns / *row.median_ns, 100, 2) : "-";
         }},
        {"samples", Align::right,
         [](const Row& row) {
             return row.sample_count > 0 ? std::to_string(row.sample_count) : "-";
         }},
        {"cells compared", Align::right,
         [](const Row& row) {
             return row.compared_cells > 0 ? std::to_string(row.compared_cells) : "-";
         }},
        {"registers", Align::right, [](const Row& row) { return fixed(row.registers, 1, 0); }},
        {"occupancy, %", Align::right, [](const Row& row) { return fixed(row.occupancy, 100, 0); }},
        {"generations per launch", Align::right,
         [](const Row& row) { return fixed(row.generations_per_launch, 1, 0); }},
        {"predicted time/gen", Align::right, [](const Row& row) {
             return seconds(row.predicted ? Value(row.predicted->ns) : Value());
         }}};
    static constexpr std::array<const char*, level_names.size()> bytes = {
        "DRAM B/cell", "L2 B/cell", "L1 B/cell", "shared B/cell"};
    for (std::size_t level = 0; level < bytes.size(); ++level)
        all.push_back({bytes[level], Align::right, [level](const Row& row) {
                           const Traffic& traffic = row.traffic[level];
                           return traffic.bytes_per_cell ? fixed(traffic.bytes_per_cell, 1, 2) +
                                                               (traffic.by_model ? " (model)" : "")
                                                         : "-";
                       }});
    return all;
}

}  // namespace

TextTable complete_table(const Group& group) {
    std::vector<Column> used = columns();
    for (Column& column : further_columns()) used.push_back(std::move(column));
    const std::string kept[] = {"rank", "variant"};
    std::erase_if(used, [&](const Column& column) {
        return std::ranges::find(kept, column.heading) == std::end(kept) &&
               std::ranges::all_of(group.rows, [&](const Row& row) {
                   return row.status != Status::ok || column.cell(row) == "-";
               });
    });
    // Cases without a result have a reason in a third column.
    if (used.size() < 3) used.push_back(columns().back());
    std::vector<TableColumn> headings;
    for (const Column& column : used) headings.push_back({column.heading, column.align});
    TextTable table(std::move(headings));
    for (const Row& row : group.rows) {
        if (row.status != Status::ok) {
            table.add_spanning({"-", row.variant, without_result(row)});
            continue;
        }
        std::vector<std::string> cells;
        for (const Column& column : used) cells.push_back(column.cell(row));
        table.add(std::move(cells));
    }
    return table;
}

std::string to_markdown(const Report& report) {
    std::string out;
    for (const Group& group : report.groups) {
        if (!out.empty()) out += '\n';
        out += fmt::format("### {}\n\n{}\n\n", escape_markdown(group.title()),
                           escape_markdown(origin_of(group, report)));
        out += ranked_table(group, false).markdown({.cell = escape_markdown});
        std::string rest;
        for (const Row& row : group.rows)
            if (row.status != Status::ok)
                rest += fmt::format("- {}: {}: {}\n",
                                    row.status == Status::failed ? "FAILED" : "skipped",
                                    escape_markdown(row.variant), escape_markdown(row.reason));
        if (!rest.empty()) out += '\n' + rest;
        out += overlap_markdown(group);
    }
    return out;
}

std::string to_latex(const Report& report) {
    std::string out = "% needs \\usepackage{booktabs,longtable} and \\usepackage[T1]{fontenc}\n";
    for (const Group& group : report.groups)
        out += fmt::format(
            "\\begingroup\\footnotesize\n{}\\endgroup\n",
            ranked_table(group, true)
                .latex(fmt::format("{} ({})", group.title(), origin_of(group, report))));
    return out;
}

namespace {

// One row per case, with the units in the headings.
TextTable table_of_cases(const Report& report) {
    using Cell = std::function<std::string(const Group&, const Row&)>;
    const auto number = [](const Value& value) {
        return value ? fmt::format("{}", *value) : std::string();
    };
    std::vector<std::pair<std::string, Cell>> columns = {
        {"file", [&](const Group& g, const Row&) { return report.files[g.file].name; }},
        {"device", [](const Group& g, const Row&) { return g.device; }},
        {"backend", [](const Group& g, const Row&) { return g.backend; }},
        {"workload", [](const Group& g, const Row&) { return g.workload; }},
        {"columns", [](const Group& g, const Row&) { return std::to_string(g.columns); }},
        {"rows", [](const Group& g, const Row&) { return std::to_string(g.rows_of_board); }},
        {"cell", [](const Group& g, const Row&) { return g.cell; }},
        {"boundary", [](const Group& g, const Row&) { return g.boundary; }},
        {"variant", [](const Group&, const Row& r) { return r.variant; }},
        {"technique", [](const Group&, const Row& r) { return r.technique; }},
        {"family", [](const Group&, const Row& r) { return std::string(name(r.family)); }},
        {"status", [](const Group&, const Row& r) { return std::string(name(r.status)); }},
        {"reason", [](const Group&, const Row& r) { return r.reason; }},
        {"verification",
         [](const Group&, const Row& r) {
             return std::string(r.verification ? name(*r.verification) : "");
         }},
        {"compared_cells",
         [](const Group&, const Row& r) { return std::to_string(r.compared_cells); }},
        {"rank", [](const Group&,
                    const Row& r) { return r.rank ? std::to_string(r.rank) : std::string(); }},
        {"samples", [](const Group&, const Row& r) { return std::to_string(r.sample_count); }}};
    const auto scaled = [&](const char* name, Value Row::*member, double factor) {
        columns.emplace_back(name, [=](const Group&, const Row& r) {
            const Value& value = r.*member;
            return value ? number(*value * factor) : std::string();
        });
    };
    const auto plain = [&](const char* name, Value Row::*member) { scaled(name, member, 1); };
    plain("median_ns_per_generation", &Row::median_ns);
    plain("ci95_low_ns", &Row::ci_low_ns);
    plain("ci95_high_ns", &Row::ci_high_ns);
    plain("min_ns", &Row::min_ns);
    plain("iqr_ns", &Row::iqr_ns);
    const auto predicted = [&](const char* name, double PredictedRow::*member) {
        columns.emplace_back(name, [=](const Group&, const Row& r) {
            return r.predicted ? number((*r.predicted).*member) : std::string();
        });
    };
    predicted("predicted_ns_per_generation", &PredictedRow::ns);
    predicted("predicted_low_ns_per_generation", &PredictedRow::low_ns);
    predicted("predicted_high_ns_per_generation", &PredictedRow::high_ns);
    columns.emplace_back("predicted_binding", [](const Group&, const Row& r) {
        return r.predicted ? r.predicted->binding : std::string();
    });
    columns.emplace_back("predicted_is_uncertain", [](const Group&, const Row& r) {
        return std::string(!r.predicted ? "" : r.predicted->uncertain ? "true" : "false");
    });
    scaled("Gcell_per_s", &Row::cells_per_second, 1e-9);
    scaled("application_GB_per_s", &Row::application_bytes_per_second, 1e-9);
    plain("share_of_copy", &Row::share_of_copy);
    columns.emplace_back("limit", [](const Group&, const Row& r) { return r.limit; });
    plain("share_of_limit", &Row::limit_share);
    plain("step_share_of_copy", &Row::step_share_of_copy);
    plain("speedup_vs_baseline", &Row::speedup);
    plain("registers_per_thread", &Row::registers);
    plain("theoretical_occupancy", &Row::occupancy);
    plain("generations_per_launch", &Row::generations_per_launch);
    constexpr std::array<const char*, level_names.size()> levels{"dram", "l2", "l1", "shared"};
    static_assert(levels.back() != nullptr);
    for (std::size_t level = 0; level < levels.size(); ++level) {
        columns.emplace_back(
            fmt::format("{}_bytes_per_cell", levels[level]),
            [=](const Group&, const Row& r) { return number(r.traffic[level].bytes_per_cell); });
        columns.emplace_back(fmt::format("{}_source", levels[level]),
                             [=](const Group&, const Row& r) -> std::string {
                                 const Traffic& traffic = r.traffic[level];
                                 if (!traffic.bytes_per_cell) return "";
                                 return traffic.by_model ? "model" : "counters";
                             });
    }
    for (const char* quantity :
         {"global_load_requests", "global_load_sectors", "global_store_requests",
          "global_store_sectors", "shared_load_wavefronts", "shared_store_wavefronts"})
        for (const bool predicted : {true, false})
            columns.emplace_back(
                fmt::format("{}_{}", quantity, predicted ? "predicted" : "measured"),
                [=](const Group&, const Row& r) {
                    const auto found =
                        std::ranges::find(r.counters, quantity, &CounterComparison::quantity);
                    if (found == r.counters.end()) return std::string();
                    return fmt::format("{:.0f}", predicted ? found->predicted : found->measured);
                });

    std::vector<std::string> headings;
    for (const auto& [name, cell] : columns) headings.push_back(name);
    TextTable table(std::move(headings));
    for (const Group& group : report.groups)
        for (const Row& row : group.rows) {
            std::vector<std::string> cells;
            for (const auto& [name, cell] : columns) cells.push_back(cell(group, row));
            table.add(std::move(cells));
        }
    return table;
}

}  // namespace

std::string to_csv(const Report& report) {
    return table_of_cases(report).csv();
}

std::string to_json(const Report& report) {
    return table_of_cases(report).json();
}

}  // namespace camber::report
