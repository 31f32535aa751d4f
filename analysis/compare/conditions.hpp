// Whether two results files measured the same under the same conditions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/record/document.hpp"

namespace camber::compare {

// What may be allowed to differ, by name; the last five are the families of quantities, whose
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

}  // namespace camber::compare
