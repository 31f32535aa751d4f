// Parameters that a candidate's kernels can receive: fields of the board, or arrays, and numbers of the
// workload.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/own/source/directive.hpp"
#include "harness/own/source/expression.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/core/named_arrays.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Fields and numbers that a candidate's kernels can receive.
struct Supply {
    std::string workload;
    std::vector<BoardField> fields;
    std::map<std::string, std::vector<double>, std::less<>> numbers;
    // If the problem is arrays: these and the file's scratch arrays, each of which is also one of
    // `fields` in its storage type; and all numbers by word: "count.x", "shape.x[0]", "alpha".
    std::vector<NamedArray> arrays = {};
    std::map<std::string, ExpressionValue, std::less<>> words = {};

    bool is_board() const { return arrays.empty(); }
};

// Fields and numbers of the workload, and the fields that the file adds. Throws Error(usage) if
// kernels over a board cannot compute the workload's generations, and for added fields that the
// workload has already.
Supply supply_of(const Workload& workload, ElementType cell, const ParameterSet& parameters,
                 const Directives& directives, const std::string& file);

}  // namespace camber
