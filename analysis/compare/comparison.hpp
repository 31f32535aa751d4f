// Two results files compared case by case: what `camber compare` has to say.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/conditions.hpp"
#include "analysis/compare/predicted.hpp"
#include "analysis/compare/quantities.hpp"
#include "analysis/compare/verdict.hpp"
#include "harness/base/error.hpp"
#include "harness/record/document.hpp"

namespace camber::compare {

// What is compared.
struct Scope {
    std::set<Family> families{std::begin(compare::families), std::end(compare::families)};
    bool times = true;
};

struct GateRules {
    TimeRule time;
    Allowed allowed;
    Scope scope;
    bool fail_on_undecided = false;
};

// How a case stands in the two files.
enum class Standing {
    compared,   // measured in both
    wrong,      // failed verification in NEW
    broken,     // failed otherwise in NEW, and not in BASE
    lost,       // skipped in NEW, not in BASE
    missing,    // not in NEW
    added,      // not in BASE
    unmeasured  // skipped or failed in BASE, and not wrong in NEW
};

std::string_view name(Standing standing);  // "compared"...

struct CaseComparison {
    std::string name;
    std::string workload;  // "" where the file does not say
    Standing standing = Standing::compared;
    std::string reason;  // of every one but `compared`
    QuantityComparison quantities;
    std::optional<TimeComparison> time;

    std::size_t count(Effect effect) const;
    // Something became worse: a quantity or the time, or the case is wrong, broken, lost or missing
    // (missing only where that is not allowed: then it is `unmeasured`).
    bool regressed() const;
    bool undecided() const { return time && time->verdict == Verdict::undecided; }
    bool improved() const;
};

struct Counts {
    std::size_t pairs = 0;  // cases in both files
    std::size_t cases = 0;  // of them measured in both
    std::size_t timed = 0, same = 0, faster = 0, slower = 0, undecided = 0;
    std::size_t quantities = 0, more = 0, fewer = 0, information = 0;  // deterministic ones
    std::size_t wrong = 0, broken = 0, lost = 0, missing = 0, added = 0;
    std::size_t regressed = 0;  // cases
};

struct Comparison {
    std::string base;  // the files
    std::string changed;
    double threshold = 0;
    std::vector<CaseComparison> cases;     // worst first
    PredictedTimes predicted;              // where models are in the scope; judges nothing
    std::vector<std::string> differences;  // in conditions, allowed
    Counts counts;
    bool fail_on_undecided = false;
    // What could not be checked:
    std::vector<std::string> with_times_only;  // files of Google Benchmark itself
    bool same_compiler = true;
    bool times_of_simt = false;  // NEW has some, which say nothing, and times are in the scope

    // Neither a time nor a quantity was compared, and no case is wrong, broken, lost or missing.
    bool empty() const {
        return counts.timed == 0 && counts.quantities == 0 && counts.regressed == 0;
    }

    // wrong_result, regression or success.
    ExitCode exit_code() const;
    // One sentence with the outcome.
    std::string summary() const;
};

// Throws what match() and timing_of() throw.
Comparison compare(const results::Document& base, const results::Document& changed,
                   const GateRules& rules);

// A case's times and clocks; nothing where the file has no times of it, or of the simt backend,
// whose times say nothing. Throws Error(usage) where a time is not a finite number above 0.
std::optional<Timing> timing_of(const results::CaseRecord& from);

}  // namespace camber::compare
