// `camber:` lines of a kernel's file, which specify how its kernels are launched:
//
//     // camber: step(in, out, columns, rows, pitch) block=32x8 cells=1x1 halo=1 align=128
//     // camber: field tmp float32 outside=0
//     // camber: workload blur
//     // camber: reference plain.cu
//     // camber: size 512x512
//     // camber: exercise 1
//     // camber: capture block=32x8
//     // camber: shape u=64x64x64 v=u partial=(count.u+255)/256
//     // camber: scratch partial float32 4096
//     // camber: fill columns=(i*37)%count.x
//     // camber: scalar alpha=2.5
//
// The first kind names a kernel and the meaning of its arguments; several such lines form a
// generation in their order. The second adds a field to those of the workload. The third names the
// workload that the kernels compute; alternatively, the fourth names another kernel's file that
// defines the correct result. The fifth states the only board size that the kernels support. The
// sixth names an exercise of the course, to which the file is a solution. The seventh is the launch
// of a candidate for a captured kernel, which other commands ignore. The others are for
// problems of named arrays instead of a board: shapes, arrays that the kernels pass to each other,
// initial values (`i`: index of the element) and named numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
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
    undefined,  // undefined: the kernel writes every cell
    zeros,
    copy,  // copy of the field's own cells before the launch, or of the kernel's only input
};

struct KernelDirective {
    int line = 0;        // line number in the file, from 1
    std::string kernel;  // "step" or, for a template, "step<float, 32>"
    std::vector<std::string> arguments;
    Region block;
    int block_depth = 1;  // threads along z
    Region region;        // cells that a block computes
    int halo = 0;
    int alignment = 0;  // bytes
    int generations = 1;
    std::size_t shared_bytes = 0;  // dynamic, per block
    // True if blocks may extend beyond the board's edge; absent if the line does not say.
    std::optional<bool> overhang;
    // Number of blocks along x, y and z, as expressions; empty: enough to cover the board.
    std::vector<std::string> grid;
    // Initial contents of outputs by field name; "" applies to all others.
    std::vector<std::pair<std::string, OutputStart>> outputs;
    bool cooperative = false;  // cooperative launch: a 1D grid of simultaneously resident blocks
    Arithmetic arithmetic = Arithmetic::reordered;
    Settings settings;  // from the command line
    // __constant__ arrays and the workload's numbers that fill them.
    std::vector<std::pair<std::string, std::string>> constants;

    int threads() const { return block.columns * block.rows * block_depth; }
    // "32x8", or "8x8x4" if the block has threads along z.
    std::string block_name() const {
        return block_depth == 1 ? block.name() : block.name() + "x" + std::to_string(block_depth);
    }
    // Function name without template arguments: "step".
    std::string function() const { return kernel.substr(0, kernel.find('<')); }
    // Function name without template arguments and namespaces.
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
    double outside = 0;  // value beyond the board's edge
};

// NAME=TEXT of a line `shape`, `fill` or `scalar`.
struct NamedText {
    int line = 0;
    std::string name;
    std::string text;
};

struct ScratchDirective {
    int line = 0;
    std::string name;
    std::string type;  // "float32", "uint8x4"
    std::string shape;
};

struct Directives {
    std::vector<KernelDirective> kernels;
    std::vector<FieldDirective> fields;
    std::vector<NamedText> shapes;
    std::vector<NamedText> fills;
    std::vector<NamedText> scalars;
    std::vector<ScratchDirective> scratch;
    std::string workload;  // "" if the file does not say
    int workload_line = 0;
    std::string reference;  // path relative to this file; "" if the file does not say
    int reference_line = 0;
    std::optional<Size> size;  // the only supported board size; absent: any
};

// Splits "64", "64x8x2" or expressions such as "(columns+255)/256" and "(columns)x(rows/8)" at
// every 'x' between two numbers or brackets.
std::vector<std::string> split_extents(std::string_view value);

class LineReader;
using Macros = std::map<std::string, std::string, std::less<>>;  // numbers by name

// Parses a kernel's line after the kernel's name.
KernelDirective parse_kernel(LineReader& reader, std::string kernel, int line,
                             const Settings& settings, const Macros& macros);

// Parses the value "32x8" or "256" of a key.
Region parse_region(const std::string& key, const std::string& value, const LineReader& reader);

// True if the lines describe arrays: shapes, scratch arrays, or words such as count.x.
bool describe_arrays(const Directives& directives);

// Parses the `camber:` lines of `text`. Settings override the keys of all kernels' lines; macros
// are replaced by their numbers. The result may have no kernel. Throws Error(usage) with
// "`file`:LINE" for invalid lines.
Directives parse_directives(std::string_view text, const std::string& file,
                            const Settings& settings = {});
// The same with macros from `code`, which also contains the included files.
Directives parse_directives(std::string_view text, std::string_view code, const std::string& file,
                            const Settings& settings);

}  // namespace camber
