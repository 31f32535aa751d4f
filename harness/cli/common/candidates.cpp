#include "harness/cli/common/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "harness/backend/devices.hpp"
#include "harness/base/error.hpp"
#include "harness/candidate/candidate_variant.hpp"
#include "harness/cli/common/study_from.hpp"

namespace camber {

namespace {

// What the device has to be compiled for; 0 for the executor.
int compute_capability(const RunOptions& options, Backend backend) {
    const std::vector<DeviceInfo> devices = cuda_devices();
    if (backend != Backend::cuda || devices.empty()) return 0;
    const DeviceInfo& device = device_at(devices, options.device);
    return 10 * device.major + device.minor;
}

// That of the same file; nullptr: there is none yet. A variant's source is its file.
const Variant* registered(const std::string& file, const Workload& workload, ElementType cell) {
    for (const Variant& variant : registry().variants())
        if (variant.info.technique.source == file && variant.info.workload == workload.name() &&
            variant.info.cell == cell)
            return &variant;
    return nullptr;
}

}  // namespace

std::vector<std::string> register_candidates(const RunOptions& options, const Workload& workload,
                                             ElementType cell, Backend backend) {
    if (!options.candidates.empty() && backend == Backend::cpu)
        throw Error(ExitCode::usage,
                    "the cpu backend runs the plain reference only, and --candidate is a kernel: "
                    "choose --backend simt or cuda");
    std::vector<std::string> names;
    for (const std::string& file : options.candidates) {
        if (const Variant* const known = registered(file, workload, cell)) {
            names.push_back(known->info.name());
            continue;
        }
        CandidateOptions candidate;
        candidate.limit = std::chrono::duration<double>(options.timeout);
        candidate.compute_capability = compute_capability(options, backend);
        Variant variant = candidate_variant(file, workload, cell, candidate);
        const std::string name = variant.info.name();
        const auto same = [&](const Variant& other) {
            return other.info.name() == name && other.info.cell == cell;
        };
        const auto other = std::ranges::find_if(registry().variants(), same);
        if (other != registry().variants().end())
            throw Error(ExitCode::usage,
                        fmt::format("{} and {} would both be called {}: rename one of the two",
                                    other->info.technique.source, file, name));
        registry().add(std::move(variant));
        names.push_back(name);
    }
    return names;
}

std::vector<std::string> candidate_names(const RunOptions& options) {
    if (options.candidates.empty()) return {};
    const Workload& workload = workload_of(options);
    return register_candidates(options, workload, cell_of(options, workload), Backend::simt);
}

}  // namespace camber
