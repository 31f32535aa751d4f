// Meaning of the arguments of a candidate's kernels: fields of the board, its size, and numbers of
// the workload.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/own/source/directive.hpp"
#include "harness/own/source/expression.hpp"
#include "harness/own/supply.hpp"
#include "harness/registry/step.hpp"

namespace camber {

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
