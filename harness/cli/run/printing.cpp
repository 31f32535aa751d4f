#include "harness/cli/run/printing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "harness/base/error.hpp"
#include "harness/base/text/table.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/record/merge.hpp"
#include "workloads/core/named_arrays.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

namespace {

using results::AccountRow;

// Sum of the account's rows after `from` up to `to`, as one row.
AccountRow sum_of(const std::vector<AccountRow>& account, std::size_t from, std::size_t to) {
    AccountRow sum = account[to];
    for (std::size_t k = from + 1; k < to; ++k) {
        for (std::size_t entry = 0; entry < sum.changes.size(); ++entry)
            sum.changes[entry].second += account[k].changes.at(entry).second;
        sum.unaccounted += account[k].unaccounted;
    }
    return sum;
}

std::vector<std::string> cells_of(const std::string& label, const AccountRow& row) {
    std::vector<std::string> cells{label};
    for (const auto& [entry, change] : row.changes) cells.push_back(fmt::format("{:.6f}", change));
    cells.push_back(fmt::format("{:.6f}", row.amount));
    cells.push_back(fmt::format("{:.1e}", row.unaccounted));
    return cells;
}

}  // namespace

std::string account_table(const std::vector<AccountRow>& account, int rows) {
    if (account.size() < 2) return "";
    std::vector<TableColumn> columns{{"generation", Align::right, 10}};
    for (const auto& [entry, change] : account.front().changes)
        columns.push_back({entry, Align::right, 14});
    columns.push_back({account.front().quantity, Align::right, 14});
    columns.push_back({"unaccounted", Align::right, 14});
    TextTable table(std::move(columns));
    const std::size_t last = account.size() - 1;
    const std::size_t lines = std::min<std::size_t>(rows, last);
    std::size_t before = 0;
    for (std::size_t k = 1; k <= lines; ++k) {
        const std::size_t row = k * last / lines;
        const AccountRow sum = sum_of(account, before, row);
        table.add(cells_of(std::to_string(sum.generation), sum));
        before = row;
    }
    if (lines > 1) table.add(cells_of("all", sum_of(account, 0, last)));
    return table.plain();
}

using results::CaseRecord;

const CaseRecord* final_case(const Study& study, const results::Document& document) {
    for (const Case& candidate : cases_of(study)) {
        const std::string name = case_name(study, candidate);
        for (const CaseRecord& record : document.cases)
            if (record.name == name && record.status == results::Status::ok) return &record;
    }
    return nullptr;
}

const State& final_state_of(const CaseRecord& record, const CaseRunner& runner) {
    if (!decided_by_statistics(record)) return runner.expected();
    const State* own = runner.own_state(record.name);
    if (!own)
        throw Error(ExitCode::unavailable,
                    fmt::format("the final state of {} was not kept: save it in a run of its own",
                                record.identity.variant));
    return *own;
}

std::string of_variant(const CaseRecord& record) {
    return decided_by_statistics(record) ? " of " + record.identity.variant : "";
}

std::string size_text(const Study& study) {
    return fmt::format("{}x{}", study.problem.size.columns, study.problem.size.rows);
}

namespace {

// "64x64, 128x128, 256x256".
std::string sizes_text(const std::vector<Study>& studies) {
    std::vector<std::string> sizes;
    std::ranges::transform(studies, std::back_inserter(sizes), size_text);
    return fmt::format("{}", fmt::join(sizes, ", "));
}

// Machine-readable format: integers without a decimal point, other numbers with all digits.
std::string amount_of(const FinalState& final) {
    return final.quantity == "population" ? fmt::format("{:.0f}", final.amount)
                                          : results::number_text(final.amount);
}

// Prints the final state of this study.
void print_final_state(const Study& study, const results::Document& document) {
    const results::CaseRecord* passed = final_case(study, document);
    if (!passed) {
        fmt::print("no case passed verification: there is no final state\n");
        return;
    }
    const FinalState& final = *passed->final;
    const auto share = final.account.find("active_share");
    const std::string active =
        share != final.account.end()
            ? fmt::format(", {:.2f} % of the cells active", 100 * share->second)
            : std::string();
    fmt::print("after {} generation{}{}: {} {}, checksum 0x{:016x}{}\n", study.generations,
               study.generations == 1 ? "" : "s", of_variant(*passed), final.quantity,
               amount_of(final), final.checksum, active);
}

// One line about the final state of the particles; "" for other workloads.
std::string particles_of(const Study& study, const results::Document& document) {
    const results::CaseRecord* passed = final_case(study, document);
    if (!passed || !passed->final->account.contains("particles")) return "";
    const auto value = [&](const char* name) { return passed->final->account.at(name); };
    return fmt::format(
        "{:.0f} particles at {:.6g} s after {:.0f} iterations: front {:.4f} m, mean height {:.4f} "
        "m, density {:.1f} to {:.1f} kg/m3, energy {:.1f} J, pairs missed by the list {:.0f}\n",
        value("particles"), value("time_s"), value("iterations"), value("front_m"),
        value("mean_height_m"), value("density_min"), value("density_max"),
        value("kinetic_j") + value("potential_j") + value("elastic_j"), value("missed_pairs"));
}

// Times at which devices joined the group.
std::string places_at_work(const results::GroupRecord& group) {
    std::vector<std::string> joined;
    std::size_t before = 0;
    for (const results::RowDivisionRecord& division : group.divisions) {
        const std::size_t places = division.rows.size();
        if (places != before)
            joined.push_back(fmt::format("{} from generation {}", places, division.generation));
        before = places;
    }
    return fmt::format("  active devices: {}\n", fmt::join(joined, ", "));
}

// Final distribution of rows for cases whose rows move between devices.
std::string moved_rows(const results::Document& document) {
    std::string text;
    for (const results::CaseRecord& record : document.cases) {
        const auto& group = record.identity.group;
        if (!group || !group->moved_rows) continue;
        text += fmt::format("{}{}: rows moved between devices: {}; rows of each device now: {}\n",
                            record.identity.variant, record.identity.circumstances(),
                            *group->moved_rows, fmt::join(group->rows, ", "));
        if (group->start) text += places_at_work(*group);
    }
    return text;
}

}  // namespace

