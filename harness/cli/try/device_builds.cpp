#include "harness/cli/try/device_builds.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "analysis/memory/architecture.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/common/candidates.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/own/device/device_compiler.hpp"
#include "harness/own/source/source.hpp"
#include "harness/own/technique/technique_variants.hpp"

namespace camber {

namespace {

Architecture architecture_named(const std::string& name) {
    try {
        return parse_architecture(name);
    } catch (const std::invalid_argument& error) {
        throw Error(ExitCode::usage, error.what());
    }
}

// A line for each kernel.
std::string report_of(const CandidatePoint& point, const RunOptions& run, int capability) {
    switch (kind_of(point.file)) {
        case FileKind::technique: {
            const Workload& workload = workload_of(run);
            CandidateOptions options;
            options.compute_capability = capability;
            return technique_report(point.file, workload, cell_of(run, workload), options);
        }
        case FileKind::library:
            return "a library, compiled elsewhere\n";
        default:
            return compile_for_device(read_candidate(point.file, point.settings), capability,
                                      BuildCache(CacheFolder::of_user()))
                .report;
    }
}

}  // namespace

void print_device_builds(const RunOptions& run, const std::string& wanted) {
    int capability = 0;
    if (!wanted.empty()) {
        const Architecture architecture = architecture_named(wanted);
        capability = 10 * architecture.major + architecture.minor;
    } else {
        capability = device_capability(run, chosen_backend(run));
    }
    if (capability == 0) return;
    fmt::print("== Compiled for sm_{}\n", capability);
    for (const CandidatePoint& point : candidate_points(run)) {
        fmt::print("{}:\n{}", point.origin, report_of(point, run, capability));
    }
    fmt::print("\n");
}

}  // namespace camber
