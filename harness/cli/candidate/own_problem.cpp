#include "harness/cli/candidate/own_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/captured_problem.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/own/problem/array_workload.hpp"
#include "harness/own/source/settings.hpp"
#include "workloads/core/named_arrays.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

std::vector<std::string> split_lists(const std::vector<std::string>& lists) {
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

std::string text_of(const std::optional<Size>& size) {
    return size ? fmt::format("{}x{}", size->columns, size->rows) : "";
}

// The problem's workload, created only once because variants refer to it.
struct KnownProblem {
    std::filesystem::path reference;
    OwnProblemOptions options;
    std::filesystem::path definition;
    std::optional<Size> size;
    std::string name;
    bool arrays = false;

    bool is_of(const OwnProblemOptions& own, const std::filesystem::path& file,
               const std::filesystem::path& defining) const {
        return reference == file && definition == defining && options.inputs == own.inputs &&
               options.fill == own.fill && options.tolerance == own.tolerance &&
               options.shapes == own.shapes && options.scalars == own.scalars &&
               options.expected == own.expected && options.rules == own.rules;
    }
};

const KnownProblem& known_problem(const OwnProblemOptions& own, const RunOptions& run) {
    static std::deque<KnownProblem> known;
    std::error_code error;
    const std::filesystem::path file = std::filesystem::weakly_canonical(own.reference, error);
    // The first candidate's lines name the arrays if no reference kernel does.
    const bool is_kernel = !own.reference.empty() && !own.reference.ends_with(".so");
    const std::filesystem::path definition =
        is_kernel || run.candidates.empty() ? std::filesystem::path()
                                            : kernel_files(run.candidates.front()).front();
    for (const KnownProblem& one : known)
        if (one.is_of(own, file, definition)) return one;
    OwnProblem problem;
    problem.reference = own.reference;
    problem.inputs = split_lists(own.inputs);
    problem.fill = own.fill == "zeros" ? OwnProblem::Fill::zeros : OwnProblem::Fill::random;
    if (own.tolerance >= 0) problem.tolerance = own.tolerance;
    problem.options.limit = std::chrono::duration<double>(run.timeout);
    problem.options.settings = compiler_flags(run.definitions, run.include_folders);
    problem.shapes = own.shapes;
    problem.scalars = own.scalars;
    problem.expected = own.expected;
    problem.rules = own.rules;
    problem.definition = definition;
    std::unique_ptr<Workload> workload;
    std::optional<Size> size;
    const bool captured = capture::names_captured_launch(own.reference);
    const bool arrays = captured || is_array_problem(problem);
    if (captured) {
        refuse_kernel_options(own);
        auto launch = captured_workload(own.reference);
        size = launch->board();
        workload = std::move(launch);
    } else if (arrays) {
        auto own_arrays = ArrayWorkload::make(problem);
        size = own_arrays->board();
        workload = std::move(own_arrays);
    } else {
        auto own_board = OwnWorkload::make(problem);
        size = own_board->size();
        workload = std::move(own_board);
    }
    const std::string name(workload->name());
    for (const KnownProblem& other : known)
        if (other.name == name)
            throw Error(ExitCode::usage,
                        fmt::format("references {} and {} would both be called {}: rename one of "
                                    "the two",
                                    other.reference.string(), file.string(), name));
    add_workload(std::move(workload));
    return known.emplace_back(KnownProblem{file, own, definition, size, name, arrays});
}

void take_own_problem(const OwnProblemOptions& own, RunOptions& run) {
    const KnownProblem& problem = known_problem(own, run);
    if (problem.arrays && !run.size.empty() && run.size != text_of(problem.size))
        throw Error(ExitCode::usage,
                    fmt::format("{} consists of arrays, whose shapes --size {} does not determine: "
                                "give --shape NAME=64x64 instead",
                                problem.name, run.size));
    // Longer sides are no sizes of boards: study_from() takes them from the arrays.
    constexpr int longest_side = 1 << 25;
    const bool is_board =
        problem.size && problem.size->columns <= longest_side && problem.size->rows <= longest_side;
    if (is_board && run.size.empty())
        run.size = fmt::format("{}x{}", problem.size->columns, problem.size->rows);
    if (run.generations == 0) run.generations = 1;
    run.workload = problem.name;
}

// Combines the problems that the files declare.
SaidProblem problem_of_files(const RunOptions& run) {
    SaidProblem all;
    std::string first;  // file with the first declaration
    RunOptions plain = run;
    plain.sweeps.clear();
    for (const CandidatePoint& point : candidate_points(plain)) {
        const SaidProblem said = problem_said_by(point.file, point.settings);
        const auto differ = [](const std::string& a, const std::string& b) {
            return !a.empty() && !b.empty() && a != b;
        };
        if (differ(all.reference, said.reference) || differ(text_of(all.size), text_of(said.size)))
            throw Error(ExitCode::usage,
                        fmt::format("{} and {} are for different problems by their lines camber: "
                                    "{}: give one at a time",
                                    first, point.file.string(),
                                    differ(all.reference, said.reference) ? "reference" : "size"));
        if (first.empty()) first = point.file.string();
        if (all.workload.empty()) all.workload = said.workload;
        if (all.reference.empty()) all.reference = said.reference;
        if (!all.size) all.size = said.size;
    }
    return all;
}

}  // namespace

