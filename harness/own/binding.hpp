// What the arguments of a candidate's kernels are: fields of the board, its size, numbers of the
// workload.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/own/source/directive.hpp"
#include "harness/own/source/expression.hpp"
#include "harness/registry/step.hpp"
#include "workloads/core/board_fields.hpp"

namespace camber {

struct Argument {
    enum class Kind {
        input,       // the cells of a field before the launch
        output,      // what the launch makes of them
        in_place,    // cells that the launch reads and changes
        texture_2d,  // of an input
        texture_1d,
        columns,
        rows,
        pitch,  // of a field, in elements
        halo,
        generation,  // counted from 0
        number,
        expression,  // of numbers
    };
    Kind kind = Kind::number;
    std::string text;   // as written
    std::string field;  // of cells, textures and pitches
    // Of a number: what it is called among the workload's, and which one of several; "" for
    // `value`.
    std::string number;
    std::size_t index = 0;
    double value = 0;
    bool whole = false;  // `value` has no fraction, so that `/` divides as for integers
    // The expression, and the meaning of each of its words.
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
    std::vector<FieldUse> fields;  // that it uses, as it does
    std::vector<Argument> grid;    // blocks along x and y; empty: as many as cover the board
};

// How the field's cells begin before a launch of the kernel that writes them.
OutputStart start_of_output(const KernelDirective& directive, std::string_view field);

// What a candidate's kernels can be given.
struct Supply {
    std::string workload;
    std::vector<BoardField> fields;
    std::map<std::string, std::vector<double>, std::less<>> numbers;
};

// The workload's fields and numbers, and the fields that the file adds. Throws Error(usage) where
// generations of the workload take more than kernels over a board, and for fields that it has
// already.
Supply supply_of(const Workload& workload, ElementType cell, const ParameterSet& parameters,
                 const Directives& directives, const std::string& file);

// Throws Error(usage) with the place for arguments that mean nothing, and for a file none of whose
// kernels writes what a generation writes.
std::vector<BoundKernel> bind_kernels(const Directives& directives, const Supply& supply,
                                      const std::string& file);

}  // namespace camber
