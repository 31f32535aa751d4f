// Command `camber init`: writes a starting point for gates of kernels into another project.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/init/project_texts.hpp"
#include "harness/cli/try/starting_points.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/kernel_reading.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using namespace project_files;

struct Options {
    std::string folder = ".";
    std::vector<std::string> sources;
    std::vector<std::string> binaries;
    bool force = false;
};

// A kernel of the project with the files that gate it.
struct FoundKernel {
    fs::path source;        // relative to the project
    std::string signature;  // "saxpy(float, const float*, float*, int)"
    std::string line;       // launch line; "" if the source has its own
    std::string name;       // of the files that gate it, without ".cu"
    std::string problem;    // reason why camber cannot gate it yet; "" if it can
};

// ---- finding kernels

// Folders without sources of the project: hidden ones, build trees and Python environments.
bool is_foreign(const fs::path& folder) {
    std::error_code error;
    return folder.filename().string().starts_with('.') ||
           fs::exists(folder / "CMakeCache.txt", error) ||
           fs::exists(folder / "pyvenv.cfg", error) || folder.filename() == "node_modules";
}

std::vector<fs::path> sources_below(const fs::path& path, const fs::path& project) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return {path};
    std::vector<fs::path> sources;
    auto entry = fs::recursive_directory_iterator(
        path, fs::directory_options::skip_permission_denied, error);
    if (error)
        throw Error(ExitCode::usage, fmt::format("the folder {} cannot be read: {}; name another",
                                                 path.string(), error.message()));
    for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (error) break;
        check_stop();
        const fs::path& file = entry->path();
        if (entry->is_directory(error)) {
            if (is_foreign(file) || file == project / "camber") entry.disable_recursion_pending();
        } else if (file.extension() == ".cu" || file.extension() == ".cuh") {
            sources.push_back(file);
        }
    }
    std::ranges::sort(sources);
    return sources;
}

// Name for the files of a kernel that no other kernel has: "saxpy", "saxpy_2".
std::string free_name(const std::string& wanted, const std::vector<FoundKernel>& found) {
    std::string name = wanted;
    for (int i = 2; std::ranges::find(found, name, &FoundKernel::name) != found.end(); ++i)
        name = fmt::format("{}_{}", wanted, i);
    return name;
}

std::vector<FoundKernel> kernels_of(const fs::path& project, const Options& options) {
    std::vector<fs::path> places;
    for (const std::string& source : options.sources) {
        const fs::path place = project / source;
        if (!fs::exists(place))
            throw Error(ExitCode::usage,
                        fmt::format("--source is '{}', which {} does not contain: name a .cu file "
                                    "or a folder of the project",
                                    source, project.string()));
        places.push_back(place);
    }
    if (places.empty()) places.push_back(project);
    std::vector<FoundKernel> found;
    for (const fs::path& place : places)
        for (const fs::path& file : sources_below(place, project)) {
            const std::string text = read_file(file, "source", "a file of CUDA C++");
            const fs::path source = file.lexically_relative(project);
            if (text.find("// camber:") != text.npos) {
                found.push_back({source, "its own launch line", "",
                                 free_name(file.stem().string(), found), ""});
                continue;
            }
            const std::vector<Suggestion> suggestions = suggestions_for(without_comments(text));
            for (const Suggestion& one : suggestions) {
                const std::string kernel =
                    one.signature.substr(0, one.signature.find_first_of("<("));
                const std::string stem = file.stem().string();
                const std::string name =
                    suggestions.size() == 1 || stem == kernel ? stem : stem + "_" + kernel;
                found.push_back({source, one.signature, one.line, free_name(name, found), ""});
            }
        }
    if (found.empty() && !options.sources.empty())
        throw Error(
            ExitCode::usage,
            fmt::format("--source is '{}', which has no kernel (`__global__`): name another "
                        "file or folder",
                        fmt::join(options.sources, "' and '")));
    return found;
}

// ---- writing files

void write(const fs::path& project, const fs::path& file, std::string_view text) {
    std::error_code error;
    fs::create_directories((project / file).parent_path(), error);
    if (error)
        throw Error(
            ExitCode::unavailable,
            fmt::format("the folder {} cannot be created: {}; choose another project folder",
                        (project / file).parent_path().string(), error.message()));
    AtomicFile((project / file).string(), "file").replace(text);
}

// Copy that defines the correct result. Its name differs from the gated file's, because `camber
// try` lists both.
fs::path reference_file(const FoundKernel& kernel) {
    return reference_folder / (kernel.name + "_reference.cu");
}

// ---- running camber on the written files, in a process of its own: a kernel may crash

ToolRun run_camber(const fs::path& project, const std::vector<std::string>& arguments,
                   const TemporaryFolder& temporary) {
    constexpr std::chrono::minutes limit{5};
    const ToolRun run =
        run_tool("/proc/self/exe", arguments, limit, {temporary.path().string(), project});
    check_stop();
    return run;
}

