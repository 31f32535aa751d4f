// Run of an unmodified program with the recorder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/capture/job.hpp"

namespace camber {

// Path of the recorder's library, which belongs to the program. Throws Error(unavailable) if it is
// missing.
std::filesystem::path recorder_library();

// Folders in which CUPTI may be, beside those of the loader.
std::vector<std::string> cupti_folders();

struct ProgramRun {
    int exit_code = 0;                     // 128 + signal if a signal ended the program
    std::vector<capture::Report> reports;  // of its processes
};

// Runs the program with the recorder, with this process's input and output. Throws
// Error(unavailable) if it cannot be started.
ProgramRun run_with_recorder(capture::Job job);

// Throws the failure that a process reports, or Error(unavailable) if none reports anything.
void require_reports(const ProgramRun& run, const std::vector<std::string>& program);

// Says that the program ended with an exit code other than 0.
void note_exit_code(const ProgramRun& run);

}  // namespace camber
