#include "workloads/core/cells.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace camber::grid_file {
namespace {

// How many values the lines have, to say which is odd.
class Lines {
  public:
    explicit Lines(Size size) : columns_(size.columns) {}
    void add(std::int64_t line) {
        if (line != line_) {
            end();
            line_ = line;
            ++count_;
        }
        ++values_;
    }
    void end() {
        if (values_ > 0 && values_ != columns_ && odd_line_ == 0) {
            odd_line_ = line_;
            odd_values_ = values_;
        }
        values_ = 0;
    }
    std::int64_t count() const { return count_; }
    Place first_odd_place() const { return {odd_line_, 1}; }
    // A part of a sentence, or "".
    std::string first_odd() const {
        return odd_line_ == 0 ? "" : fmt::format(" (line {} has {})", odd_line_, odd_values_);
    }

  private:
    std::int64_t columns_;
    std::int64_t line_ = 0;
    std::int64_t values_ = 0;
    std::int64_t count_ = 0;
    std::int64_t odd_line_ = 0;
    std::int64_t odd_values_ = 0;
};

}  // namespace

std::vector<double> read_cells(TokenSource& source, Token token, Size size) {
    std::vector<double> values;
    const std::int64_t expected = size.cells();
    Lines lines(size);
    for (; !token.text.empty(); token = source.next()) {
        const auto value = finite_number(token.text);
        if (!value)
            source.reject(token.place,
                          fmt::format("{} is no finite number: every cell needs one, and cells "
                                      "without data the map's value for them",
                                      shown(token)));
        lines.add(token.place.line);
        if (static_cast<std::int64_t>(values.size()) == expected)
            source.reject(token.place,
                          fmt::format("a value too many: {} x {} = {} were announced{}",
                                      size.columns, size.rows, expected, lines.first_odd()));
        values.push_back(*value);
    }
    lines.end();
    if (static_cast<std::int64_t>(values.size()) < expected)
        source.reject(token.place, fmt::format("the file ends after {} values, {} x {} = {} were "
                                               "announced{}",
                                               values.size(), size.columns, size.rows, expected,
                                               lines.first_odd()));
    // A line per row of which some are longer has lost its rows.
    if (lines.count() == size.rows && !lines.first_odd().empty())
        source.reject(lines.first_odd_place(),
                      fmt::format("the lines stand for rows, but not every one has {} values{}",
                                  size.columns, lines.first_odd()));
    return values;
}

std::vector<double> read_matrix(std::string_view text, const std::string& name, Size size) {
    TokenSource source(text, name);
    const Token first = source.next();
    return read_cells(source, first, size);
}

}  // namespace camber::grid_file
