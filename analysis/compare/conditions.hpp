// Whether two results files measured the same under the same conditions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/result_set.hpp"

namespace camber::compare {

// What may differ where --allow names it, by that name; the last five are the families of
// quantities, whose changes are then shown and not judged.
inline constexpr std::string_view allowances[] = {
    "gpu",     "driver",    "workloads",   "size",         "cell",       "boundary",
    "backend", "seed",      "generations", "arch",         "parameters", "missing",
    "model",   "registers", "memory",      "instructions", "counters"};

// The names given, checked; "all" stands for every one.
class Allowed {
  public:
    // Throws Error(usage) for an unknown name.
    explicit Allowed(const std::vector<std::string>& names);
    Allowed() = default;
    bool contains(std::string_view what) const;

  private:
    std::vector<std::string> names_;
};

// Two cases that are one and the same in two files.
struct Pair {
    const results::Case* base = nullptr;
    const results::Case* changed = nullptr;
};

struct Matches {
    std::vector<Pair> pairs;  // in the order of BASE
    std::vector<const results::Case*> only_in_base;
    std::vector<const results::Case*> only_in_new;
    std::vector<std::string> differences;  // that were allowed, one sentence each
};

// Pairs the cases by name and checks that they can be compared: the same GPU (name, compute
// capability, SMs), driver, workloads; and per pair size, cell, boundary, backend, seed,
// generations, the compute capability whose rules the model applied (arch), parameters of the
// workload. Where a size, cell, backend or boundary may differ, it counts as no part of a name.
// Conditions that a file does not state are not compared. Throws Error(incomparable), naming both
// values, for a difference that is not allowed, and where no case is in both files.
Matches match(const results::ResultSet& base, const results::ResultSet& changed,
              const Allowed& allowed);

// Whether the contexts name one compiler, runtime, flags and build type, as far as they name them.
bool same_compiler(const results::ResultSet& base, const results::ResultSet& changed);

}  // namespace camber::compare
