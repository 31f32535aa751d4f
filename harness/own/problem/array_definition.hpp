// Arrays of a problem, from the `camber:` lines of a kernel's file, the kernels' parameter types,
// the command line and .npy files, and the comparison rules of its outputs ("y=ulp:4+nan:equal").
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/own/array_shapes.hpp"
#include "harness/own/problem/own_workload.hpp"
#include "harness/own/source/source.hpp"
#include "workloads/core/named_arrays.hpp"

namespace camber {

struct ArrayDefinition {
    std::vector<NamedArray> arrays;
    NamedNumbers scalars;
    // Elements of the arrays that files contain.
    std::map<std::string, std::vector<std::byte>> inputs;
    std::map<std::string, std::vector<std::byte>> expected;
    // Initial values as functions of the element's index `i`.
    std::map<std::string, Expression> fills;
    Words words;  // for these expressions
};

// `source`: the file of the reference or of the candidate. Throws Error(usage) for contradictory or
// missing shapes, unknown names and unusable types.
ArrayDefinition define_arrays(const OwnProblem& problem, const CandidateSource& source);

// Rule of each output. `texts`: [NAME=]PART[+PART...] with the parts exact, abs:NUMBER, rel:NUMBER,
// ulp:NUMBER, nan:equal and nan:fail; without a name for all outputs. `tolerance`: absolute and
// relative tolerance of floating-point outputs without a rule; absent: by type. Throws Error(usage)
// for invalid texts and unknown names.
std::map<std::string, ArrayRule, std::less<>> array_rules(const std::vector<NamedArray>& arrays,
                                                          const std::vector<std::string>& texts,
                                                          std::optional<double> tolerance);

}  // namespace camber
