// Results file of `camber try FOLDER`: the original and its candidates as cases of a study, for
// compare, report and the gate.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/worker_job.hpp"
#include "harness/record/document.hpp"

namespace camber {

// A kernel's outcome for one captured launch.
struct CaptureCase {
    std::string name;  // of the candidate; "original"
    capture::Dimensions grid{}, block{};
    bool passed = true;
    std::string reason;  // why it failed
    std::uint64_t compared_bytes = 0;
    std::optional<capture::Difference> difference;
    std::vector<double> warm_ns, flushed_ns;  // empty if it was not timed
    std::map<std::string, double> counters;   // of a launch with warm caches, by metric
};

// Case of a kernel with the grid and block of a captured launch.
CaptureCase new_case(const capture::Capture& capture, std::size_t launch, const std::string& name);

// Bytes that the kernel must move at least: inputs read once, outputs written once.
std::uint64_t moved_bytes(const std::vector<capture::Part>& parts);

// Ceilings of a device. `ceilings`: card or file; "": the built-in card whose name the device's name
// contains. nullopt if there is none.
struct CardCeilings {
    std::string name;
    Ceilings ceilings;
};
std::optional<CardCeilings> ceilings_of_device(const std::string& device,
                                               const std::string& ceilings);

// Their copy bandwidth in bytes/s.
std::optional<double> copy_bandwidth(const std::string& device, const std::string& ceilings);

// Adds the cases of one launch to the document.
void add_cases(results::Document& document, const capture::Capture& capture, std::size_t launch,
               const capture::WorkerResult& study, int device,
               const std::vector<CaptureCase>& cases);

// The context of a document: this machine, and the GPU as its replay process reports it.
results::Context capture_context(const std::vector<std::string>& command_line,
                                 const capture::WorkerResult& study, int device);

}  // namespace camber
