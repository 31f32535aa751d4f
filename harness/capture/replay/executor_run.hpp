// Run of a candidate's source on the executor over captured memory, on machines without a GPU.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/candidate_build.hpp"
#include "harness/capture/replay/worker_job.hpp"

namespace camber::capture {

struct ExecutorRun {
    Difference difference;
    // Parameters of the candidate, if they are others; else empty.
    std::string other_parameters;
    double seconds = 0;
};

// Bytes of launch number `index` that the program's kernel changed. If there are none, its result
// cannot be told from its input.
std::uint64_t changed_bytes(const Capture& capture, std::size_t index);

// Relative rounding error that sums of a few dozen products may have.
double rounding_of(Element element);

// Compiles the candidate for the host, runs the launch's whole grid, and compares all memory with
// the recorded result. Rounding may differ from a GPU's, which contracts products and sums: numbers
// in `parts` with known `elements` have a tolerance. `limit`: time limit of a block. Throws
// Error(usage) if the file cannot be compiled, and simt::KernelFault for an invalid access.
ExecutorRun run_on_executor(const Capture& capture, std::size_t index, const CandidateOrder& order,
                            const std::vector<Part>& parts, const std::vector<Element>& elements,
                            std::chrono::duration<double> limit);

}  // namespace camber::capture
