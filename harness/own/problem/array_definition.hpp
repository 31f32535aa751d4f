// Arrays of a problem, from the `camber:` lines of a kernel's file, the kernels' parameter types,
// the command line and .npy files.
#pragma once

#include <cstddef>
#include <map>
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

}  // namespace camber
