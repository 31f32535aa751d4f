#include "harness/cli/common/problem_options.hpp"

#include <CLI/CLI.hpp>

#include "harness/cli/common/option_values.hpp"

namespace camber {

void OwnProblemOptions::add_reference_to(CLI::App& command) {
    command
        .add_option("--reference", reference,
                    "Replaces the workload: a kernel that defines correct results, a library (.so) "
                    "with a C function, or the folder of a captured launch (default: what lines "
                    "// camber: reference FILE say)")
        ->type_name("FILE")
        ->check(not_empty);
}

void OwnProblemOptions::add_arrays_to(CLI::App& command) {
    command
        .add_option("--fill", fill,
                    "With --reference: initial values of fields without --input: random "
                    "(numbers from 0 to 1, integers to 255) or zeros")
        ->capture_default_str()
        ->check(CLI::IsMember({"random", "zeros"}));
    command
        .add_option("--shape", shapes,
                    "Shape of an array, the slowest dimension first: u=64x64x128; repeatable "
                    "(default: what lines // camber: shape and .npy files say)")
        ->type_name("NAME=SHAPE")
        ->allow_extra_args(false)
        ->check(not_empty);
    command
        .add_option("--scalar", scalars,
                    "A number that camber: lines use by name: alpha=2.5; repeatable")
        ->type_name("NAME=NUMBER")
        ->allow_extra_args(false)
        ->check(not_empty);
}

void OwnProblemOptions::add_comparison_to(CLI::App& command) {
    command
        .add_option("--tolerance", tolerance,
                    "With --reference: how far a cell may be off, as a share of the right value or "
                    "as a number (default: 1e-5 for float, 1e-12 for double, each generation); "
                    "whole numbers must agree")
        ->check(is_within(0, 1e300));
    command
        .add_option("--expect", expected,
                    "An output's right values (.npy), in the place of --reference; repeatable")
        ->type_name("NAME=FILE")
        ->allow_extra_args(false)
        ->check(not_empty);
    command
        .add_option("--compare", rules,
                    "How an output array is compared: [NAME=]exact, abs:1e-3, rel:1e-5 or ulp:4, "
                    "joined by +, with nan:equal if NaN is right where NaN is expected; repeatable "
                    "(default: --tolerance; NaN fails)")
        ->type_name("[NAME=]RULE")
        ->allow_extra_args(false)
        ->check(not_empty);
}

void OwnProblemOptions::add_problem_to(CLI::App& command) {
    add_reference_to(command);
    command
        .add_option("--input", inputs,
                    "With --reference: NumPy arrays (.npy) for the fields that it reads, in the "
                    "order of its arguments or as NAME=FILE, with commas between them")
        ->type_name("FILE,...")
        ->allow_extra_args(false)
        ->check(not_empty);
    add_arrays_to(command);
}

void OwnProblemOptions::add_to(CLI::App& command) {
    add_problem_to(command);
    add_comparison_to(command);
    command
        .add_option("--out-npy", output,
                    "With --reference: write FILE's result as a NumPy array; of several fields "
                    "each, with its name behind the file's")
        ->type_name("FILE")
        ->check(is_file_name);
}

void OwnProblemOptions::add_rare_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(problem_group);
    add_reference_to(command);
    groups.rare(problem_group);
    add_arrays_to(command);
    add_comparison_to(command);
}

bool OwnProblemOptions::is_given() const {
    const OwnProblemOptions usual;
    return !reference.empty() || !expected.empty() || !shapes.empty() || !scalars.empty() ||
           !rules.empty() || !inputs.empty() || fill != usual.fill || tolerance != usual.tolerance;
}

}  // namespace camber
