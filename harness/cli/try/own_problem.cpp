#include "harness/cli/try/own_problem.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/candidate/own/own_workload.hpp"
#include "harness/cli/common/checks.hpp"
#include "harness/run/case_runner.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

std::vector<std::string> split(const std::vector<std::string>& lists) {
    std::vector<std::string> parts;
    for (const std::string& list : lists)
        for (std::size_t start = 0; start <= list.size();) {
            const std::size_t end = std::min(list.find(',', start), list.size());
            if (end == start)
                throw Error(ExitCode::usage,
                            fmt::format("--input {} lacks a file between two commas: write for "
                                        "example --input a.npy,b.npy",
                                        list));
            parts.push_back(list.substr(start, end - start));
            start = end + 1;
        }
    return parts;
}

}  // namespace

void OwnProblemOptions::add_to(CLI::App& command) {
    CLI::Option* const kernel =
        command
            .add_option("--reference", reference,
                        "A kernel that defines what is right, in the place of a workload: a file "
                        "as FILE is, whose arguments FILE's kernels have, too")
            ->type_name("FILE")
            ->check(not_empty);
    command
        .add_option("--input", inputs,
                    "With --reference: NumPy arrays (.npy) for the fields that it reads, in the "
                    "order of its arguments or as NAME=FILE, with commas between them")
        ->type_name("FILE,...")
        ->needs(kernel)
        ->allow_extra_args(false)
        ->check(not_empty);
    command
        .add_option("--fill", fill,
                    "With --reference: what fields have that no --input is given for: random "
                    "(numbers from 0 to 1, whole ones to 255) or zeros")
        ->needs(kernel)
        ->capture_default_str()
        ->check(CLI::IsMember({"random", "zeros"}));
    command
        .add_option("--tolerance", tolerance,
                    "With --reference: how far a cell may be off, as a share of the right value or "
                    "as a number (default: 1e-5 for float, 1e-12 for double, each generation); "
                    "whole numbers must agree")
        ->needs(kernel)
        ->check(is_within(0, 1e300));
    command
        .add_option("--out-npy", output,
                    "With --reference: write FILE's result as a NumPy array; of several fields "
                    "each, with its name behind the file's")
        ->type_name("FILE")
        ->needs(kernel)
        ->check(is_file_name);
}

void take_own_problem(const OwnProblemOptions& options, RunOptions& run) {
    if (options.reference.empty()) return;
    if (!run.workload.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--reference {} defines what is computed, and so does --workload "
                                "{}: leave out one",
                                options.reference, run.workload));
    OwnProblem problem;
    problem.reference = options.reference;
    problem.inputs = split(options.inputs);
    problem.fill = options.fill == "zeros" ? OwnProblem::Fill::zeros : OwnProblem::Fill::random;
    if (options.tolerance >= 0) problem.tolerance = options.tolerance;
    problem.options.limit = std::chrono::duration<double>(run.timeout);
    auto workload = OwnWorkload::make(problem);
    const std::optional<Size> size = workload->size();
    if (size && run.size.empty()) run.size = fmt::format("{}x{}", size->columns, size->rows);
    if (run.generations == 0) run.generations = 1;
    run.workload = add_workload(std::move(workload)).name();
}

void write_result(const Study& study, const Variant& variant, const std::string& path) {
    const auto queue = open_queue(study);
    queue->set_label(variant.info.name());
    const auto execution = variant.factories.at(study.backend)(*queue, study.problem);
    State state = study.workload->initial(study.initial);
    execution->upload(state);
    execution->advance(study.generations);
    queue->synchronize();
    execution->download(state);
    study.workload->save(state, path, {});
}

}  // namespace camber
