// The format: https://golly.sourceforge.io/Help/formats.html (Golly's help, "File formats") and
// https://conwaylife.com/wiki/Run_Length_Encoded. Golly passes over much that it does not expect;
// this reader rejects it, because a benchmark of half a pattern measures the wrong thing.
#include "workloads/life/rle.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <istream>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

#include "harness/base/error.hpp"

namespace camber {
namespace {

constexpr int end_of_file = -1;
constexpr std::size_t line_limit = 70;
constexpr const char* header_example = "\"x = 3, y = 3, rule = B3/S23\"";

// The functions of <cctype> depend on the locale; the format does not.
bool is_digit(int c) {
    return c >= '0' && c <= '9';
}
bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
bool is_control(int c) {
    return c < ' ' || c == 0x7f;
}
int to_lower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

std::string describe(int c) {
    if (c == end_of_file) return "the end of the file";
    if (c == '\n') return "the end of the line";
    if (is_control(c) || c > 0x7e) {
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), "byte 0x%02x", static_cast<unsigned>(c));
        return text.data();
    }
    return std::string("'") + static_cast<char>(c) + "'";
}

std::string shortened(const std::string& text) {
    constexpr std::size_t limit = 60;
    return text.size() <= limit ? text : text.substr(0, limit) + "...";
}

struct Place {
    std::int64_t line = 1;
    std::int64_t column = 1;
};

// One byte of look-ahead with its place; CR, LF and CR LF all read as '\n'.
class Source {
  public:
    Source(std::istream& in, const std::string& name) : in_(in), name_(name) { fetch(); }

    int peek() const { return current_; }
    Place place() const { return place_; }

    void advance() {
        if (current_ == end_of_file) return;
        if (current_ == '\n') {
            ++place_.line;
            place_.column = 1;
        } else {
            ++place_.column;
        }
        fetch();
    }

    void skip_blanks() {
        while (is_blank(current_)) advance();
    }

    void skip_line() {
        while (current_ != '\n' && current_ != end_of_file) advance();
    }

    // The text up to the end of the line, trimmed, fit to be shown on one line of a terminal.
    std::string rest_of_line() {
        std::string text;
        skip_blanks();
        while (current_ != '\n' && current_ != end_of_file) {
            text += is_control(current_) ? ' ' : static_cast<char>(current_);
            advance();
        }
        while (!text.empty() && text.back() == ' ') text.pop_back();
        return text;
    }

    [[noreturn]] void reject(Place place, const std::string& reason) const {
        throw Error(ExitCode::usage, name_ + ":" + std::to_string(place.line) + ":" +
                                         std::to_string(place.column) + ": " + reason);
    }

  private:
    void fetch() {
        const int next = in_.get();
        if (next == std::istream::traits_type::eof()) {
            if (in_.bad()) reject(place_, "reading failed here; check the file and its disk");
            current_ = end_of_file;
            return;
        }
        current_ = next;
        if (next == '\r') {
            if (in_.peek() == '\n') in_.get();
            current_ = '\n';
        }
    }

    std::istream& in_;
    const std::string& name_;
    int current_ = end_of_file;
    Place place_;
};

struct Run {
    CellPosition start;
    std::int64_t count = 0;
};

struct Count {
    std::int64_t value = 1;
    Place place;
};

class Reader {
  public:
    Reader(std::istream& in, const std::string& name) : source_(in, name) {}

    Pattern read() {
        read_leading_lines();
        read_header();
        read_body();
        expand_runs();
        return std::move(pattern_);
    }

  private:
    void read_leading_lines() {
        while (true) {
            source_.skip_blanks();
            if (source_.peek() == '#') {
                read_hash_line();
            } else if (source_.peek() != '\n') {
                return;
            }
            source_.advance();
        }
    }

    // Leaves the line break to the caller.
    void read_hash_line() {
        source_.advance();
        const int letter = source_.peek();
        if (letter == 'N' && !header_read_) {
            source_.advance();
            if (is_blank(source_.peek()) && pattern_.name.empty()) {
                pattern_.name = source_.rest_of_line();
            }
        } else if (letter == 'r') {
            source_.advance();
            if (is_blank(source_.peek())) read_hash_rule();
        }
        source_.skip_line();
    }

    // XLife wrote the rule on a #r line and Golly still obeys it, so another rule must not pass
    // as a comment. The header has the last word.
    void read_hash_rule() {
        source_.skip_blanks();
        const Place place = source_.place();
        const std::string rule = source_.rest_of_line();
        if (rule.empty() || header_has_rule_) return;
        if (header_read_) {
            check_rule(rule, place);
        } else {
            hash_rule_ = {rule, place};
        }
    }