void refuse_two_problems(const OwnProblemOptions& own, bool workload_given, const RunOptions& run) {
    if (workload_given && !own.expected.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--expect {} defines what is right, and so does --workload {}: "
                                "leave out one",
                                own.expected.front(), run.workload));
    if (workload_given && !own.reference.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--reference {} defines what is computed, and so does --workload "
                                "{}: leave out one",
                                own.reference, run.workload));
}

void refuse_kernel_options(const OwnProblemOptions& own) {
    for (const auto* const option : {&own.inputs, &own.shapes, &own.scalars, &own.rules})
        if (!option->empty())
            throw Error(ExitCode::usage,
                        fmt::format("{} is of a kernel's problem, and {} is a captured launch: "
                                    "leave it out",
                                    option->front(), own.reference));
}

std::string reference_of_files(const RunOptions& run) {
    return run.candidates.empty() ? "" : problem_of_files(run).reference;
}

void choose_problem(OwnProblemOptions& own, bool workload_given, RunOptions& run) {
    refuse_two_problems(own, workload_given, run);
    if (!run.candidates.empty() && !capture::names_captured_launch(own.reference)) {
        const SaidProblem said = problem_of_files(run);
        if (own.reference.empty() && own.expected.empty() && !workload_given) {
            own.reference = said.reference;
            if (!said.workload.empty()) run.workload = said.workload;
        }
        if (run.size.empty()) run.size = text_of(said.size);
    }
    if (!own.reference.empty() || !own.expected.empty()) return take_own_problem(own, run);
    const char* const without = !own.inputs.empty()    ? "--input"
                                : !own.shapes.empty()  ? "--shape"
                                : !own.scalars.empty() ? "--scalar"
                                : !own.rules.empty()   ? "--compare"
                                : own.fill != "random" ? "--fill"
                                : own.tolerance >= 0   ? "--tolerance"
                                : !own.output.empty()  ? "--out-npy"
                                                       : nullptr;
    if (without)
        throw Error(
            ExitCode::usage,
            fmt::format("{} means nothing without a reference: give --reference FILE", without));
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

namespace {

constexpr std::int64_t most_checked_cells = 1 << 18;  // a few seconds on one CPU core
constexpr const char* odd_board = "70x50";            // not divisible by common block shapes
constexpr const char* even_board = "768x48";          // divisible by most block shapes

bool divide(const std::vector<Region>& regions, Size size) {
    return std::ranges::all_of(regions, [&](const Region& region) {
        return size.columns % region.columns == 0 && size.rows % region.rows == 0;
    });
}

std::int64_t common_multiple(const std::vector<Region>& regions, int Region::*extent) {
    constexpr std::int64_t most = 1 << 16;
    std::int64_t multiple = 1;
    for (const Region& region : regions)
        if (region.*extent > 0)
            multiple = std::min(std::lcm(multiple, std::int64_t{region.*extent}), most);
    return multiple;
}

// Returns the largest number up to `most` that differs from `extent` by a multiple of `step`; if
// there is no positive one, the smallest positive such number.
int reduced(int extent, std::int64_t step, std::int64_t most) {
    if (extent <= most) return extent;
    const std::int64_t steps = (extent - std::max<std::int64_t>(most, 1) + step - 1) / step;
    const std::int64_t smaller = extent - steps * step;
    return static_cast<int>(smaller > 0 ? smaller : smaller + step);
}

// Problem that a file of run.candidates declares.
struct SaidOfFile {
    std::string file;
    SaidProblem said;
};
std::vector<SaidOfFile> said_of_files(const RunOptions& run) {
    std::vector<SaidOfFile> all;
    for (const CandidatePoint& point : candidate_points(run))
        if (all.empty() || all.back().file != point.file.string())
            all.push_back({point.file.string(), problem_said_by(point.file, point.settings)});
    return all;
}

}  // namespace

Size board_like(Size size, const std::vector<Region>& regions, std::int64_t most_cells) {
    if (size.cells() <= most_cells) return size;
    const std::int64_t columns = common_multiple(regions, &Region::columns);
    const std::int64_t rows = common_multiple(regions, &Region::rows);
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(most_cells)));
    // Preserves the orientation of a board that is much wider or higher than a square.
    Size board;
    board.rows = reduced(size.rows, rows, std::max(side, most_cells / size.columns));
    board.columns = reduced(size.columns, columns, most_cells / board.rows);
    board.rows = reduced(size.rows, rows, most_cells / board.columns);
    return board;
}

