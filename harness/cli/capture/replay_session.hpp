// Replay of a captured launch in processes of their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/worker_job.hpp"

namespace camber {

// A process that ended without completing its work.
struct ReplayEnd {
    capture::WorkerResult result;  // as far as it got
    std::string failure;           // sentence; "" if the work is complete
    bool kernel_failed = false;    // it crashed, or did not end in time
};

struct MemcheckResult {
    std::string text;  // number of errors, and the first one
    bool is_clean = false;
};

// A captured launch and what its replay showed.
struct Studied {
    std::size_t index = 0;
    capture::WorkerResult result;
    std::vector<capture::Element> elements;  // of the result's parts
};

// Tolerated differences of a candidate's results: the variations of the original, and those within
// `relative`, unless it is negative. `cell`: type of outputs whose type the kernel's name does not
// tell, or "".
std::vector<capture::ByteTolerance> tolerances(const Studied& studied, const std::string& cell,
                                               double relative);

class ReplaySession {
  public:
    // `seconds`: time limit of a replay process.
    ReplaySession(const capture::Capture& capture, int device, double seconds);

    // Replays the original, and finds its inputs and outputs among `parts`, by default those that the
    // parameters point to. Throws Error(unavailable) if it cannot be replayed here, and
    // Error(wrong_result) if it crashes.
    capture::WorkerResult study(std::size_t launch, std::vector<capture::Part> parts = {});

    // Runs a candidate over the study's inputs.
    ReplayEnd verify(std::size_t launch, const capture::CandidateCode& candidate,
                     const capture::WorkerResult& study,
                     const std::vector<capture::ByteTolerance>& tolerances);

    // Times the original and candidates. Throws Error.
    capture::WorkerResult time(std::size_t launch,
                               const std::vector<capture::CandidateCode>& candidates,
                               const capture::WorkerResult& study, std::uint64_t samples);

    // Hardware counters of the original and candidates. Throws Error, with code `unavailable` if
    // the counters cannot be read here.
    std::vector<capture::CountedKernel> count(std::size_t launch,
                                              const std::vector<capture::CandidateCode>& candidates,
                                              const capture::WorkerResult& study,
                                              const std::string& counters);

    // Runs a candidate, or the original if it is absent, under compute-sanitizer, with each buffer
    // in an allocation of its own. Throws Error(unavailable) if the tool is missing or fails.
    MemcheckResult memcheck(std::size_t launch,
                            const std::optional<capture::CandidateCode>& candidate,
                            const capture::WorkerResult& study);

  private:
    capture::WorkerJob job_for(capture::Work work, std::size_t launch) const;
    // Runs the job; starts the process again if it misses an old address.
    ReplayEnd run(capture::WorkerJob job);
    ReplayEnd run_once(const capture::WorkerJob& job) const;

    const capture::Capture& capture_;
    int device_;
    double seconds_;
    TemporaryFolder folder_;
    bool misses_addresses_ = false;
};

}  // namespace camber