    void read_header() {
        if (to_lower(source_.peek()) != 'x') {
            source_.reject(source_.place(), "the header is missing, found " +
                                                describe(source_.peek()) + "; put a line such as " +
                                                header_example + " before the cells");
        }
        pattern_.columns = read_side("x");
        expect(",");
        pattern_.rows = read_side("y");
        source_.skip_blanks();
        if (source_.peek() != '\n' && source_.peek() != end_of_file) {
            expect(",");
            expect("rule");
            expect("=");
            source_.skip_blanks();
            const Place place = source_.place();
            check_rule(source_.rest_of_line(), place);
            header_has_rule_ = true;
        } else if (hash_rule_) {
            check_rule(hash_rule_->first, hash_rule_->second);
        }
        header_read_ = true;
    }

    void expect(std::string_view word) {
        source_.skip_blanks();
        const Place place = source_.place();
        for (const char letter : word) {
            if (to_lower(source_.peek()) != letter) {
                source_.reject(place, "the header needs \"" + std::string(word) +
                                          "\" here, found " + describe(source_.peek()) +
                                          "; write it as in " + header_example);
            }
            source_.advance();
        }
    }

    std::int64_t read_side(const std::string& name) {
        expect(name);
        expect("=");
        source_.skip_blanks();
        const Place place = source_.place();
        const bool negative = source_.peek() == '-';
        if (!negative && !is_digit(source_.peek())) {
            source_.reject(place, "the header needs a number for " + name + " here, found " +
                                      describe(source_.peek()));
        }
        const std::int64_t side = negative ? 0 : read_number("the size " + name);
        if (side < 1) source_.reject(place, "the size " + name + " must be at least 1");
        return side;
    }

    std::int64_t read_number(const std::string& what) {
        const Place place = source_.place();
        std::int64_t value = 0;
        while (is_digit(source_.peek())) {
            value = value * 10 + (source_.peek() - '0');
            if (value > max_pattern_side) {
                source_.reject(place, what + " is too large; the limit is " +
                                          std::to_string(max_pattern_side));
            }
            source_.advance();
        }
        return value;
    }

    void check_rule(std::string text, Place place) const {
        // Some writers end the header with a comma; Golly drops it.
        if (!text.empty() && text.back() == ',') text.pop_back();
        std::string rule;
        for (const char c : text) {
            if (!is_blank(c)) rule += static_cast<char>(to_lower(c));
        }
        constexpr std::array<std::string_view, 5> conway = {"b3/s23", "b3s23", "23/3", "life",
                                                            "conway"};
        const std::size_t colon = rule.find(':');
        if (std::ranges::find(conway, rule.substr(0, colon)) == conway.end()) {
            source_.reject(place, "the rule \"" + shortened(text) +
                                      "\" is not supported; camber runs only Conway's B3/S23");
        }
        if (colon != std::string::npos) {
            source_.reject(place, "the rule \"" + shortened(text) +
                                      "\" asks for a bounded grid; remove the part from \":\" on "
                                      "and use --boundary and --size instead");
        }
    }

    void read_body() {
        std::optional<Count> count;
        bool line_start = true;
        while (true) {
            const int c = source_.peek();
            const Place here = source_.place();
            if (c == '!' || c == end_of_file) break;  // Golly, too, takes the final `!` as optional
            if (c == '#' && line_start) {
                read_hash_line();
                continue;
            }
            if (c == '\n') {  // may stand between a count and its tag, as in Golly
                source_.advance();
                line_start = true;
                continue;
            }
            if (is_blank(c)) {
                if (count) reject_blank_after(*count);
                source_.advance();
                continue;
            }
            line_start = false;
            if (is_digit(c)) {
                if (count) reject_split_count(*count);
                count = Count{read_number("the run count"), here};
                if (count->value == 0) {
                    source_.reject(here, "the run count is 0; it must be at least 1");
                }
                continue;
            }
            take_tag(c, here, count.value_or(Count{1, here}));
            count.reset();
            source_.advance();
        }
        if (count) {
            source_.reject(count->place, "the run count " + std::to_string(count->value) +
                                             " has no cell or row end after it");
        }
    }

    // LifeWiki forbids white space here, and Golly forgets the count without a word.
    [[noreturn]] void reject_blank_after(const Count& count) const {
        source_.reject(count.place, "the run count " + std::to_string(count.value) +
                                        " is followed by white space; remove it");
    }

