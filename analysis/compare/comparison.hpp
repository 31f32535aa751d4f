// Two results files compared case by case: what `camber compare` has to say.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/conditions.hpp"
#include "analysis/compare/quantities.hpp"
#include "analysis/compare/verdict.hpp"
#include "analysis/results/result_set.hpp"
#include "harness/base/error.hpp"

namespace camber::compare {

// What is compared.
struct Scope {
    std::set<Family> families{std::begin(compare::families), std::end(compare::families)};
    bool times = true;
};

struct Rules {
    TimeRule time;
    Allowed allowed;
    Scope scope;
    bool fail_on_undecided = false;
};

// How a case stands in the two files.
enum class State {
    compared,   // measured in both
    wrong,      // failed verification in NEW
    broken,     // failed otherwise in NEW, and not in BASE
    lost,       // skipped in NEW, not in BASE
    missing,    // not in NEW
    added,      // not in BASE
    unmeasured  // skipped or failed in BASE, and not wrong in NEW
};

std::string_view name(State state);  // "compared"...

struct CaseComparison {
    std::string name;
    std::string workload;  // "" where the file does not say
    State state = State::compared;
    std::string reason;  // of every state but `compared`
    QuantityComparison quantities;
    std::optional<TimeComparison> time;

    std::size_t count(Effect effect) const;
    // Something became worse: a quantity or the time, or the case is wrong, broken, lost or missing
    // (missing only where that is not allowed: then its state is `unmeasured`).
    bool regressed() const;
    bool undecided() const { return time && time->verdict == Verdict::undecided; }
    bool improved() const;
};

struct Counts {
    std::size_t cases = 0;  // in both files and measured in both
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
    std::vector<std::string> differences;  // in conditions, allowed
    std::vector<std::string> notes;        // what could not be checked, and why
    Counts counts;
    bool fail_on_undecided = false;

    // wrong_result, regression or success.
    ExitCode exit_code() const;
    // One sentence with the outcome.
    std::string summary() const;
};

// Throws Error(incomparable), see match().
Comparison compare(const results::ResultSet& base, const results::ResultSet& changed,
                   const Rules& rules);

// What the files could not tell, one sentence each. `times_asked`: times are in the scope.
std::vector<std::string> notes_on(const Comparison& comparison, const results::ResultSet& base,
                                  const results::ResultSet& changed, bool times_asked,
                                  bool same_compiler);

// A case's times and clocks; nothing where the file has no times of it, or of the simt backend,
// whose times say nothing. Throws Error(usage) where a time is not a finite number above 0.
std::optional<Timing> timing_of(const results::Case& from);

}  // namespace camber::compare
