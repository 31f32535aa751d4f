#include "harness/cli/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/profile/figures.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {

namespace {

constexpr std::size_t bar_columns = 16;

std::string bar(double share) {
    const auto filled = static_cast<std::size_t>(
        std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(bar_columns)));
    return "|" + std::string(filled, '#') + std::string(bar_columns - filled, '.') + "|";
}

std::string one_column(const ProfiledCase& profiled) {
    std::string text;
    for (const ProfileSection& section : profile_sections(profiled)) {
        TextTable table({{"", Align::left, 28},
                         {"", Align::right, 14, 1},
                         {"", Align::right, 7},
                         {"", Align::left, bar_columns + 2},
                         {"", Align::left}},
                        2);
        for (const ProfileRow& row : section.rows)
            if (row.share)
                table.add_spanning({row.label, row.text, fmt::format("{:.1f} %", 100 * *row.share),
                                    bar(*row.share), row.note});
            else
                table.add_spanning({row.label, row.text, row.note});
        text += "\n" + section.title + "\n" + table.plain();
    }
    return text;
}

std::string cell(const ProfileRow* row) {
    if (row == nullptr) return "-";
    if (!row->share) return row->text;
    return fmt::format("{} {:>6}", row->text, fmt::format("{:.1f} %", 100 * *row->share));
}

std::string ratio(const ProfileRow* first, const ProfileRow* second) {
    if (!first || !second || !first->number || !second->number || *second->number == 0) return "";
    return fmt::format("{:.2f}x", *first->number / *second->number);
}

const ProfileRow* find_row(const std::vector<ProfileSection>& sections, const std::string& title,
                           const std::string& label) {
    const auto section = std::ranges::find(sections, title, &ProfileSection::title);
    if (section == sections.end()) return nullptr;
    const auto row = std::ranges::find(section->rows, label, &ProfileRow::label);
    return row == section->rows.end() ? nullptr : &*row;
}

// Keys of `first`, followed by those that only `second` has.
template <class Part, class Key>
std::vector<std::string> united(const std::vector<Part>* first, const std::vector<Part>* second,
                                Key key) {
    std::vector<std::string> keys;
    for (const auto* parts : {first, second})
        if (parts)
            for (const Part& part : *parts)
                if (std::ranges::find(keys, part.*key) == keys.end()) keys.push_back(part.*key);
    return keys;
}

std::string two_columns(const ProfiledCase& first, const ProfiledCase& second) {
    const auto left = profile_sections(first);
    const auto right = profile_sections(second);
    const auto rows_of = [](const std::vector<ProfileSection>& sections,
                            const std::string& title) -> const std::vector<ProfileRow>* {
        const auto section = std::ranges::find(sections, title, &ProfileSection::title);
        return section == sections.end() ? nullptr : &section->rows;
    };
    std::string text;
    for (const std::string& title : united(&left, &right, &ProfileSection::title)) {
        const bool headed = text.empty();
        TextTable table({{headed ? title : "", Align::left, 30},
                         {headed ? "A" : "", Align::right, 24, 1},
                         {headed ? "B" : "", Align::right, 24, 1},
                         {headed ? "A / B" : "", Align::right, 9, 1}});
        if (!headed) table.add_spanning({title});
        for (const std::string& label :
             united(rows_of(left, title), rows_of(right, title), &ProfileRow::label)) {
            const ProfileRow* const first_row = find_row(left, title, label);
            const ProfileRow* const second_row = find_row(right, title, label);
            table.add(
                {"  " + label, cell(first_row), cell(second_row), ratio(first_row, second_row)});
        }
        text += "\n" + table.plain();
    }
    return text;
}

}  // namespace

