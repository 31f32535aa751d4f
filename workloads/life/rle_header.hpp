// The lines before the cells of an .rle file, and the # lines among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "workloads/life/rle.hpp"
#include "workloads/life/rle_source.hpp"

namespace camber::rle {

// Fills in the name, columns, rows and rule of a pattern.
class HeaderReader {
  public:
    HeaderReader(Source& source, Pattern& pattern, const RuleFamily& rules)
        : source_(source), pattern_(pattern), rules_(rules) {}

    // Reads the # lines before the header and the header, up to its line break.
    void read();

    // Reads a line that begins with #. Leaves the line break to the caller.
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

}  // namespace camber::rle