std::vector<RunOptions> checks_after(const RunOptions& run, Size verified,
                                     const std::vector<Region>& regions) {
    const Workload* const workload = find_workload(run.workload);
    const bool arrays = workload && named_arrays_of(*workload);
    const Size board = arrays ? verified : board_like(verified, regions, most_checked_cells);
    const std::string size = fmt::format("{}x{}", board.columns, board.rows);
    RunOptions checked = run;
    checked.variants.clear();
    checked.backend = name(Backend::simt);
    checked.size = size;
    checked.input.clear();
    checked.generations = 0;
    // Kernels may have a separate code path for boards that their blocks divide, so the other kind
    // of board is checked, too.
    RunOptions other = checked;
    other.size = divide(regions, board) ? odd_board : even_board;
    other.candidates.clear();
    std::vector<std::string> outputs;
    for (const SaidOfFile& one : said_of_files(run)) {
        if (one.said.takes_any_size && !arrays) other.candidates.push_back(one.file);
        for (const std::string& output : one.said.outputs)
            if (std::ranges::find(outputs, output) == outputs.end()) outputs.push_back(output);
    }
    if (arrays)
        fmt::print("{}", arrays_text(*named_arrays_of(*workload)));
    else
        fmt::print("boards: {}", size);
    if (board == verified)
        fmt::print(", as verified");
    else
        fmt::print(" in place of {}x{}, which takes too long here; blocks fit both alike",
                   verified.columns, verified.rows);
    if (!other.candidates.empty())
        fmt::print("; {} (overhang=yes)", other.size);
    else if (!arrays)
        fmt::print("; no other one, because no line says overhang=yes");
    if (outputs.empty())
        fmt::print("\noutputs before a launch: undefined\n");
    else
        fmt::print("\noutputs before a launch: {}\n", fmt::join(outputs, ", "));
    std::vector<RunOptions> checks{checked};
    if (!other.candidates.empty() && size != other.size) checks.push_back(other);
    return checks;
}

std::string sizes_to_check(const RunOptions& run) {
    if (run.candidates.empty()) return "";
    for (const SaidOfFile& one : said_of_files(run))
        if (!one.said.takes_any_size) return even_board;
    return "";
}

}  // namespace camber
