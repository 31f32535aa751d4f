// Order from `camber capture` to the recorder inside the program, and the recorder's report. Both
// are JSON files in a folder that only this run uses.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/capture/launch_file.hpp"

namespace camber::capture {

// Environment variable with the path of the job file.
inline constexpr const char* job_variable = "CAMBER_CAPTURE_JOB";
// Environment variable with which the driver loads a library at cuInit().
inline constexpr const char* injection_variable = "CUDA_INJECTION64_PATH";

struct Job {
    bool list = false;   // times of all kernels, instead of a capture
    std::string kernel;  // extended regular expression for symbols and demangled names
    std::vector<std::uint64_t> launches{1};  // numbers, ascending
    bool count = false;                      // only counts the launches of `kernel`
    std::string folder;                      // of the capture; exists and is empty
    std::uint64_t most_bytes = 0;
    std::vector<std::string> program;
    std::vector<std::string> cupti_folders;
    std::string reports;  // folder for reports, one for each process of the program
};

struct ShapeTimes {
    Dimensions grid{};
    Dimensions block{};
    std::uint64_t shared_bytes = 0;
    std::uint64_t launches = 0;
    double total_ns = 0;
};

struct KernelTimes {
    std::string name;
    std::uint64_t launches = 0;
    double total_ns = 0;
    double median_ns = 0;
    std::vector<ShapeTimes> shapes;
};

struct Report {
    std::int64_t process = 0;
    std::vector<KernelTimes> kernels;               // of a list
    std::map<std::string, std::uint64_t> launched;  // launches by kernel; not of a list
    std::string chosen;                             // first kernel that the expression matched
    std::uint64_t matched = 0;                      // its launches
    std::vector<std::uint64_t> recorded;            // numbers of recorded launches
    std::uint64_t in_graphs = 0;  // launches of the kernel into graphs that were being recorded
    std::string failure;          // sentence; "" if there was none
};

template <class Archive>
void fields(Archive& a, Of<Archive, Job>& j) {
    a("list", j.list);
    a("kernel", j.kernel);
    a("launches", j.launches);
    a("count", j.count);
    a("folder", j.folder);
    a("most_bytes", j.most_bytes);
    a("program", j.program);
    a("cupti_folders", j.cupti_folders);
    a("reports", j.reports);
}

template <class Archive>
void fields(Archive& a, Of<Archive, ShapeTimes>& s) {
    dimensions(a, "grid", s.grid);
    dimensions(a, "block", s.block);
    a("shared_bytes", s.shared_bytes);
    a("launches", s.launches);
    a("total_ns", s.total_ns);
}

template <class Archive>
void fields(Archive& a, Of<Archive, KernelTimes>& k) {
    a("name", k.name);
    a("launches", k.launches);
    a("total_ns", k.total_ns);
    a("median_ns", k.median_ns);
    a("shapes", k.shapes);
}

template <class Archive>
void fields(Archive& a, Of<Archive, Report>& r) {
    a("process", r.process);
    a("kernels", r.kernels);
    a("launched", r.launched);
    a("chosen", r.chosen);
    a("matched", r.matched);
    a("recorded", r.recorded);
    a("in_graphs", r.in_graphs);
    a("failure", r.failure);
}

}  // namespace camber::capture
