// Command `camber course`: exercises on memory access, graded without a GPU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/course/exercise.hpp"
#include "harness/cli/course/grading.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using namespace course;

struct CourseOptions {
    std::string exercises;  // folder; "": the exercises of the program
    std::string exercise;   // number or name
    std::string folder;
    std::vector<std::string> files;
    std::optional<std::uint64_t> seed;
    std::string out;
    Limits limits;
};

int list_exercises(const CourseOptions& options) {
    TextTable table({"exercise", "name", "what is to be done"}, 3);
    for (const Exercise& exercise : exercises(options.exercises))
        table.add({std::to_string(exercise.number), exercise.name, exercise.summary});
    fmt::print("{}", table.plain());
    return static_cast<int>(ExitCode::success);
}

int start_exercise(const CourseOptions& options) {
    const std::vector<Exercise> all = exercises(options.exercises);
    const Exercise& exercise = exercise_named(all, options.exercise);
    const fs::path folder = options.folder;
    const std::map<std::string, std::string> names{
        {"exercise.html", ""}, {"kernel.cu", ""}, {"reference.cu", ""}};
    for (const auto& [name, text] : names)
        if (fs::exists(folder / name))
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" exists already: choose another folder, so that no work "
                                    "is lost",
                                    (folder / name).string()));
    const std::string page = exercise_page(exercise);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(ExitCode::unavailable, fmt::format("cannot create the folder \"{}\": {}",
                                                       folder.string(), error.message()));
    AtomicFile(folder / "kernel.cu", "kernel's file").replace(exercise.start);
    AtomicFile(folder / "reference.cu", "kernel's file").replace(exercise.reference);
    AtomicFile(folder / "exercise.html", "page").replace(page);
    fmt::print(
        "Exercise {}: {}\n"
        "{}\n\n"
        "  read   {}\n"
        "  edit   {}\n"
        "  grade  camber course grade {}\n",
        exercise.number, exercise.title, exercise.summary, (folder / "exercise.html").string(),
        (folder / "kernel.cu").string(), (folder / "kernel.cu").string());
    return static_cast<int>(ExitCode::success);
}

// Files of the command line, and the .cu files with an exercise line in its folders.
std::vector<fs::path> submissions(const std::vector<std::string>& paths) {
    std::vector<fs::path> files;
    for (const std::string& path : paths) {
        if (!fs::is_directory(path)) {
            files.emplace_back(path);
            continue;
        }
        std::vector<fs::path> found;
        std::error_code error;
        for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
             entry.increment(error))
            if (entry->is_regular_file() && entry->path().extension() == ".cu" &&
                exercise_of(read_file(entry->path(), "submission", "a file of CUDA C++")))
                found.push_back(entry->path());
        if (found.empty())
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" has no file with a line `// camber: exercise N`: give "
                                    "the files that camber course start wrote",
                                    path));
        std::ranges::sort(found);
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

std::uint64_t fresh_seed() {
    // Short enough to be typed.
    return std::random_device{}() % 1'000'000;
}

int grade_submissions(const CourseOptions& options) {
    const std::vector<fs::path> files = submissions(options.files);
    check_files(named(options.files), {{"--out", options.out}});
    std::optional<AtomicFile> out;
    if (!options.out.empty()) out.emplace(options.out, "scores file");
    const std::vector<Exercise> all = exercises(options.exercises);
    const std::uint64_t seed = options.seed.value_or(fresh_seed());
    // All files are read first, so that no class is half graded because of one of them.
    std::vector<const Exercise*> chosen;
    for (const fs::path& file : files) {
        const auto name = exercise_of(read_file(file, "submission", "a file of CUDA C++"));
        if (!name)
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" has no line `// camber: exercise N`: add it, so that "
                                    "the exercise is known",
                                    file.string()));
        try {
            chosen.push_back(&exercise_named(all, *name));
        } catch (const Error& error) {
            throw Error(error.code(), fmt::format("\"{}\": {}", file.string(), error.what()));
        }
    }
    std::map<int, Grader> graders;
    std::vector<Grade> grades;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const fs::path& file = files[i];
        const Exercise& exercise = *chosen[i];
        auto grader = graders.find(exercise.number);
        if (grader == graders.end())
            grader = graders.try_emplace(exercise.number, exercise, seed, options.limits).first;
        grades.push_back(grader->second.grade(file));
        if (grades.size() > 1) fmt::print("\n");
        fmt::print("{}", page_of(grades.back()));
        std::fflush(stdout);
        // A class may be graded for an hour: what is done is saved.
        if (out) out->replace(document_of(grades).dump(2) + "\n");
    }
    if (grades.size() > 1) fmt::print("\n{}", table_of(grades));
    if (out) fmt::print("\nscores: {}\n", options.out);
    return static_cast<int>(std::ranges::all_of(grades, &Grade::passed) ? ExitCode::success
                                                                        : ExitCode::wrong_result);
}

