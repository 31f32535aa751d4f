#include "analysis/published/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace camber::published {

namespace {

std::string work_board_text(const Size& size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

// Last component of the value of `--input`; "" without the option.
std::string input_of(const results::Document& document) {
    if (document.run() == nullptr) return "";
    const std::vector<std::string>& words = document.run()->command;
    constexpr std::string_view option = "--input";
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string value;
        if (words[i] == option && i + 1 < words.size())
            value = words[i + 1];
        else if (words[i].starts_with("--input="))
            value = words[i].substr(option.size() + 1);
        else
            continue;
        while (value.size() > 1 && value.back() == '/') value.pop_back();
        return std::filesystem::path(value).filename().string();
    }
    return "";
}

// First number of four digits: "etna2001-at-19-percent" -> "2001"; "" without one.
std::string year_in(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (auto from = std::ranges::find_if(text, is_digit); from != text.end();) {
        const auto end = std::find_if_not(from, text.end(), is_digit);
        if (end - from == 4) return {from, end};
        from = std::find_if(end, text.end(), is_digit);
    }
    return "";
}

// True if the run had generated ground, or that of an eruption in another year. The name of a
// folder without a year says nothing.
bool is_other_ground(const Work& source, const std::string& input) {
    const std::string year = year_in(input);
    return !source.ground.empty() &&
           (input.empty() || (!year.empty() && year != year_in(source.ground)));
}

std::optional<double> account_of(const results::CaseRecord& record, const char* name) {
    if (!record.final) return std::nullopt;
    const auto found = record.final->account.find(name);
    return found == record.final->account.end() ? std::nullopt : std::optional(found->second);
}

std::string simulated_text(double seconds) {
    if (seconds >= 2 * 86400) return fmt::format("{:.1f} days", seconds / 86400);
    if (seconds >= 2 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
    if (seconds >= 0.1) return fmt::format("{:.1f} s", seconds);
    return fmt::format("{:.2g} ms", seconds * 1e3);
}

// Digits in groups of three.
std::string grouped_text(double count) {
    std::string text = fmt::format("{:.0f}", count);
    for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string active_text(double share, const Size& size) {
    return fmt::format("{:.2g} % ({} of {})", 100 * share,
                       grouped_text(share * static_cast<double>(size.cells())),
                       grouped_text(static_cast<double>(size.cells())));
}

std::string printed_work_text(const std::optional<Entry>& entry) {
    return entry ? entry->printed : "-";
}

// "steps: Tables 2 and 4; simulated time: Figure 4".
std::string citation_of(const Work& source) {
    const std::pair<const char*, const std::optional<Entry>&> entries[] = {
        {"active cells", source.active}, {"steps", source.steps}, {"simulated time", source.seconds}};
    std::string text;
    for (const auto& [what, entry] : entries)
        if (entry && !entry->note.empty())
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, entry->note);
    return text;
}

bool is_shorter(const std::optional<Entry>& source, const std::optional<double>& measured) {
    return source && source->reading && measured && *measured < min_run_share * *source->reading;
}

WorkRow work_row_of(const Table& table, const MeasuredWork& measured) {
    const Work* const source = source_work(table, measured.size);
    const bool steady = source != nullptr && source->steady;
    WorkRow row;
    row.column = measured.origin;
    row.work = !measured.input.empty()         ? measured.input
               : source && source->ground.empty() ? "generated"
                                                  : "generated ground";
    if (measured.begin > 0)
        row.work += fmt::format(", from step {} on", grouped_text(measured.begin));
    if (measured.states > 0) row.work += fmt::format(", summed over {} states", measured.states);
    row.active = measured.particles
                     ? fmt::format("all {} particles",
                                   grouped_text(static_cast<double>(*measured.particles)))
                 : measured.active_share ? active_text(*measured.active_share, measured.size)
                 : steady                ? "every cell"
                                         : "not recorded";
    row.steps = grouped_text(measured.steps);
    row.seconds = measured.seconds ? simulated_text(*measured.seconds) : "-";
    const Basis basis = basis_of(table, &measured);
    if (basis != Basis::same) row.verdict = name(outcome_on(basis, Outcome::holds));
    return row;
}

WorkRow work_row_of(const Work& source) {
    return {"published",
            source.size.empty() ? source.what
                                : fmt::format("{}, {}", source.what, source.size),
            printed_work_text(source.active),
            printed_work_text(source.steps),
            printed_work_text(source.seconds),
            "",
            citation_of(source)};
}

}  // namespace

MeasuredWork work_of(const results::Document& document, const results::CaseRecord& record) {
    const results::Identity& identity = record.identity;
    MeasuredWork work;
    const std::string machine = identity.backend == Backend::cpu ? "the CPU"
                                : document.gpu().empty()         ? "an unnamed machine"
                                                                 : document.gpu();
    work.origin = fmt::format("{}, {} ({})", machine, work_board_text(identity.size), document.source);
    work.size = identity.size;
    work.input = input_of(document);
    work.steps = identity.generations;
    if (!identity.from_start && record.samples) {
        std::int64_t longest = record.samples->visits.empty()
                                   ? static_cast<std::int64_t>(record.samples->ns.size())
                                   : 0;
        for (const results::Visit& visit : record.samples->visits)
            longest = std::max(longest, visit.n);
        work.steps = std::max(work.steps, static_cast<double>(longest) *
                                              record.samples->generations_per_sample);
    }
    work.begin = identity.begin.value_or(0);
    if (record.summed && record.intervals.empty())
        work.states = static_cast<int>(record.summed->states.size());
    work.active_share = account_of(record, "active_share");
    work.seconds = account_of(record, "time");
    if (!work.seconds) work.seconds = account_of(record, "time_s");
    // Models with a constant time step record it as a parameter.
    const auto clock = identity.workload_parameters.find("clock");
    if (!work.seconds && clock != identity.workload_parameters.end() && clock->second.size() == 1)
        work.seconds = clock->second.front() * identity.generations;
    if (const auto particles = account_of(record, "particles"))
        work.particles = static_cast<std::int64_t>(*particles);
    return work;
}

const Work* source_work(const Table& table, const Size& size) {
    const auto with = [&](const std::string& wanted) {
        return std::ranges::find(table.works, wanted, &Work::size);
    };
    if (const auto own = with(work_board_text(size)); own != table.works.end()) return &*own;
    if (const auto any = with(""); any != table.works.end()) return &*any;
    return table.works.empty() ? nullptr : &table.works.front();
}

Basis basis_of(const Table& table, const MeasuredWork* measured) {
    const Work* const source = measured ? source_work(table, measured->size) : nullptr;
    if (source == nullptr) return Basis::same;
    if (!source->steady) {
        // Both kinds of bad runs exist; the length says more.
        const bool has_steps = source->steps && source->steps->reading;
        if (has_steps ? is_shorter(source->steps, measured->begin + measured->steps)
                      : is_shorter(source->seconds, measured->seconds))
            return Basis::short_run;
    }
    if (is_other_ground(*source, measured->input)) return Basis::other_ground;
    return Basis::same;
}

Outcome outcome_on(Basis basis, Outcome outcome) {
    if (outcome == Outcome::undecided) return outcome;
    switch (basis) {
        case Basis::short_run:
            return Outcome::short_run;
        case Basis::other_ground:
            return Outcome::other_ground;
        case Basis::same:
            break;
    }
    return outcome;
}

std::vector<WorkRow> work_rows(const Table& table, const std::vector<MeasuredWork>& measured) {
    std::vector<WorkRow> rows;
    if (table.works.empty()) return rows;
    for (const Work& source : table.works)
        if (measured.empty() || std::ranges::any_of(measured, [&](const MeasuredWork& one) {
                return source_work(table, one.size) == &source;
            }))
            rows.push_back(work_row_of(source));
    for (const MeasuredWork& one : measured) rows.push_back(work_row_of(table, one));
    return rows;
}

std::string withheld_rule(const std::vector<WorkRow>& rows) {
    const auto any = [&](Outcome outcome) {
        return std::ranges::any_of(rows,
                                   [&](const WorkRow& row) { return row.verdict == name(outcome); });
    };
    std::string text;
    if (any(Outcome::short_run))
        text =
            "Short run: the measured run covers less than a tenth of the source's steps (or of its "
            "simulated time, where it states no steps). Its ratios are shown, but they are no "
            "verdict on the source's conclusion.";
    if (any(Outcome::other_ground))
        text += fmt::format(
            "{}Other ground: the source ran on the ground of a real eruption, the measured run on "
            "a generated one or that of another eruption. No verdict follows.",
            text.empty() ? "" : " ");
    return text;
}

std::string verdict_text(const Judged& measured, const std::optional<Entry>& printed) {
    const std::string outcome(name(measured.outcome));
    const bool has_verdict = measured.outcome == Outcome::holds || measured.outcome == Outcome::reversed ||
                             measured.outcome == Outcome::no_difference;
    if (!has_verdict || !measured.ratio || !printed || !printed->reading || *printed->reading <= 0)
        return outcome;
    const double factor = *measured.ratio / *printed->reading;
    const bool above = factor > 2 && printed->bound != "at least";
    const bool below = factor < 0.5 && printed->bound != "at most";
    if (!above && !below) return outcome;
    const auto times = [](double ratio) {
        return fmt::format("{:.{}f}x", ratio, ratio < 2 ? 2 : ratio < 10 ? 1 : 0);
    };
    const std::string bound = printed->bound.empty() ? "" : printed->bound + " ";
    return fmt::format("{}, {} for a printed {}{}", outcome, times(*measured.ratio), bound,
                       times(*printed->reading));
}

}  // namespace camber::published
