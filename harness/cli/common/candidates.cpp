#include "harness/cli/common/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>

#include "harness/backend/devices.hpp"
#include "harness/base/error.hpp"
#include "harness/candidate/candidate_variant.hpp"
#include "harness/cli/common/study_from.hpp"

namespace camber {

namespace {

// A variant's source is its origin; nullptr: there is none yet.
const Variant* registered(const std::string& origin, const Workload& workload, ElementType cell) {
    for (const Variant& variant : registry().variants())
        if (variant.info.technique.source == origin && variant.info.workload == workload.name() &&
            variant.info.cell == cell)
            return &variant;
    return nullptr;
}

}  // namespace

int device_capability(const RunOptions& options, Backend backend) {
    const std::vector<DeviceInfo> devices = cuda_devices();
    if (backend != Backend::cuda || devices.empty()) return 0;
    const DeviceInfo& device = device_at(devices, options.device);
    return 10 * device.major + device.minor;
}

std::vector<std::filesystem::path> kernel_files(const std::string& path) {
    namespace fs = std::filesystem;
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
    const std::vector<Settings> all = combinations(options.sweeps);
    for (const std::string& path : options.candidates)
        for (const std::filesystem::path& file : kernel_files(path))
            for (const Settings& settings : all) {
                CandidatePoint point{file, settings, origin_of(file, settings)};
                if (std::ranges::find(options.left_out, point.origin) == options.left_out.end())
                    points.push_back(std::move(point));
            }
    return points;
}

RunOptions only(const CandidatePoint& point, RunOptions options) {
    options.candidates = {point.file.string()};
    options.sweeps.clear();
    for (const auto& [name, value] : point.settings) options.sweeps.push_back(name + "=" + value);
    options.variants.clear();
    return options;
}

Variant candidate_of(const CandidatePoint& point, const RunOptions& options,
                     const Workload& workload, ElementType cell, Backend backend) {
    if (backend == Backend::cpu)
        throw Error(ExitCode::usage,
                    "the cpu backend runs the plain reference only, and --candidate is a kernel: "
                    "choose --backend simt or cuda");
    CandidateOptions candidate;
    candidate.limit = std::chrono::duration<double>(options.timeout);
    candidate.compute_capability = device_capability(options, backend);
    candidate.settings = point.settings;
    return candidate_variant(point.file, workload, cell, candidate);
}

const Variant& register_candidate(const CandidatePoint& point, const RunOptions& options,
                                  const Workload& workload, ElementType cell, Backend backend) {
    if (const Variant* const known = registered(point.origin, workload, cell)) return *known;
    Variant variant = candidate_of(point, options, workload, cell, backend);
    const std::string name = variant.info.name();
    const auto same = [&](const Variant& other) {
        return other.info.name() == name && other.info.cell == cell;
    };
    const auto other = std::ranges::find_if(registry().variants(), same);
    if (other != registry().variants().end())
        throw Error(ExitCode::usage,
                    fmt::format("{} and {} would both be called {}: rename one of the two",
                                other->info.technique.source, point.origin, name));
    registry().add(std::move(variant));
    return registry().variants().back();
}

std::vector<std::string> register_candidates(const RunOptions& options, const Workload& workload,
                                             ElementType cell, Backend backend) {
    std::vector<std::string> names;
    for (const CandidatePoint& point : candidate_points(options))
        names.push_back(register_candidate(point, options, workload, cell, backend).info.name());
    return names;
}

std::vector<std::string> candidate_names(const RunOptions& options) {
    if (options.candidates.empty()) return {};
    const Workload& workload = workload_of(options);
    return register_candidates(options, workload, cell_of(options, workload), Backend::simt);
}

}  // namespace camber