// Sentence of camber's error in its output.
std::string sentence_in(const ToolRun& run) {
    if (!run.in_time) return "it does not end within five minutes";
    constexpr std::string_view mark = "camber: ";
    std::istringstream lines(run.output);
    std::string last;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(mark)) last = line.substr(mark.size());
    return last.empty() ? fmt::format("camber ended with exit code {}", run.exit_code) : last;
}

// Reason why the kernel cannot be gated as it is; "" if it can.
std::string problem_of(const fs::path& project, const fs::path& gate,
                       const TemporaryFolder& temporary) {
    const std::string file = gate.generic_string();
    const ToolRun model = run_camber(
        project,
        {"model", "--baseline", (temporary.path() / "one.json").string(), "--candidate", file},
        temporary);
    if (!model.succeeded()) return sentence_in(model);
    const ToolRun check = run_camber(project, {"check", "--candidate", file}, temporary);
    if (check.succeeded()) return "";
    return check.exit_code == static_cast<int>(ExitCode::wrong_result)
               ? fmt::format(
                     "`camber check --candidate {}` finds races or invalid accesses, or the "
                     "launch line is wrong",
                     file)
               : sentence_in(check);
}

// Writes the gate of a kernel, tries it, and moves it if it does not work.
void add_gate(const fs::path& project, FoundKernel& kernel, const TemporaryFolder& temporary) {
    if (kernel.line.empty()) {
        kernel.problem = problem_of(project, kernel.source, temporary);
        return;
    }
    const std::string file = kernel.name + ".cu";
    const fs::path reference = reference_file(kernel);
    const fs::path source = project / kernel.source;
    write(project, reference,
          kernel.line + "\n" +
              with_includes_from(read_file(source, "source", "a file of CUDA C++"), source,
                                 project / reference));
    write(project, kernels_folder / file,
          gate_text(kernel.line, kernel.source, reference_file(kernel), kernels_folder));
    kernel.problem = problem_of(project, kernels_folder / file, temporary);
    if (kernel.problem.empty()) return;
    write(project, unfinished_folder / file,
          gate_text(kernel.line, kernel.source, reference_file(kernel), unfinished_folder));
    fs::remove(project / kernels_folder / file);
}

// ---- the command

// Throws Error(usage) if a file of the starting point exists.
void check_nothing_exists(const fs::path& project) {
    for (const fs::path& path : {fs::path("camber"), workflow_file, action_file}) {
        std::error_code error;
        const fs::path existing = project / path;
        if (!fs::exists(existing, error)) continue;
        if (fs::is_directory(existing, error) && fs::is_empty(existing, error)) continue;
        throw Error(ExitCode::usage,
                    fmt::format("{} exists already: nothing was written; give --force to overwrite "
                                "the files of an earlier init, or remove it",
                                existing.lexically_normal().string()));
    }
}

void check_binaries(const fs::path& project, const Options& options, bool has_inspect) {
    if (options.binaries.empty()) return;
    if (!has_inspect)
        throw Error(ExitCode::unavailable,
                    "--binary needs the command `camber inspect`, which this camber does not have: "
                    "install a newer one, or leave out --binary");
    for (const std::string& binary : options.binaries)
        if (!fs::is_regular_file(project / binary))
            throw Error(
                ExitCode::usage,
                fmt::format("--binary is '{}', which {} does not contain: build it first, or "
                            "name another program or library",
                            binary, project.string()));
}

void print_kernel(const FoundKernel& kernel) {
    const std::string source = kernel.source.generic_string();
    const fs::path& folder = kernel.problem.empty() ? kernels_folder : unfinished_folder;
    const std::string file =
        kernel.line.empty() ? source : (folder / (kernel.name + ".cu")).generic_string();
    fmt::print("{}: {}\n  {} {}\n", source, kernel.signature,
               kernel.problem.empty() ? "gated by" : "to finish in", file);
    if (!kernel.line.empty()) fmt::print("  {}\n", kernel.line);
    if (!kernel.problem.empty()) fmt::print("  {}\n", kernel.problem);
    std::fflush(stdout);
}

// Writes the kernels' files and their baseline; returns the paths to gate.
std::vector<std::string> add_kernels(const fs::path& project, std::vector<FoundKernel>& found,
                                     bool wants_example) {
    const TemporaryFolder temporary("try the kernels of a project");
    std::vector<std::string> gated;
    if (found.empty() && wants_example) {
        const auto& points = starting_points();
        const auto blur = std::ranges::find(points, "blur", &StartingPoint::workload);
        write(project, kernels_folder / "blur.cu",
              "// camber: workload blur\n" + std::string(blur->text));
        gated.push_back(kernels_folder.generic_string());
    }
    for (FoundKernel& kernel : found) {
        add_gate(project, kernel, temporary);
        print_kernel(kernel);
        if (!kernel.problem.empty()) continue;
        const std::string path =
            kernel.line.empty() ? kernel.source.generic_string() : kernels_folder.generic_string();
        if (std::ranges::find(gated, path) == gated.end()) gated.push_back(path);
    }
    if (gated.empty()) return gated;
    std::vector<std::string> arguments{"model", "--baseline", baseline_file.generic_string()};
    for (const std::string& path : gated) {
        arguments.emplace_back("--candidate");
        arguments.push_back(path);
    }
    const ToolRun model = run_camber(project, arguments, temporary);
    if (!model.succeeded())
        throw Error(ExitCode::unavailable,
                    fmt::format("the baseline cannot be written: {}; correct that and repeat `{}`",
                                sentence_in(model), renewing({gated, {}})));
    return gated;
}

