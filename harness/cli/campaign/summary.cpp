#include "harness/cli/campaign/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/record/document.hpp"
#include "harness/record/fields.hpp"
#include "workloads/core/parameter_start.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

void shorten(results::CaseRecord& record) {
    if (record.kernels.size() > 1) record.kernels.resize(1);
    for (results::Kernel& kernel : record.kernels) {
        kernel.regions.clear();
        kernel.basic_blocks.clear();
    }
    record.device_state.reset();
    const Workload* const workload = find_workload(record.identity.workload);
    if (workload && parameter_start(*workload)) return;
    record.kernel_times.reset();
    record.kernel_counters.clear();
}

// Without the line breaks and indentation, which are half of a file.
std::string compact_text(const results::Document& document) {
    return results::Json::parse(to_text(document)).dump() + "\n";
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    if (error)
        throw Error(ExitCode::usage, fmt::format("the folder {} cannot be read: {}",
                                                 folder.string(), error.message()));
    std::ranges::sort(files);
    return files;
}

}  // namespace

int write_campaign_summary(const fs::path& folder, const fs::path& out) {
    const std::vector<fs::path> files = json_files(folder);
    std::error_code error;
    fs::create_directories(out, error);
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("the folder {} cannot be made: {}", out.string(), error.message()));
    if (fs::equivalent(folder, out, error))
        throw Error(ExitCode::usage,
                    fmt::format("--summary {} is the campaign's own folder: name another one",
                                out.string()));
    int written = 0;
    for (const fs::path& file : files) {
        results::Document document = results::read_document(file);
        if (document.cases.empty() || !document.models.empty()) continue;
        for (results::CaseRecord& record : document.cases) shorten(record);
        AtomicFile(out / file.filename(), "results file").replace(compact_text(document));
        ++written;
    }
    if (written == 0)
        throw Error(
            ExitCode::usage,
            fmt::format("{} has no results file: give the folder of a campaign", folder.string()));
    return written;
}

}  // namespace camber
