#include "harness/cli/candidate/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/own/candidate_variant.hpp"
#include "harness/own/launch_library.hpp"
#include "harness/own/technique/technique_variants.hpp"

namespace camber {

namespace {

// Names of the candidate's variants that are already registered.
std::vector<std::string> registered(const std::string& origin, const Workload& workload,
                                    ElementType cell) {
    std::vector<std::string> names;
    for (const Variant& variant : registry().variants())
        if (variant.file == origin && variant.info.workload == workload.name() &&
            variant.info.cell == cell)
            names.push_back(variant.info.name());
    return names;
}

// Throws Error(usage) for settings that apply only to kernels if `file` is not a kernel.
void check_settings(const RunOptions& options, const std::filesystem::path& file) {
    const bool flags = !options.definitions.empty() || !options.include_folders.empty() ||
                       !options.settings.empty();
    if (flags && kind_of(file) != FileKind::kernel)
        throw Error(ExitCode::usage,
                    fmt::format("--set, -D and -I are for kernels' files, and {} is none: leave "
                                "them out",
                                file.string()));
    if (options.sweeps.empty() || kind_of(file) == FileKind::kernel) return;
    throw Error(
        ExitCode::usage,
        fmt::format("--sweep sets what a kernel's line and macros say, and {} {}: leave out "
                    "--sweep",
                    file.string(),
                    kind_of(file) == FileKind::library ? "is compiled already"
                                                       : "lists its shapes in add()"));
}

// Problem of a file without a kernel's line, which is for a captured launch; nullopt for other
// files.
std::optional<SaidProblem> captured_problem_of(const std::filesystem::path& file,
                                               const Settings& settings) {
    const Directives lines = parse_directives(
        read_file(file, "kernel's file", "a file of CUDA C++"), file.string(), settings);
    if (!lines.kernels.empty()) return std::nullopt;
    if (has_any_candidate_maker() || lines.reference.empty())
        return has_any_candidate_maker() ? std::optional(SaidProblem{}) : std::nullopt;
    const std::string reference = (file.parent_path() / lines.reference).string();
    const std::size_t number = reference.rfind('@');  // of a launch in the folder
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(reference, error) ||
                           std::filesystem::is_directory(reference.substr(0, number), error);
    return is_folder ? std::optional(SaidProblem{.reference = reference}) : std::nullopt;
}

}  // namespace

FileKind kind_of(const std::filesystem::path& file) {
    return is_technique_file(file)   ? FileKind::technique
           : is_launch_library(file) ? FileKind::library
                                     : FileKind::kernel;
}

SaidProblem problem_said_by(const std::filesystem::path& file, const Settings& settings) {
    Directives said;
    std::string device_only;
    switch (kind_of(file)) {
        case FileKind::technique:
            read_technique(file);
            return {.takes_any_size = true};
        case FileKind::library:
            said = LaunchLibrary(file).directives();
            break;
        default: {
            if (const auto captured = captured_problem_of(file, settings)) return *captured;
            CandidateSource source = read_candidate(file, settings);
            said = std::move(source.directives);
            device_only = std::move(source.device_only);
            break;
        }
    }
    SaidProblem problem{said.workload, "", said.size, false, {}, std::move(device_only)};
    problem.takes_any_size = std::ranges::all_of(
        said.kernels, [](const KernelDirective& kernel) { return kernel.overhang == true; });
    for (const KernelDirective& kernel : said.kernels)
        for (const auto& [field, start] : kernel.outputs)
            problem.outputs.push_back(fmt::format("{}={}", field.empty() ? "out" : "out." + field,
                                                  start == OutputStart::zeros ? "zeros" : "copy"));
    if (!said.reference.empty()) problem.reference = (file.parent_path() / said.reference).string();
    return problem;
}

int device_capability(const RunOptions& options, Backend backend) {
    const std::vector<DeviceInfo> devices = cuda_devices();
    if (backend != Backend::cuda || devices.empty()) return 0;
    const DeviceInfo& device = device_at(devices, options.device);
    return 10 * device.major + device.minor;
}

std::vector<std::filesystem::path> kernel_files(const std::string& given) {
    namespace fs = std::filesystem;
    const std::string path = found_file(given).string();
    std::error_code error;
    if (!fs::is_directory(path, error)) return {path};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path, error))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    if (error)
        throw Error(ExitCode::usage,
                    fmt::format("the folder {} cannot be read: {}", path, error.message()));
    if (files.empty())
        throw Error(ExitCode::usage, fmt::format("the folder {} has no file that ends with .cu: "
                                                 "name another folder, or a file",
                                                 path));
    std::ranges::sort(files);
    return files;
}

