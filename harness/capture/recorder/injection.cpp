// Entry point of the recorder, a library that the driver loads into a program at cuInit() if
// CUDA_INJECTION64_PATH names it ("Injection", CUPTI documentation).
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "harness/base/error.hpp"
#include "harness/capture/recorder/recorder.hpp"

namespace {

using camber::capture::Recorder;

// Never deleted: CUPTI's thread may call it until the process ends.
Recorder* recorder = nullptr;

void finish_recording() {
    recorder->finish();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    const char* const path = std::getenv(camber::capture::job_variable);
    if (path == nullptr || recorder != nullptr) return 1;
    try {
        std::ostringstream text;
        text << std::ifstream(path, std::ios::binary).rdbuf();
        camber::capture::Job job;
        camber::results::read(camber::results::parse_json(text.str()), job);
        recorder = new Recorder(std::move(job));
        recorder->finish_before_others(finish_recording);
        recorder->start();
        // After CUPTI was loaded, so that this runs before CUPTI's own end.
        std::atexit(finish_recording);
    } catch (const std::exception&) {
        // The program must run as if nothing had been loaded.
    }
    return 1;
}
