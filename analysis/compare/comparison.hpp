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

// Whether two results files measured the same under the same conditions.

// What may be allowed to differ, by name; the last five are families of quantities, whose
// changes are then shown and not judged.
inline constexpr std::string_view allowances[] = {
    "gpu",     "driver",    "workloads",   "size",         "cell",       "boundary",
    "backend", "seed",      "generations", "arch",         "parameters", "missing",
    "model",   "registers", "memory",      "instructions", "counters"};

// Names of allowances; "all" stands for every one.
class Allowed {
  public:
    explicit Allowed(std::vector<std::string> names);
    Allowed() = default;
    bool contains(std::string_view what) const;

  private:
    std::vector<std::string> names_;
};

// The files differ in a condition that was not allowed to. The sentence names both values.
class ConditionsDiffer : public Error {
  public:
    ConditionsDiffer(const std::string& sentence, std::string_view allowance)
        : Error(ExitCode::incomparable, sentence), allowance_(allowance) {}
    // By which name it can be allowed.
    const std::string& allowance() const { return allowance_; }

  private:
    std::string allowance_;
};

// Two cases that are one and the same in two files.
struct Pair {
    const results::CaseRecord* base = nullptr;
    const results::CaseRecord* changed = nullptr;
};

struct Matches {
    std::vector<Pair> pairs;  // in the order of BASE
    std::vector<const results::CaseRecord*> only_in_base;
    std::vector<const results::CaseRecord*> only_in_new;
    std::vector<std::string> differences;  // that were allowed, one sentence each
};

// Pairs the cases by name and checks that they can be compared: the same GPU (name, compute
// capability, SMs), driver, workloads; and per pair size, cell, boundary, backend, seed,
// generations, the compute capability whose rules the model applied (arch), parameters of the
// workload. Where a size, cell, backend or boundary may differ, it counts as no part of a name.
// Conditions that a file does not state are not compared. Throws ConditionsDiffer for a difference
// that is not allowed, and Error(incomparable) where no case is in both files.
Matches match(const results::Document& base, const results::Document& changed,
              const Allowed& allowed);

// Whether the contexts name one compiler, runtime, flags and build type, as far as they name them.
bool same_compiler(const results::Document& base, const results::Document& changed);

// Quantities that do not jitter: of equal code on equal data they are equal, run after run.

// What a quantity tells of, and where it comes from.
enum class QuantityFamily {
    model,         // predicted transactions
    registers,     // per thread
    memory,        // static and dynamic shared memory of a block, local memory (spills) of a thread
    instructions,  // machine instructions in the program text, and executed ones that were counted
    counters,      // measured requests, sectors and wavefronts
};
inline constexpr QuantityFamily quantity_families[] = {
    QuantityFamily::model, QuantityFamily::registers, QuantityFamily::memory,
    QuantityFamily::instructions, QuantityFamily::counters};

std::string_view name(QuantityFamily family);  // "model"...

enum class Effect {
    regression,   // more of it
    improvement,  // less of it
    information,  // a change that is not judged
};

struct Change {
    QuantityFamily family = QuantityFamily::model;
    std::string quantity;  // "global_load_sectors", "stencil (1): registers", a metric's name
    double base = 0;
    double changed = 0;
    Effect effect = Effect::information;
};

struct QuantityComparison {
    std::vector<Change> changes;  // in order of family and name
    std::map<QuantityFamily, std::size_t>
        compared;  // how many quantities both files have; 0 left out
    std::map<QuantityFamily, std::size_t> only_in_base;  // quantities that NEW lacks; 0 left out
};

// Compares what both cases have. More of a quantity is a regression, less an improvement: all are
// costs, but `non_redundant_share` of the model, of which more is better. Every comparison is
// exact but that of shared-memory wavefronts that were measured, which also count cycles lost to
// other traffic: between two runs of one program on an H200 they differed by up to 0.33 %, and 2 %
// are allowed. What caches and clocks have a part in (L2, DRAM, hit rates, bank conflicts as
// measured, cycles, durations) is left out. A time that the model predicts is information, from a
// thousandth of difference on. `same_compiler` false: registers, local memory and
// instructions are the compiler's doing, and their changes are information.
QuantityComparison compare_quantities(const results::CaseRecord& base,
                                      const results::CaseRecord& changed, bool same_compiler);

// The share by which measured wavefronts may differ.
inline constexpr double wavefront_tolerance = 0.02;

// Predicted times in two files of models, side by side. They are information: what judges is what
// they follow from.

// Of a generation.
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
    // Whether the intervals have nothing in common.
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

// Of the models that both files have, with a time in each.
PredictedTimes predicted_times(const results::Document& base, const results::Document& changed);

// Two results files compared case by case: what `camber compare` has to say.

// What is compared.
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

}  // namespace camber::comparison
