// Comparison of two results files, case by case: the conditions under which they can be compared,
// deterministic quantities such as transactions and registers, measured times, and predicted times.
// `camber compare` prints and judges the outcome.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/verdict.hpp"
#include "harness/base/error.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"

namespace camber::comparison {

// Names of properties that may be allowed to differ. The last five are quantity families, whose
// changes are then shown but not judged.
inline constexpr std::string_view allowances[] = {
    "gpu",     "driver",    "workloads",   "size",         "cell",       "boundary",
    "backend", "seed",      "generations", "arch",         "parameters", "missing",
    "model",   "registers", "memory",      "instructions", "counters"};

// Set of allowances; "all" stands for every one.
class Allowed {
  public:
    explicit Allowed(std::vector<std::string> names);
    Allowed() = default;
    bool contains(std::string_view what) const;

  private:
    std::vector<std::string> names_;
};

// Thrown if the files differ in a condition without an allowance. The message contains both values.
class ConditionsDiffer : public Error {
  public:
    ConditionsDiffer(const std::string& sentence, std::string_view allowance)
        : Error(ExitCode::incomparable, sentence), allowance_(allowance) {}
    // Name of the allowance that would permit the difference.
    const std::string& allowance() const { return allowance_; }

  private:
    std::string allowance_;
};

// Corresponding cases in two files.
struct Pair {
    const results::CaseRecord* base = nullptr;
    const results::CaseRecord* changed = nullptr;
};

struct Matches {
    std::vector<Pair> pairs;  // in the order of BASE
    std::vector<const results::CaseRecord*> only_in_base;
    std::vector<const results::CaseRecord*> only_in_new;
    std::vector<std::string> differences;  // allowed differences, one sentence each
};

// Pairs the cases by name and checks that they are comparable: the same GPU (name, compute
// capability, SMs), driver and workloads; and per pair the size, cell, boundary, backend, seed,
// generations, modeled compute capability (arch) and workload parameters. Names are compared
// without the size, cell, backend or boundary if these may differ. Conditions that a file does not
// state are not compared. Throws ConditionsDiffer for a difference without an allowance, and
// Error(incomparable) if no case is in both files.
Matches match(const results::Document& base, const results::Document& changed,
              const Allowed& allowed);

// Returns true if the contexts agree in compiler, runtime, flags and build type, as far as stated.
bool same_compiler(const results::Document& base, const results::Document& changed);

// Families of deterministic quantities: equal code on equal data yields equal values in every run.
enum class QuantityFamily {
    model,         // predicted transactions
    registers,     // per thread
    memory,        // static and dynamic shared memory per block, local memory (spills) per thread
    instructions,  // instructions in the machine code, and counted executed ones
    counters,      // measured requests, sectors and wavefronts
};
inline constexpr QuantityFamily quantity_families[] = {
    QuantityFamily::model, QuantityFamily::registers, QuantityFamily::memory,
    QuantityFamily::instructions, QuantityFamily::counters};

std::string_view name(QuantityFamily family);  // "model"...

enum class Effect {
    regression,   // increase
    improvement,  // decrease
    information,  // a change that is not judged
};

// Deterministic quantities of a case, by name. Those that describe how the model sampled blocks are
// omitted.
std::map<std::string, double> quantities_of(QuantityFamily family,
                                            const results::CaseRecord& from);

struct Change {
    QuantityFamily family = QuantityFamily::model;
    std::string quantity;  // "global_load_sectors", "stencil (1): registers", or a metric name
    double base = 0;
    double changed = 0;
    Effect effect = Effect::information;
};

struct QuantityComparison {
    std::vector<Change> changes;                         // ordered by family and name
    std::map<QuantityFamily, std::size_t> compared;      // quantities in both files; 0 omitted
    std::map<QuantityFamily, std::size_t> only_in_base;  // number of quantities missing in NEW; 0
                                                         // omitted
};

// Compares the quantities that both cases have. An increase is a regression and a decrease an
// improvement, except for the model's `non_redundant_share`, for which it is the reverse.
// Comparisons are exact, except for measured shared-memory wavefronts: these also count cycles lost
// to other traffic, and differed by up to 0.33 % between two runs of one program on an H200; 2 %
// are allowed. Quantities that depend on caches and clocks (L2, DRAM, hit rates, measured bank
// conflicts, cycles, durations) are ignored. Predicted times are information, from a difference of
// 0.1 %. If `same_compiler` is false, changes of registers, local memory and instructions may be
// caused by the compiler and are information.
QuantityComparison compare_quantities(const results::CaseRecord& base,
                                      const results::CaseRecord& changed, bool same_compiler);

// Relative tolerance for measured wavefronts.
inline constexpr double wavefront_tolerance = 0.02;

// Predicted times in two files of models are information only: the quantities from which they
// follow are judged.

// Predicted time of a generation.
struct PredictedTimeOf {
    double seconds = 0;
    double low = 0;
    double high = 0;
    std::string binding;
    bool uncertain = false;
};

struct PredictedPair {
    std::string name;  // "life/halo/64x4/align128/2048x2048/uint32/dead"
    PredictedTimeOf base;
    PredictedTimeOf changed;