    [[noreturn]] void reject_split_count(const Count& count) const {
        source_.reject(count.place, "the run count " + std::to_string(count.value) +
                                        " is followed by another number; if a line break splits "
                                        "one number, join it");
    }

    void take_tag(int tag, Place here, const Count& count) {
        switch (tag) {
            case 'b':
            case '.':
                add_cells(count, false);
                return;
            case 'o':
            case 'A':
                add_cells(count, true);
                return;
            case '$':
                end_rows(count);
                return;
            default:
                break;
        }
        // In Golly A..X are the states 1..24 and p..y open a state above 24.
        if ((tag >= 'B' && tag <= 'X') || (tag >= 'p' && tag <= 'y')) {
            source_.reject(here, describe(tag) +
                                     " is a cell state of a multi-state pattern, and multi-state "
                                     "patterns are not supported");
        }
        source_.reject(here, "unknown character, " + describe(tag) +
                                 "; a dead cell is b, a live cell o, the end of a row $");
    }

    void add_cells(const Count& count, bool alive) {
        if (at_.row >= pattern_.rows) reject_rows(count.place);
        if (count.value > pattern_.columns - at_.column) {
            source_.reject(count.place,
                           "row " + std::to_string(at_.row + 1) + " of the pattern is wider than " +
                               "x = " + std::to_string(pattern_.columns) + " in the header");
        }
        if (alive) {
            live_cells_ += count.value;
            if (live_cells_ > max_pattern_live_cells) {
                source_.reject(count.place, "the pattern has too many live cells; the limit is " +
                                                std::to_string(max_pattern_live_cells));
            }
            runs_.push_back({at_, count.value});
        }
        at_.column += count.value;
    }

    // A `$` after the last row is common and harmless, so at_.row may reach the number of rows.
    void end_rows(const Count& count) {
        if (count.value > pattern_.rows - at_.row) reject_rows(count.place);
        at_ = {at_.row + count.value, 0};
    }

    [[noreturn]] void reject_rows(Place place) const {
        source_.reject(place, "the pattern has more rows than y = " +
                                  std::to_string(pattern_.rows) + " in the header");
    }

    // Cells come last, so that a file that is rejected has cost memory in proportion to its text.
    void expand_runs() {
        pattern_.live.reserve(static_cast<std::size_t>(live_cells_));
        for (const Run& run : runs_) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                pattern_.live.push_back({run.start.row, run.start.column + i});
            }
        }
    }

    Source source_;
    Pattern pattern_;
    bool header_read_ = false;
    bool header_has_rule_ = false;
    std::optional<std::pair<std::string, Place>> hash_rule_;
    CellPosition at_;
    std::vector<Run> runs_;
    std::int64_t live_cells_ = 0;
};

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
            line += is_control(static_cast<unsigned char>(c)) ? ' ' : c;
        }
    }
    write_comment_line(out, line);
}

}  // namespace

Pattern read_rle(std::istream& in, const std::string& source_name) {
    return Reader(in, source_name).read();
}

Pattern read_rle_file(const std::filesystem::path& path) {
    std::error_code ignored;
    // A directory opens like a file on Linux; only reading it fails.
    if (std::filesystem::is_directory(path, ignored)) {
        throw Error(ExitCode::usage, "the pattern file \"" + path.string() +
                                         "\" is a directory; give the path of an .rle file");
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        const std::string cause =
            errno == 0 ? std::string("unknown cause") : std::generic_category().message(errno);
        throw Error(ExitCode::usage, "cannot open the pattern file \"" + path.string() +
                                         "\": " + cause + "; check its path and permissions");
    }
    Pattern pattern = read_rle(in, path.string());
    if (pattern.name.empty()) pattern.name = path.stem().string();
    return pattern;
}

void write_rle(std::ostream& out, std::int64_t columns, std::int64_t rows,
               const std::function<bool(std::int64_t row, std::int64_t column)>& alive,
               std::string_view comment) {
    if (columns < 1 || rows < 1 || columns > max_pattern_side || rows > max_pattern_side) {
        throw Error(ExitCode::usage, "cannot write a pattern of " + std::to_string(columns) +
                                         " columns and " + std::to_string(rows) +
                                         " rows; each must be from 1 to " +
                                         std::to_string(max_pattern_side));
    }
    write_comment(out, comment);
    out << "x = " << std::to_string(columns) << ", y = " << std::to_string(rows)
        << ", rule = B3/S23\n";
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

}  // namespace camber
