// Reader of run length encoded patterns (.rle): header, comment lines and cells.
#include <cstdint>
#include <istream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "workloads/life/birth_survival.hpp"
#include "workloads/life/patterns.hpp"
#include "workloads/life/rle_source.hpp"

namespace camber::rle {

// Reader of the lines before the cells: # lines and header.

// Sets name, columns, rows and rule of a pattern.
class HeaderReader {
  public:
    HeaderReader(Source& source, Pattern& pattern, const RuleFamily& rules)
        : source_(source), pattern_(pattern), rules_(rules) {}

    // Reads the # lines before the header and the header, up to its line break.
    void read();

    // Reads a line that begins with #, without its line break.
    void read_hash_line();

  private:
    void read_leading_lines();
    void read_hash_rule();
    void read_header();
    void expect(std::string_view word);
    std::int64_t read_side(const std::string& name);
    std::string rule_of(std::string text, Place place) const;

    Source& source_;
    Pattern& pattern_;
    const RuleFamily& rules_;
    bool header_read_ = false;
    bool header_has_rule_ = false;
    std::optional<std::pair<std::string, Place>> hash_rule_;
};

namespace {

constexpr const char* header_example = "\"x = 3, y = 3, rule = B3/S23\"";

std::string shortened(const std::string& text) {
    constexpr std::size_t limit = 60;
    return text.size() <= limit ? text : text.substr(0, limit) + "...";
}

}  // namespace

void HeaderReader::read() {
    read_leading_lines();
    read_header();
}

void HeaderReader::read_leading_lines() {
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

void HeaderReader::read_hash_line() {
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

// XLife wrote the rule in a #r line, and Golly still accepts it, so such a line must not be ignored
// as a comment. A rule in the header has priority.
void HeaderReader::read_hash_rule() {
    source_.skip_blanks();
    const Place place = source_.place();
    const std::string rule = source_.rest_of_line();
    if (rule.empty() || header_has_rule_) return;
    if (header_read_) {
        if (rule_of(rule, place) != pattern_.rule.value_or(std::string(rules_.usual)))
            source_.reject(place, "the rule \"" + shortened(rule) +
                                      "\" comes after the header; write it into the header");
    } else {
        hash_rule_ = {rule, place};
    }
}

void HeaderReader::read_header() {
    if (to_lower(source_.peek()) != 'x') {
        source_.reject(source_.place(), "the header is missing, found " + describe(source_.peek()) +
                                            "; put a line such as " + header_example +
                                            " before the cells");
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
        pattern_.rule = rule_of(source_.rest_of_line(), place);
        header_has_rule_ = true;
    } else if (hash_rule_) {
        pattern_.rule = rule_of(hash_rule_->first, hash_rule_->second);
    }
    header_read_ = true;
}

void HeaderReader::expect(std::string_view word) {
    source_.skip_blanks();
    const Place place = source_.place();
    for (const char letter : word) {
        if (to_lower(source_.peek()) != letter) {
            source_.reject(place, "the header needs \"" + std::string(word) + "\" here, found " +
                                      describe(source_.peek()) + "; write it as in " +
                                      header_example);
        }
        source_.advance();
    }
}

std::int64_t HeaderReader::read_side(const std::string& name) {
    expect(name);
    expect("=");
    source_.skip_blanks();
    const Place place = source_.place();
    const bool negative = source_.peek() == '-';
    if (!negative && !is_digit(source_.peek())) {
        source_.reject(place, "the header needs a number for " + name + " here, found " +
                                  describe(source_.peek()));
    }
    const std::int64_t side = negative ? 0 : source_.read_number("the size " + name);
    if (side < 1) source_.reject(place, "the size " + name + " must be at least 1");
    return side;
}

std::string HeaderReader::rule_of(std::string text, Place place) const {
    // Some writers end the header with a comma, which Golly ignores.
    if (!text.empty() && text.back() == ',') text.pop_back();
    const std::string what = "the rule \"" + shortened(text) + "\"";
    const std::size_t colon = text.find(':');
    std::string rule;
    try {
        rule = rules_.spelled(text.substr(0, colon), what);
    } catch (const Error& error) {
        source_.reject(place, error.what());
    }
    if (colon != std::string::npos) {
        source_.reject(place, what +
                                  " asks for a bounded grid; remove the part from \":\" on "
                                  "and choose the board's boundary and size instead");
    }
    return rule;
}

}  // namespace camber::rle

namespace camber {

// The format: https://golly.sourceforge.io/Help/formats.html (Golly's help, "File formats") and
// https://conwaylife.com/wiki/Run_Length_Encoded. Golly ignores much unexpected text; this reader
// rejects it, because a benchmark of half a pattern would measure the wrong problem.

namespace rle {
namespace {

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
    Reader(std::istream& in, const std::string& name, const RuleFamily& rules)
        : source_(in, name), header_(source_, pattern_, rules) {}

    Pattern read() {
        header_.read();
        read_body();
        expand_runs();
        return std::move(pattern_);
    }

  private:
    void read_body() {
        std::optional<Count> count;
        bool line_start = true;
        while (true) {
            const int c = source_.peek();
            const Place here = source_.place();
            if (c == '!' || c == end_of_file) break;  // the final `!` is optional, as in Golly
            if (c == '#' && line_start) {
                header_.read_hash_line();
                continue;
            }
            if (c == '\n') {  // allowed between a count and its tag, as in Golly
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
                count = Count{source_.read_number("the run count"), here};
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

    // LifeWiki forbids white space after a count, and Golly silently drops the count.
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
        // In Golly, A..X are the states 1..24, and p..y are prefixes of states above 24.
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

    // Cells are expanded last, so that the memory used for a rejected file is proportional to its
    // text.
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
    HeaderReader header_;
    CellPosition at_;
    std::vector<Run> runs_;
    std::int64_t live_cells_ = 0;
};

}  // namespace
}  // namespace rle

const RuleFamily birth_survival_rules{"B3/S23", [](std::string_view text, std::string_view what) {
                                          return birth_survival(text, what).name();
                                      }};

Pattern read_rle(std::istream& in, const std::string& source_name, const RuleFamily& rules) {
    return rle::Reader(in, source_name, rules).read();
}

Pattern read_rle_file(const std::filesystem::path& path, const RuleFamily& rules) {
    std::istringstream in(read_file(path, "pattern file", "an .rle file"));
    Pattern pattern = read_rle(in, path.string(), rules);
    if (pattern.name.empty()) pattern.name = path.stem().string();
    return pattern;
}

std::optional<std::string> read_rle_rule(const std::filesystem::path& path,
                                         const RuleFamily& rules) {
    std::istringstream in(read_file(path, "pattern file", "an .rle file"));
    const std::string name = path.string();
    rle::Source source(in, name);
    Pattern pattern;
    rle::HeaderReader(source, pattern, rules).read();
    return pattern.rule;
}

}  // namespace camber
