#include "workloads/life/patterns.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "harness/base/error.hpp"
#include "workloads/life/rle_source.hpp"

namespace camber {

// Writer of the format that read_rle reads, in the form of Golly and LifeWiki; rle_reader.cpp cites
// the format.

namespace {

constexpr std::size_t line_limit = 70;

// Joins `<count><tag>` items into lines, never breaking an item.
class ItemWriter {
  public:
    explicit ItemWriter(std::ostream& out) : out_(out) {}

    void write(std::int64_t count, char tag) {
        std::string item = count > 1 ? std::to_string(count) : std::string();
        item += tag;
        if (line_.size() + item.size() > line_limit) end_line();
        line_ += item;
    }

    void end_line() {
        out_ << line_ << '\n';
        line_.clear();
    }

  private:
    std::ostream& out_;
    std::string line_;
};

void write_comment_line(std::ostream& out, std::string_view text) {
    constexpr std::size_t width = line_limit - 3;  // "#C "
    while (true) {
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
        if (text.size() <= width) break;
        const std::size_t space = text.rfind(' ', width);
        const std::size_t cut = space == std::string_view::npos ? width : space;
        out << "#C " << text.substr(0, cut) << '\n';
        text.remove_prefix(cut);
    }
    if (!text.empty()) out << "#C " << text << '\n';
}

void write_comment(std::ostream& out, std::string_view comment) {
    std::string line;
    for (const char c : comment) {
        if (c == '\n') {
            write_comment_line(out, line);
            line.clear();
        } else {
            line += rle::is_control(static_cast<unsigned char>(c)) ? ' ' : c;
        }
    }
    write_comment_line(out, line);
}

}  // namespace

void write_rle(std::ostream& out, std::int64_t columns, std::int64_t rows,
               const std::function<bool(std::int64_t row, std::int64_t column)>& alive,
               std::string_view comment, std::string_view rule) {
    if (columns < 1 || rows < 1 || columns > max_pattern_side || rows > max_pattern_side) {
        throw Error(ExitCode::usage, "cannot write a pattern of " + std::to_string(columns) +
                                         " columns and " + std::to_string(rows) +
                                         " rows; each must be from 1 to " +
                                         std::to_string(max_pattern_side));
    }
    write_comment(out, comment);
    out << "x = " << std::to_string(columns) << ", y = " << std::to_string(rows)
        << ", rule = " << rule << '\n';
    ItemWriter items(out);
    std::int64_t row_ends = 0;
    for (std::int64_t row = 0; row < rows; ++row, ++row_ends) {
        std::int64_t dead = 0;
        std::int64_t live = 0;
        const auto write_run = [&] {
            if (live == 0) return;
            if (row_ends > 0) items.write(row_ends, '$');
            if (dead > 0) items.write(dead, 'b');
            items.write(live, 'o');
            row_ends = dead = live = 0;
        };
        for (std::int64_t column = 0; column < columns; ++column) {
            if (alive(row, column)) {
                ++live;
            } else {
                write_run();
                ++dead;
            }
        }
        write_run();
    }
    items.write(1, '!');
    items.end_line();
}

namespace {

constexpr const char* rule_name = "rule";

}  // namespace

WorkloadOption rule_option(std::string_view usual, std::string_view form) {
    return {.name = rule_name, .usual = usual, .help = form};
}

std::optional<std::string> chosen_rule(const InitialConditions& conditions,
                                       const RuleFamily& rules) {
    std::optional<std::string> rule;
    if (conditions.input) rule = read_rle_rule(*conditions.input, rules);
    if (const std::string text = text_value(conditions.options, rule_name); !text.empty()) {
        const std::string asked = rules.spelled(text, fmt::format("rule '{}'", text));
        if (rule && *rule != asked)
            throw Error(ExitCode::usage,
                        fmt::format("rule {} is not that of {}, {}: leave it out, or take "
                                    "another file",
                                    asked, conditions.input->string(), *rule));
        rule = asked;
    }
    if (rule == rules.usual) rule.reset();
    return rule;
}

CellPosition place_of(const Pattern& pattern, const InitialConditions& conditions) {
    const Size size = conditions.size;
    const auto [column, row] = conditions.input_at.value_or(
        std::pair((size.columns - pattern.columns) / 2, (size.rows - pattern.rows) / 2));
    // Compared without additions: column and row are arbitrary user input, and sums could overflow.
    if (column < 0 || row < 0 || column > size.columns - pattern.columns ||
        row > size.rows - pattern.rows)
        throw Error(ExitCode::usage,
                    fmt::format("pattern {} of {}x{} cells at {},{} does not fit on a board of "
                                "{}x{}",
                                conditions.input->string(), pattern.columns, pattern.rows, column,
                                row, size.columns, size.rows),
                    Remedy::another_position);
    return {row, column};
}

}  // namespace camber
