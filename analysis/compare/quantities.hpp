// Quantities that do not jitter: of equal code on equal data they are equal, run after run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/case_record.hpp"

namespace camber::compare {

// What a quantity tells of, and where it comes from.
enum class Family {
    model,         // predicted transactions
    registers,     // per thread
    memory,        // static and dynamic shared memory of a block, local memory (spills) of a thread
    instructions,  // machine instructions in the program text, and executed ones that were counted
    counters,      // measured requests, sectors and wavefronts
};
inline constexpr Family families[] = {Family::model, Family::registers, Family::memory,
                                      Family::instructions, Family::counters};

std::string_view name(Family family);  // "model"...

enum class Effect {
    regression,   // more of it
    improvement,  // less of it
    information,  // a change that is not judged
};

struct Change {
    Family family = Family::model;
    std::string quantity;  // "global_load_sectors", "stencil (1): registers", a metric's name
    double base = 0;
    double changed = 0;
    Effect effect = Effect::information;
};

struct QuantityComparison {
    std::vector<Change> changes;                 // in order of family and name
    std::map<Family, std::size_t> compared;      // how many quantities both files have; 0 left out
    std::map<Family, std::size_t> only_in_base;  // quantities that NEW lacks; 0 left out
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

}  // namespace camber::compare