void add_exercises_to(CLI::App& command, CourseOptions& options) {
    command
        .add_option("--exercises", options.exercises,
                    "Folder of exercises in place of the program's own")
        ->type_name("FOLDER")
        ->check(not_empty);
}

}  // namespace

void add_course_command(CLI::App& app, Action& chosen) {
    CLI::App* const command = app.add_subcommand(
        "course", "Ten exercises on memory access, with exact goals; needs no GPU");
    command->require_subcommand(0, 1);
    command->callback([&chosen, command] {
        if (!command->get_subcommands().empty()) return;
        chosen = []() -> int {
            throw Error(ExitCode::usage,
                        "nothing is chosen: choose list, start or grade; see camber course --help");
        };
    });
    auto options = std::make_shared<CourseOptions>();

    CLI::App* const list = command->add_subcommand("list", "List the exercises");
    add_exercises_to(*list, *options);
    list->callback([&chosen, options] { chosen = [options] { return list_exercises(*options); }; });

    CLI::App* const start = command->add_subcommand(
        "start", "Write an exercise into a folder: its page, a starting kernel and a reference");
    start->add_option("exercise", options->exercise, "Number or name of the exercise")
        ->required()
        ->check(not_empty);
    start->add_option("folder", options->folder, "Folder to write to; it is created")
        ->required()
        ->check(not_empty);
    add_exercises_to(*start, *options);
    start->footer(
        "Example:\n"
        "  camber course start 1 coalescing     then read coalescing/exercise.html");
    start->callback(
        [&chosen, options] { chosen = [options] { return start_exercise(*options); }; });

    CLI::App* const grade = command->add_subcommand(
        "grade", "Grade submissions: every cell, races, and the exercise's goals");
    grade
        ->add_option("file", options->files,
                     "Kernels that camber course start wrote, or folders of them")
        ->required()
        ->check(not_empty);
    grade->add_option("--out", options->out, "Write the scores to this JSON file")
        ->type_name("FILE")
        ->check(is_file_name);
    grade->add_option(
        "--seed", options->seed,
        "Repeat the hidden boards and cells of another grading (default: fresh ones)");
    grade
        ->add_option(
            "--timeout", options->limits.timeout,
            "Seconds for a block of threads on the executor, and for a compilation, which has at "
            "least 60")
        ->capture_default_str()
        ->check(CLI::Range(0.1, 3600.0));
    grade
        ->add_option("--cpu-time", options->limits.cpu_seconds,
                     "Seconds of processor time for a submission")
        ->capture_default_str()
        ->check(CLI::Range(1.0, 86400.0));
    grade->add_option("--memory", options->limits.memory_mib, "MiB of memory for a submission")
        ->capture_default_str()
        ->check(CLI::Range(512, 1 << 20));
    add_exercises_to(*grade, *options);
    grade->footer(
        "A submission names its exercise in a line `// camber: exercise N`. It runs in a process\n"
        "of its own. The goals share 100 points, if the result is right and free of races.\n"
        "Exit codes: 0 if all submissions pass, 4 if one does not, 2 for bad input.\n"
        "\n"
        "Examples:\n"
        "  camber course grade coalescing/kernel.cu\n"
        "  camber course grade submissions --out scores.json     a class");
    grade->callback(
        [&chosen, options] { chosen = [options] { return grade_submissions(*options); }; });

    command->footer(
        "Examples:\n"
        "  camber course list\n"
        "  camber course start 1 coalescing\n"
        "  camber course grade coalescing/kernel.cu");
}

}  // namespace camber
