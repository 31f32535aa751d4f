#include "harness/cli/profile/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/cli/common/kernel_table.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/profile/rows.hpp"

namespace camber {

namespace {

constexpr std::size_t bar_columns = 16;

std::string bar(double share) {
    const auto filled = static_cast<std::size_t>(
        std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(bar_columns)));
    return "|" + std::string(filled, '#') + std::string(bar_columns - filled, '.') + "|";
}

// Nothing but blanks is left at the end of a line.
std::string line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string one_row(const ProfileRow& row) {
    std::string text = fmt::format("  {:<28} {:>14}", row.label, row.text);
    if (row.share)
        text += fmt::format("  {:>7}  {}  {}", fmt::format("{:.1f} %", 100 * *row.share),
                            bar(*row.share), row.note);
    else if (!row.note.empty())
        text += "  " + row.note;
    return line(text);
}

std::string cell(const ProfileRow* row) {
    if (row == nullptr) return "-";
    if (!row->share) return row->text;
    return fmt::format("{} {:>6}", row->text, fmt::format("{:.1f} %", 100 * *row->share));
}

std::string two_rows(const std::string& label, const ProfileRow* first, const ProfileRow* second) {
    std::string ratio;
    if (first && second && first->number && second->number && *second->number != 0)
        ratio = fmt::format("{:.2f}x", *first->number / *second->number);
    return line(
        fmt::format("  {:<28} {:>24} {:>24} {:>9}", label, cell(first), cell(second), ratio));
}

const ProfileRow* find_row(const std::vector<ProfileSection>& sections, const std::string& title,
                           const std::string& label) {
    const auto section = std::ranges::find(sections, title, &ProfileSection::title);
    if (section == sections.end()) return nullptr;
    const auto row = std::ranges::find(section->rows, label, &ProfileRow::label);
    return row == section->rows.end() ? nullptr : &*row;
}

std::string one_column(const ProfiledCase& profiled) {
    std::string text;
    for (const ProfileSection& section : profile_sections(profiled)) {
        text += "\n" + section.title + "\n";
        for (const ProfileRow& row : section.rows) text += one_row(row);
    }
    return text;
}

// Titles, or rows, of the first with those that only the second has at their end.
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
        text +=
            text.empty()
                ? "\n" + line(fmt::format("{:<30} {:>24} {:>24} {:>9}", title, "A", "B", "A / B"))
                : "\n" + title + "\n";
        for (const std::string& label :
             united(rows_of(left, title), rows_of(right, title), &ProfileRow::label))
            text += two_rows(label, find_row(left, title, label), find_row(right, title, label));
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
        page = line(first.facts.variant) + page + one_column(first);
    } else {
        page = line("A  " + first.facts.variant) + line("B  " + cases[1].facts.variant) + page +
               two_columns(first, cases[1]);
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

}  // namespace camber