std::string profile_page(const std::vector<ProfiledCase>& cases,
                         const std::vector<std::string>& remarks) {
    const ProfiledCase& first = cases.front();
    const auto paragraph = [](const std::string& text) { return wrapped(text, page_width(), 2); };
    std::string page = wrapped(first.problem, page_width(), 0);
    if (cases.size() == 1) {
        page = line_of(first.facts.variant) + page + one_column(first);
    } else {
        page = line_of("A  " + first.facts.variant) + line_of("B  " + cases[1].facts.variant) +
               page + two_columns(first, cases[1]);
    }
    for (std::size_t i = 0; i < cases.size(); ++i)
        if (const std::string table = kernel_table(cases[i].facts.kernel_traffic); !table.empty())
            page += fmt::format("\nKERNELS OF A LAUNCH, BY COUNTERS{}\n{}",
                                cases.size() == 1 ? ""
                                : i == 0          ? ": A"
                                                  : ": B",
                                table);
    if (!remarks.empty()) page += "\nREMARKS\n";
    for (const std::string& remark : remarks) page += paragraph(remark);
    page += "\nWHAT LIMITS IT\n";
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::string mark = cases.size() == 1 ? "" : i == 0 ? "A: " : "B: ";
        page += paragraph(mark + cases[i].diagnosis.paragraph);
    }
    if (cases.size() == 2) page += paragraph(compare(first.facts, cases[1].facts));
    page += paragraph(fmt::format("Rule: {}", profile::rule));
    return page;
}

namespace {

using profile::decimal;
using profile::quantity;
using profile::Utilisation;
using Value = std::optional<double>;

std::string gigabytes(double bytes_per_second) {
    return fmt::format("{:.1f} GB/s", bytes_per_second * 1e-9);
}

// Collects the rows of a section; an unavailable value adds no row.
class Rows {
  public:
    explicit Rows(std::string title) : section_{std::move(title), {}} {}

    void add(std::string label, const Value& value, std::string (*shown)(double),
             std::string note = "") {
        if (!value) return;
        section_.rows.push_back(
            {std::move(label), shown(*value), value, std::nullopt, std::move(note)});
    }
    // Adds a fraction of a ceiling.
    void add_share(std::string label, double rate, double share, std::string text,
                   std::string note) {
        section_.rows.push_back({std::move(label), std::move(text), rate, share, std::move(note)});
    }
    void add_text(std::string label, std::string text, std::string note = "") {
        section_.rows.push_back(
            {std::move(label), std::move(text), std::nullopt, std::nullopt, std::move(note)});
    }
    ProfileSection take() { return std::move(section_); }