void add_binaries(const fs::path& project, const std::vector<std::string>& binaries) {
    if (binaries.empty()) return;
    const TemporaryFolder temporary("inspect the binaries of a project");
    fs::create_directories(project / binaries_folder);
    for (const std::string& binary : binaries) {
        const ToolRun run = run_camber(
            project, {"inspect", binary, "--format", "json", "--out", baseline_of(binary)},
            temporary);
        if (!run.succeeded())
            throw Error(ExitCode::usage, fmt::format("--binary is '{}', which cannot be inspected: "
                                                     "{}",
                                                     binary, sentence_in(run)));
    }
}

int run(const Options& options, bool has_inspect) {
    std::error_code error;
    const fs::path project = fs::absolute(options.folder).lexically_normal();
    if (!fs::is_directory(project, error))
        throw Error(ExitCode::usage,
                    fmt::format("the folder '{}' does not exist: name the folder of a project",
                                options.folder));
    if (!options.force) check_nothing_exists(project);
    check_binaries(project, options, has_inspect);
    std::vector<FoundKernel> found = kernels_of(project, options);
    if (!found.empty() || options.binaries.empty())
        find_gcc();  // throws before anything is written
    Gates gates;
    gates.kernels = add_kernels(project, found, options.binaries.empty());
    gates.binaries = options.binaries;
    add_binaries(project, gates.binaries);
    const auto unfinished = std::ranges::count_if(
        found, [](const FoundKernel& kernel) { return !kernel.problem.empty(); });
    // A folder without gates yet: the first finished kernel fills it.
    if (gates.kernels.empty() && gates.binaries.empty())
        gates.kernels.push_back(kernels_folder.generic_string());
    write(project, "camber/CMakeLists.txt", cmake_text(gates));
    write(project, "camber/README.md", readme_text(gates, !found.empty(), unfinished > 0));
    write(project, workflow_file, workflow_text(gates));
    write(project, action_file, templates::action());

    if (!found.empty())
        fmt::print("\n{} gated, {} to finish\n",
                   static_cast<std::ptrdiff_t>(found.size()) - unfinished, unfinished);
    else if (options.binaries.empty())
        fmt::print("no kernel was found: camber/kernels/blur.cu is an example\n");
    fmt::print(
        "written: camber/, {}, {}\n"
        "next: read camber/README.md, run its gates, and commit these files\n",
        workflow_file.generic_string(), action_file.generic_string());
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_init_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "init", "Write gates for the CUDA kernels of another project into it; needs no GPU");
    auto options = std::make_shared<Options>();
    command->add_option("folder", options->folder, "Folder of the project")
        ->type_name("DIR")
        ->capture_default_str();
    command
        ->add_option("--source", options->sources,
                     "File or folder of the project with kernels, repeatable (default: all .cu and "
                     ".cuh files)")
        ->type_name("PATH")
        ->allow_extra_args(false)
        ->check(not_empty);
    command
        ->add_option("--binary", options->binaries,
                     "Compiled program or library of the project to gate, too; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->check(not_empty);
    command->add_flag("--force", options->force, "Overwrite the files of an earlier init");
    command->footer(
        "Writes camber/ with a file for each kernel, copies that define the correct results, a\n"
        "baseline and CTest entries; and a GitHub workflow with its action. No file of the "
        "project\n"
        "is changed. The launch line of a kernel is guessed from its parameters. A kernel that "
        "does\n"
        "not run with it is put into camber/unfinished/, to be corrected by hand.\n"
        "\n"
        "It runs the project's kernels, with your rights.\n"
        "\n"
        "Exit codes: 0 success, 2 bad input or existing files, 5 no g++, or a file cannot be\n"
        "written.\n"
        "\n"
        "Examples:\n"
        "  camber init                          the project in this folder\n"
        "  camber init ../app --source src/gpu\n"
        "  camber init --binary build/libfft.so   compiled code, too");
    command->callback([&app, &chosen, options] {
        const bool has_inspect =
            !app.get_subcommands([](CLI::App* one) { return one->get_name() == "inspect"; })
                 .empty();
        chosen = [options, has_inspect] { return run(*options, has_inspect); };
    });
}

}  // namespace camber
