// The lines of a kernel's file that say how it is launched:
//
//     // camber: step(in, out, columns, rows, pitch) block=32x8 cells=1x1 halo=1 align=128
//     // camber: field tmp float32 outside=0
//     // camber: workload blur
//     // camber: reference plain.cu
//     // camber: size 512x512
//
// The first kind names a kernel and what its arguments are; several, in the order in which they
// run, make a generation. The second adds a field to those of the workload. The third says which
// workload the kernels compute, or the fourth which other kernel's file says what is right. The
// fifth is the only board that the kernels are for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/own/source/settings.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// Contents of an output before a launch.
enum class OutputStart {
    undefined,  // nothing: the kernel writes every cell
    zeros,
    copy,  // of the field's own cells before the launch, or of the kernel's only input
};

struct KernelDirective {
    int line = 0;        // of the file, from 1 on
    std::string kernel;  // "step" or, of a template, "step<float, 32>"
    std::vector<std::string> arguments;
    Region block;
    Region region;  // cells that a block computes
    int halo = 0;
    int alignment = 0;  // bytes
    int generations = 1;
    std::size_t shared_bytes = 0;  // dynamic, per block
    // True if blocks may reach beyond the board's edge; absent if the line does not say.
    std::optional<bool> overhang;
    // Blocks of the launch along x and y, as expressions; empty: as many as cover the board.
    std::vector<std::string> grid;
    // Start of outputs by field name; "" is for all others.
    std::vector<std::pair<std::string, OutputStart>> outputs;
    bool cooperative = false;  // whether all blocks are resident at once, in a row
    Arithmetic arithmetic = Arithmetic::reordered;
    Settings settings;  // from outside
    // __constant__ arrays, and the values of the workload that they are filled with.
    std::vector<std::pair<std::string, std::string>> constants;

    // Without the arguments of the template: "step".
    std::string function() const { return kernel.substr(0, kernel.find('<')); }
    // The same without namespaces.
    std::string plain_function() const {
        const std::string name = function();
        const std::size_t scope = name.rfind("::");
        return scope == name.npos ? name : name.substr(scope + 2);
    }
};

struct FieldDirective {
    int line = 0;
    std::string name;
    ElementType element = ElementType::float32;
    double outside = 0;  // beyond the board's edge
};

struct Directives {
    std::vector<KernelDirective> kernels;
    std::vector<FieldDirective> fields;
    std::string workload;  // "" where the file does not say
    int workload_line = 0;
    std::string reference;  // a file, relative to this one; "" if the file does not say
    int reference_line = 0;
    std::optional<Size> size;  // the only board; absent: any
};

// Reads the `camber:` lines of `text`. Keys among the settings take the place of what the lines of
// all kernels say; macros stand for their numbers. There may be no kernel. Throws Error(usage) with
// "`file`:LINE" for what cannot be meant.
Directives parse_directives(std::string_view text, const std::string& file,
                            const Settings& settings = {});
// The same with the macros of `code`, which has the included files as well.
Directives parse_directives(std::string_view text, std::string_view code, const std::string& file,
                            const Settings& settings);

}  // namespace camber