  private:
    ProfileSection section_;
};

std::string two_digits(double value) {
    return decimal(value, 2);
}
std::string one_digit(double value) {
    return decimal(value, 1);
}
std::string whole(double value) {
    return decimal(value, 0);
}
std::string bytes(double value) {
    return decimal(value, 0) + " B";
}
std::string share(double value) {
    return percent(value);
}
std::string in_time(double seconds) {
    return duration(seconds * 1e9);
}
std::string gigacells(double value) {
    return fmt::format("{:.2f} Gcell/s", value * 1e-9);
}

Value per_generation(const Value& amount, const profile::Facts& facts) {
    return amount ? Value(*amount / facts.generations_per_launch) : std::nullopt;
}

ProfileSection time_rows(const profile::Facts& facts) {
    Rows rows("TIME");
    const auto& time = facts.time;
    rows.add("time per generation", time.median, in_time,
             fmt::format("95 % interval {} to {}, {} samples", duration(time.low * 1e9),
                         duration(time.high * 1e9), time.samples));
    rows.add("cells per second", facts.cells / time.median, gigacells);
    std::string launches;
    if (facts.ceilings.launch_seconds)
        launches =
            fmt::format("{:.1f} empty launches; {} generation{} per launch",
                        facts.seconds_per_launch() / *facts.ceilings.launch_seconds,
                        facts.generations_per_launch, facts.generations_per_launch == 1 ? "" : "s");
    rows.add("time per launch", facts.seconds_per_launch(), in_time, launches);
    return rows.take();
}

std::string rate_text(const Utilisation& use, double rate) {
    if (unit(use.resource) == "bytes") return gigabytes(rate);
    return fmt::format("{:.2f} T{}/s", rate * 1e-12,
                       unit(use.resource) == "operations" ? "op" : "instr");
}

ProfileSection ceiling_rows(const ProfiledCase& profiled) {
    const auto& [problem, facts, diagnosis] = profiled;
    Rows rows("BANDWIDTH AND SHARE OF THE DEVICE'S CEILINGS");
    const double application = facts.application_bytes / facts.time.median;
    if (const auto copy = facts.ceilings.dram_copy())
        rows.add_share("application bandwidth", application, application / *copy,
                       gigabytes(application), fmt::format("of {} copied", gigabytes(*copy)));
    else
        rows.add("application bandwidth", application, gigabytes);
    // Fixed order, so that two variants can be compared line by line.
    for (const Resource resource :
         {Resource::dram, Resource::l2, Resource::l1, Resource::shared, Resource::issue,
          Resource::alu, Resource::fp32, Resource::fp64}) {
        const auto use =
            std::ranges::find(diagnosis.utilisations, resource, &Utilisation::resource);
        if (use == diagnosis.utilisations.end()) continue;
        rows.add_share(std::string(name(resource)), use->rate, use->share(),
                       rate_text(*use, use->rate),
                       fmt::format("of {}{}", rate_text(*use, use->ceiling),
                                   use->estimate ? ", estimate" : ""));
    }
    // If the ceiling was not measured, the traffic is shown without a fraction.
    const auto is_missing = [&](Resource resource) {
        return std::ranges::find(diagnosis.utilisations, resource, &Utilisation::resource) ==
               diagnosis.utilisations.end();
    };
    if (is_missing(Resource::l2) && diagnosis.amounts.l2_bytes)
        rows.add("L2", *diagnosis.amounts.l2_bytes / facts.seconds_per_launch(), gigabytes,
                 "ceiling not measured");
    rows.add("DRAM over application bytes", diagnosis.ratios.dram_over_application, two_digits,
             "below 1: saved by caches or generations per launch");
    return rows.take();
}

ProfileSection memory_rows(const ProfiledCase& profiled) {
    const auto& ratio = profiled.diagnosis.ratios;
    Rows rows("MEMORY REQUESTS");
    rows.add("sectors per load request", ratio.load_sectors_per_request, two_digits,
             "4 if 32 threads read consecutive 4-byte words");
    rows.add("sectors per store request", ratio.store_sectors_per_request, two_digits);
    rows.add("sectors per texture request", ratio.texture_sectors_per_request, two_digits);
    rows.add("bytes used per loaded sector", ratio.load_sector_use, share);
    rows.add("bytes used per stored sector", ratio.store_sector_use, share);
    rows.add("L1 hits", ratio.l1_hits, share);
    rows.add("L2 hits", ratio.l2_hits, share);
    return rows.take();
}

ProfileSection shared_rows(const ProfiledCase& profiled) {
    const auto& amounts = profiled.diagnosis.amounts;
    Rows rows("SHARED MEMORY");
    if (amounts.shared_wavefronts.value_or(0) <= 0) return rows.take();
    rows.add("wavefronts per generation", per_generation(amounts.shared_wavefronts, profiled.facts),
             quantity);
    rows.add("of them due to bank conflicts", profiled.diagnosis.ratios.conflict_share, share);
    return rows.take();
}

ProfileSection execution_rows(const ProfiledCase& profiled) {
    const auto& [problem, facts, diagnosis] = profiled;
    Rows rows("EXECUTION");
    rows.add("warp instructions/generation",
             per_generation(diagnosis.amounts.warp_instructions, facts), quantity);
    rows.add("instructions per cell", diagnosis.ratios.instructions_per_cell, one_digit,
             "thread instructions, per generation");
    rows.add("threads per instruction", diagnosis.ratios.threads_per_instruction, one_digit,
             "32: no divergence");
    rows.add("achieved occupancy", diagnosis.ratios.achieved_occupancy, share);
    if (facts.kernel) rows.add("theoretical occupancy", facts.kernel->occupancy, share);
    if (diagnosis.amounts.spill_instructions.value_or(0) > 0)
        rows.add("spill loads and stores",
                 per_generation(diagnosis.amounts.spill_instructions, facts), quantity,
                 "warp instructions, per generation");
    return rows.take();
}

// "global loads 9, integer 13, ...": the largest instruction classes of the machine code.
std::string largest_classes(const std::map<std::string, std::int64_t>& instructions) {
    std::vector<std::pair<std::int64_t, std::string>> classes;
    for (const auto& [name, count] : instructions)
        if (text_counts::is_class(name) && count > 0) classes.emplace_back(count, name);
    std::ranges::stable_sort(classes, std::ranges::greater{},
                             &std::pair<std::int64_t, std::string>::first);
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(classes.size(), 3); ++i) {
        std::ranges::replace(classes[i].second, '_', ' ');
        text += fmt::format("{}{} {}", i ? ", " : "", classes[i].second, classes[i].first);
    }
    return text;
}