std::string describe_run(const Study& study, const std::string& sizes,
                         const std::optional<DeviceInfo>& device) {
    const std::string& rule = study.problem.parameters.rule();
    // The lines of an array have no cell type of their own.
    const std::string kind = named_arrays_of(*study.workload)
                                 ? std::string()
                                 : fmt::format("{} cells, ", info(study.problem.cell).name);
    return fmt::format(
        "{} {} ({}{}{}{}), {} generation{}{}, {} on {}", study.workload->name(), sizes, kind,
        rule.empty() ? "" : fmt::format("rule {}, ", rule),
        study.workload->describe_start(study.initial, study.problem.parameters),
        study.begin > 0 ? fmt::format(", from generation {} on", study.begin) : "",
        study.generations,
        study.generations == 1 ? "" : "s", study.from_start ? " in every sample" : "",
        name(study.backend), device ? device->name : "this CPU");
}

std::string results_path(const RunOptions& options) {
    return options.out.value_or(default_results);
}

std::string save_path(const RunOptions& options, const std::vector<Study>& studies,
                      const Study& study) {
    if (options.save.empty() || studies.size() == 1) return options.save;
    const std::filesystem::path path = std::filesystem::path(options.save) / "";
    const std::filesystem::path file = path.parent_path();
    return (file.parent_path() / fmt::format("{}-{}{}", file.stem().string(), size_text(study),
                                             file.extension().string()))
        .string();
}

void print_results(const std::vector<Study>& studies, const std::optional<DeviceInfo>& device,
                   const results::Document& document, const std::string& sort, bool brief) {
    const Study& first = studies.front();
    if (studies.size() == 1) {
        const bool summary = brief && !is_divided(first) && has_many_verified(document);
        fmt::print("{}\n{}{}", describe_run(first, size_text(first), device),
                   summary ? verified_summary(first, document) + ranking_notes(document)
                           : ranking(document, sort),
                   kernels_of_fastest(document));
        print_final_state(first, document);
        fmt::print("{}{}{}{}{}{}", particles_of(first, document), moved_rows(document),
                   account_table(document.context.run->account), long_run_table(document),
                   interval_tables(document), overlap_table(document));
        return;
    }
    if (first.time) {
        results::Document merged = document;
        results::merge_repetitions(merged);
        fmt::print("{}\n{}{}", describe_run(first, sizes_text(studies), device), size_table(merged),
                   saturation_table(merged));
        return;
    }
    for (const Study& study : studies) {
        results::Document part;
        part.context = document.context;
        std::ranges::copy_if(document.cases, std::back_inserter(part.cases),
                             [&](const results::CaseRecord& record) {
                                 return record.identity.size == study.problem.size;
                             });
        fmt::print("{}\n{}", describe_run(study, size_text(study), device), ranking(part, sort));
        print_final_state(study, part);
    }
}

bool allows_summary(const RunOptions& options) {
    return !options.all_rows && options.candidates.empty() && options.compositions.empty();
}

void print_outputs(const RunOptions& options, const std::vector<Study>& studies,
                   const results::ResultsFile& results, bool saved) {
    const auto& wall = results.document().context.run->wall;
    if (studies.front().time && wall) fmt::print("{}\n", line_of(*wall));
    for (const Study& study : studies)
        if (const results::CaseRecord* record =
                saved && !options.save.empty() ? final_case(study, results.document()) : nullptr)
            fmt::print("final state{}: {}\n", of_variant(*record),
                       save_path(options, studies, study));
    if (results.kept())
        fmt::print("the previous {} was renamed to {}\n", results_path(options),
                   results.kept()->string());
    fmt::print("results: {}\n", results_path(options));
}
}  // namespace camber
