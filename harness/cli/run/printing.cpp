#include "harness/cli/run/printing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "harness/cli/common/account_table.hpp"
#include "harness/cli/common/final_case.hpp"
#include "harness/cli/common/kernel_table.hpp"
#include "harness/cli/common/measured_row.hpp"
#include "harness/cli/common/table.hpp"
#include "harness/cli/run/interval_table.hpp"
#include "harness/cli/run/overlap_table.hpp"
#include "harness/cli/run/size_table.hpp"
#include "harness/cli/run/verified_summary.hpp"
#include "harness/record/derive.hpp"
#include "harness/record/merge.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

std::string size_text(const Study& study) {
    return fmt::format("{}x{}", study.problem.size.columns, study.problem.size.rows);
}

namespace {

// "64x64, 128x128, 256x256"
std::string sizes_text(const std::vector<Study>& studies) {
    std::vector<std::string> sizes;
    std::ranges::transform(studies, std::back_inserter(sizes), size_text);
    return fmt::format("{}", fmt::join(sizes, ", "));
}

std::string describe_start(const Workload& workload, const InitialConditions& initial,
                           const ParameterSet& parameters) {
    if (const ParameterStart* start = parameter_start(workload)) {
        const std::string note = workload.input_note(initial);
        return start->note_for(parameters) + (note.empty() ? "" : ", " + note);
    }
    if (initial.ground == Ground::plane)
        return fmt::format("a plane with a crater{}",
                           initial.density > 0 ? fmt::format(" and lava, seed {}, density {}",
                                                             initial.seed, initial.density)
                                               : "");
    if (!initial.input)
        return fmt::format("random, seed {}, density {}", initial.seed, initial.density);
    std::string text = (*initial.input / "").parent_path().filename().string();
    if (initial.tiles != Size{1, 1})
        text += fmt::format(" in {}x{} tiles", initial.tiles.columns, initial.tiles.rows);
    if (initial.added_density > 0)
        text += fmt::format(" with lava added, seed {}, density {}", initial.seed,
                            initial.added_density);
    if (initial.refinement > 1)
        text += fmt::format(" in cells of 1/{} of the side", initial.refinement);
    if (const std::string note = workload.input_note(initial); !note.empty()) text += ", " + note;
    return text;
}

// As programs print numbers: whole ones without a point, others with all their digits.
std::string amount_of(const FinalState& final) {
    return final.quantity == "population" ? fmt::format("{:.0f}", final.amount)
                                          : results::number_text(final.amount);
}

// How the run of this study ended.
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

// What particles have come to, a line; nothing for other workloads.
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

// When which places joined.
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

// Of cases whose rows change their place: where the rows are in the end.
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
    return fmt::format(
        "{} {} ({} cells, {}{}), {} generation{}{}, {} on {}", study.workload->name(), sizes,
        info(study.problem.cell).name, rule.empty() ? "" : fmt::format("rule {}, ", rule),
        describe_start(*study.workload, study.initial, study.problem.parameters), study.generations,
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
        fmt::print("{}{}{}{}{}", particles_of(first, document), moved_rows(document),
                   account_table(document.context.run->account), interval_tables(document),
                   overlap_table(document));
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
