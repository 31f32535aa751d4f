// Options and output of a gate, which compares two documents and judges the outcome: shared by
// `camber compare` and `camber history gate`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "harness/record/document.hpp"

namespace CLI {
class App;
}

namespace camber {

struct GateOptions {
    std::string threshold = "3%";
    std::vector<std::string> allow;
    std::string only;
    std::string format = "table";
    std::string out;
    bool fail_on_undecided = false;
    std::uint64_t seed = 1;

    void add_to(CLI::App& command);

    comparison::TimeRule time_rule() const;
    // Throws Error(usage) for an unknown name.
    comparison::GateRules rules() const;

    // Throws Error(usage) unless the format is one of a comparison.
    void check_format() const;
    // Prints the comparison in the chosen format, or writes it to the file and prints the summary.
    void deliver(const comparison::Comparison& comparison) const;
    // Prints other text of the command in the same way.
    void deliver(const std::string& text) const;
};

// Parses "3%", "3 %" or "0.03". Throws Error(usage).
double threshold_from(const std::string& text);

// Throws Error(usage) with the nearest names unless `given` is among `known`.
std::string one_of(std::string_view option, const std::string& given,
                   const std::vector<std::string>& known);

// The names of --allow. Throws Error(usage) for one that is not among `allowances` or "all".
comparison::Allowed allowed_from(const std::vector<std::string>& names,
                                 std::span<const std::string_view> allowances);

// Compares the documents. Throws Error(incomparable) with a remedy if their conditions differ, or
// if they contain nothing to compare.
comparison::Comparison comparison_of(const results::Document& before,
                                     const results::Document& after,
                                     const comparison::GateRules& rules, const std::string& only);

}  // namespace camber
