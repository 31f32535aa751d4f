// Comparison of two inspections of compiled code, kernel by kernel: registers, memory, occupancy
// and the machine code itself. `camber compare` prints and judges the outcome.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "harness/record/code_inspection.hpp"

namespace camber::comparison {

// Names of what may change without a verdict, or be missing.
inline constexpr std::string_view code_allowances[] = {"missing", "registers", "memory",
                                                       "occupancy", "code"};

enum class CodeState {
    unchanged,  // equal machine code, equal resources
    changed,    // another machine code or other resources
    missing,    // not in NEW
    added,      // not in BASE
};

std::string_view name(CodeState state);  // "unchanged"...

struct CodeChange {
    std::string_view family;  // "registers", "memory", "occupancy" or "code"
    std::string quantity;     // "registers", "local stores", "occupancy at 256 threads"
    double base = 0;
    double changed = 0;
    Effect effect = Effect::information;
};

struct KernelComparison {
    std::string name;  // in NEW, or in BASE if it is missing
    std::string architecture;
    results::CodeKind kind = results::CodeKind::kernel;
    CodeState state = CodeState::unchanged;
    bool same_code = false;               // equal hashes
    std::string base_name;                // if it has another name in BASE, otherwise ""
    std::string base_hash, changed_hash;  // "" if there is none
    std::vector<CodeChange> changes;      // judged ones first
    bool allowed_missing = false;

    std::size_t count(Effect effect) const;
    bool regressed() const;
    // Its machine code changed, so that only a measurement can tell if it became slower.
    bool undecided() const { return state == CodeState::changed && !same_code && !code_allowed; }
    bool code_allowed = false;
};

struct CodeCounts {
    std::size_t compared = 0, unchanged = 0, changed_code = 0, worse = 0, better = 0, missing = 0,
                added = 0, renamed = 0;
};

struct CodeComparison {
    std::string base, changed;              // files
    std::vector<KernelComparison> kernels;  // worst first
    CodeCounts counts;
    std::vector<std::string> notes;
    bool fail_on_undecided = false;

    // ExitCode::regression or success.
    ExitCode exit_code() const;
    // The outcome in one sentence.
    std::string summary() const;
};

// Pairs the kernels of each architecture by name, then by equal code, then by names without the
// numbers of lambdas. Throws Error(incomparable) if the files have no kernel in common.
CodeComparison compare_code(const results::CodeInspection& base,
                            const results::CodeInspection& changed, const Allowed& allowed,
                            bool fail_on_undecided);

}  // namespace camber::comparison