// For variants of several kernels: each kernel's share of a generation.
ProfileSection step_rows(const profile::Facts& facts) {
    Rows rows("KERNELS OF A GENERATION");
    if (!facts.kernel_times || facts.kernel_times->kernels.size() < 2) return rows.take();
    const results::KernelTimes& times = *facts.kernel_times;
    const auto seconds = [&](const results::KernelTime& one) {  // in seconds per generation
        return 1e-9 * one.statistics.median * static_cast<double>(one.statistics.n) /
               times.generations;
    };
    double total = 0;
    for (const results::KernelTime& one : times.kernels) total += seconds(one);
    for (const results::KernelTime& one : times.kernels)
        rows.add(one.name, seconds(one), in_time, percent(seconds(one) / total));
    return rows.take();
}

ProfileSection static_rows(const ProfiledCase& profiled) {
    Rows rows("KERNEL");
    if (!profiled.facts.kernel) return rows.take();
    const results::Kernel& kernel = *profiled.facts.kernel;
    rows.add("registers per thread", kernel.registers, whole,
             fmt::format("{}: {} blocks of {} threads", kernel.name, kernel.blocks(),
                         kernel.threads_per_block()));
    if (kernel.static_shared_bytes && kernel.dynamic_shared_bytes)
        rows.add("shared memory per block",
                 static_cast<double>(*kernel.static_shared_bytes + *kernel.dynamic_shared_bytes),
                 bytes);
    rows.add("local memory per thread", kernel.local_bytes, bytes, "0: nothing spilled");
    if (const auto total = kernel.instructions.find("total"); total != kernel.instructions.end()) {
        rows.add("machine instructions", static_cast<double>(total->second), whole,
                 largest_classes(kernel.instructions));
        for (const auto& [label, key] :
             {std::pair("  global loads", "global_loads"), {"  shared loads", "shared_loads"}})
            if (const auto found = kernel.instructions.find(key);
                found != kernel.instructions.end())
                rows.add(label, static_cast<double>(found->second), whole);
    }
    return rows.take();
}

}  // namespace

std::vector<ProfileSection> profile_sections(const ProfiledCase& profiled) {
    std::vector<ProfileSection> sections{time_rows(profiled.facts), ceiling_rows(profiled),
                                         memory_rows(profiled),     shared_rows(profiled),
                                         execution_rows(profiled),  step_rows(profiled.facts),
                                         static_rows(profiled)};
    std::erase_if(sections, [](const ProfileSection& section) { return section.rows.empty(); });
    return sections;
}

}  // namespace camber
