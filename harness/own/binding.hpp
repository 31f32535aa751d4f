// Fields, arrays and numbers that a candidate's kernels can receive, and the meaning of the kernels'
// arguments.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/own/source/directive.hpp"
#include "harness/own/source/expression.hpp"
#include "harness/registry/step.hpp"
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

struct Argument {
    enum class Kind {
        input,       // the cells of a field before the launch
        output,      // the cells after the launch
        in_place,    // cells that the launch reads and changes
        texture_2d,  // texture of an input field
        texture_1d,
        columns,
        rows,
        pitch,  // pitch of a field, in elements
        halo,
        generation,  // counted from 0
        number,
        expression,  // arithmetic on numbers
    };
    Kind kind = Kind::number;
    std::string text;   // as written
    std::string field;  // for cells, textures and pitches
    // For numbers: name of the workload's number and index in it; "" for the literal `value`.
    std::string number;
    std::size_t index = 0;
    double value = 0;
    bool whole = false;  // `value` has no fraction, so that `/` divides as for integers
    // The expression, and the meanings of its words.
    std::shared_ptr<const Expression> expression;
    std::vector<Argument> words;

    bool is_pointer() const {
        return kind == Kind::input || kind == Kind::output || kind == Kind::in_place;
    }
    bool is_texture() const { return kind == Kind::texture_2d || kind == Kind::texture_1d; }
};

struct BoundKernel {
    KernelDirective directive;
    std::vector<Argument> arguments;
    std::vector<FieldUse> fields;  // fields that the kernel accesses, and how
    std::vector<Argument> grid;    // blocks along x, y and z; empty: enough to cover the board
};

// Contents of the field before a launch of the kernel that writes it.
OutputStart start_of_output(const KernelDirective& directive, std::string_view field);

// Throws Error(usage) with the source location for meaningless arguments, and if no kernel of the
// file writes the fields that a generation must write.
std::vector<BoundKernel> bind_kernels(const Directives& directives, const Supply& supply,
                                      const std::string& file);

}  // namespace camber