std::vector<CandidatePoint> candidate_points(const RunOptions& options) {
    if (!options.sweeps.empty() && options.candidates.empty())
        throw Error(ExitCode::usage,
                    "--sweep sets what is in a kernel's file: name one with --candidate");
    std::vector<CandidatePoint> points;
    for (const std::string& setting : options.settings)
        if (setting.find(',') != setting.npos)
            throw Error(
                ExitCode::usage,
                fmt::format("--set {} has several values: write --sweep {}", setting, setting));
    std::vector<std::string> texts = options.sweeps;
    texts.insert(texts.end(), options.settings.begin(), options.settings.end());
    std::vector<Settings> all = combinations(texts);
    for (const auto& flag : compiler_flags(options.definitions, options.include_folders))
        for (Settings& settings : all) settings.push_back(flag);
    for (const std::string& path : options.candidates)
        for (const std::filesystem::path& file : kernel_files(path))
            for (const Settings& settings : all) {
                check_settings(options, file);
                CandidatePoint point{file, settings, origin_of(file, settings)};
                if (std::ranges::find(options.left_out, point.origin) == options.left_out.end())
                    points.push_back(std::move(point));
            }
    return points;
}

RunOptions only(const CandidatePoint& point, RunOptions options) {
    options.candidates = {point.file.string()};
    options.sweeps.clear();
    options.settings.clear();
    for (const auto& [name, value] : point.settings)
        if (!is_compiler_flag(name)) options.sweeps.push_back(name + "=" + value);
    options.variants.clear();
    return options;
}

std::vector<Variant> variants_of(const CandidatePoint& point, const RunOptions& options,
                                 const Workload& workload, ElementType cell, Backend backend) {
    if (backend == Backend::cpu)
        throw Error(ExitCode::usage,
                    "the cpu backend runs the plain reference only, and --candidate is a kernel: "
                    "choose --backend simt or cuda");
    CandidateOptions candidate;
    candidate.limit = std::chrono::duration<double>(options.timeout);
    candidate.compute_capability = device_capability(options, backend);
    candidate.settings = point.settings;
    std::vector<Variant> variants;
    switch (kind_of(point.file)) {
        case FileKind::technique:
            variants = technique_variants(point.file, workload, cell, candidate);
            break;
        case FileKind::library:
            variants.push_back(library_variant(point.file, workload, cell));
            if (backend != Backend::cuda)
                throw Error(ExitCode::unavailable,
                            fmt::format("{} is compiled for a GPU, and the {} backend is none: use "
                                        "it on a machine with a GPU, with --backend cuda",
                                        point.file.string(), name(backend)));
            break;
        case FileKind::kernel:
            if (backend == Backend::cuda && has_candidate_maker(workload))
                throw Error(ExitCode::usage,
                            "a captured launch is replayed on a GPU by camber try FOLDER: give "
                            "the folder to it, or choose --backend simt");
            variants.push_back(candidate_variant(point.file, workload, cell, candidate));
            if (backend != Backend::cuda && !variants.back().factories.contains(backend))
                throw Error(ExitCode::unavailable,
                            fmt::format("{}, so its kernels run on a GPU only: use the file on a "
                                        "machine with a GPU, with --backend cuda",
                                        problem_said_by(point.file, point.settings).device_only));
            break;
    }
    for (Variant& variant : variants) {
        variant.file = point.origin;
        add_candidate_name(variant.info.name());
    }
    return variants;
}

std::vector<std::string> register_candidate(const CandidatePoint& point, const RunOptions& options,
                                            const Workload& workload, ElementType cell,
                                            Backend backend) {
    if (auto known = registered(point.origin, workload, cell); !known.empty()) return known;
    for (Variant& variant : variants_of(point, options, workload, cell, backend)) {
        const std::string name = variant.info.name();
        const auto other = std::ranges::find_if(registry().variants(), [&](const Variant& other) {
            return other.info.name() == name && other.info.cell == cell;
        });
        if (other != registry().variants().end())
            throw Error(ExitCode::usage,
                        fmt::format("{} and {} would both be called {}: rename one of the two",
                                    other->file.empty() ? "a variant of camber" : other->file,
                                    point.origin, name));
        registry().add(std::move(variant));
    }
    return registered(point.origin, workload, cell);
}

std::vector<std::string> register_candidates(const RunOptions& options, const Workload& workload,
                                             ElementType cell, Backend backend) {
    std::vector<std::string> names;
    for (const CandidatePoint& point : candidate_points(options))
        for (std::string& name : register_candidate(point, options, workload, cell, backend))
            names.push_back(std::move(name));
    return names;
}

std::vector<std::string> candidate_names(const RunOptions& options) {
    if (options.candidates.empty()) return {};
    const Workload& workload = workload_of(options);
    const ElementType cell = cell_of(options, workload);
    std::vector<std::string> names;
    for (const CandidatePoint& point : candidate_points(options)) {
        // Kernels are compiled for a GPU at their first launch, other files immediately.
        const bool later = kind_of(point.file) == FileKind::kernel &&
                           problem_said_by(point.file, point.settings).device_only.empty();
        for (std::string& name : register_candidate(
                 point, options, workload, cell, later ? Backend::simt : chosen_backend(options)))
            names.push_back(std::move(name));
    }
    return names;
}

}  // namespace camber

void camber_register_candidates(const camber::RunOptions& options, const camber::Workload& workload,
                                camber::ElementType cell, camber::Backend backend,
                                std::vector<std::string>& names) {
    for (std::string& name : camber::register_candidates(options, workload, cell, backend))
        names.push_back(std::move(name));
}