    double ratio() const { return changed.seconds / base.seconds; }
    // Returns true if the intervals are disjoint.
    bool apart() const { return changed.low > base.high || changed.high < base.low; }
};

struct PredictedTimes {
    std::string base_gpu;
    std::string changed_gpu;
    std::vector<PredictedPair> pairs;  // the largest ratio first

    bool empty() const { return pairs.empty(); }
    // "NVIDIA H200", or "NVIDIA H200 in BASE and NVIDIA H100 in NEW".
    std::string device() const;
};

// Predicted times of the models that are in both files, with a time in each.
PredictedTimes predicted_times(const results::Document& base, const results::Document& changed);

// Kinds of values that are compared.
struct Scope {
    std::set<QuantityFamily> quantity_families{std::begin(comparison::quantity_families),
                                               std::end(comparison::quantity_families)};
    bool times = true;
};

struct GateRules {
    TimeRule time;
    Allowed allowed;
    Scope scope;
    bool fail_on_undecided = false;
};

// Status of a case in the two files.
enum class Standing {
    compared,   // measured in both
    wrong,      // failed verification in NEW
    broken,     // failed for another reason in NEW, and not in BASE
    lost,       // skipped in NEW, not in BASE
    missing,    // not in NEW
    added,      // not in BASE
    unmeasured  // skipped or failed in BASE, and not wrong in NEW
};

std::string_view name(Standing standing);  // "compared"...

struct CaseComparison {
    std::string name;
    std::string workload;  // "" if the file does not state it
    Standing standing = Standing::compared;
    std::string reason;  // "" for `compared`
    QuantityComparison quantities;
    std::optional<TimeComparison> time;

    std::size_t count(Effect effect) const;
    // Returns true if a quantity or the time became worse, or if the case is wrong, broken, lost or
    // missing (a missing case that is allowed is `unmeasured` instead).
    bool regressed() const;
    bool undecided() const { return time && time->verdict == Verdict::undecided; }
    bool improved() const;
};

struct Counts {
    std::size_t pairs = 0;  // cases in both files
    std::size_t cases = 0;  // measured in both files
    std::size_t timed = 0, same = 0, faster = 0, slower = 0, undecided = 0;
    std::size_t quantities = 0, more = 0, fewer = 0, information = 0;  // deterministic ones
    std::size_t wrong = 0, broken = 0, lost = 0, missing = 0, added = 0;
    std::size_t regressed = 0;  // cases
};

struct Comparison {
    std::string base;  // file names
    std::string changed;
    double threshold = 0;
    std::vector<CaseComparison> cases;     // worst first
    PredictedTimes predicted;              // if models are in the scope; judges nothing
    std::vector<std::string> differences;  // allowed differences in conditions
    Counts counts;
    bool fail_on_undecided = false;
    // Unchecked items:
    std::vector<std::string> with_times_only;  // files written by Google Benchmark itself
    bool same_compiler = true;
    bool times_of_simt = false;  // times are in the scope, but NEW has meaningless times of the
                                 // simt backend

    // Returns true if no time and no quantity was compared, and no case is wrong, broken, lost or
    // missing.
    bool empty() const {
        return counts.timed == 0 && counts.quantities == 0 && counts.regressed == 0;
    }

    // ExitCode::wrong_result, regression or success.
    ExitCode exit_code() const;
    // The outcome in one sentence.
    std::string summary() const;
};

// Throws the exceptions of match() and timing_of().
Comparison compare(const results::Document& base, const results::Document& changed,
                   const GateRules& rules);

// Times and clocks of a case; absent if the file has none, or only meaningless ones of the simt
// backend. Throws Error(usage) if a time is not a finite number above 0.
std::optional<Timing> timing_of(const results::CaseRecord& from);

}  // namespace camber::comparison
