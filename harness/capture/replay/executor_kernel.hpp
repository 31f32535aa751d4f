// A candidate's source for a captured launch, compiled for the executor: its launch shape, constants
// and arguments, with the addresses of memory in this process.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/candidate_build.hpp"
#include "harness/own/host/host_library.hpp"

namespace camber::capture {

enum class Move { here, back };

// Replaces addresses of captured memory in `bytes` by those of the memory at `begins` (by buffer),
// or, back, these by the captured ones.
void move_addresses(const CapturedLaunch& launch, const std::vector<PointerWord>& pointers,
                    const std::vector<unsigned char*>& begins, unsigned char* bytes,
                    Move move = Move::here);

// Bytes of a launch's parameters, and a pointer to each.
struct LaunchArguments {
    ByteVector bytes;
    std::vector<void*> pointers;
};

class ExecutorKernel {
  public:
    // Throws Error(usage) if the file does not compile or has no such kernel, and
    // Error(unavailable) if it contains what only a GPU can run. `capture` must outlive the object.
    ExecutorKernel(const Capture& capture, std::size_t index, const CandidateOrder& order);

    // Describes the parameters of both kernels if they differ; else "".
    const std::string& other_parameters() const { return other_parameters_; }
    const CandidateLaunchShape& shape() const { return shape_; }
    bool cooperative() const;
    const HostLibrary& library() const { return library_; }
    // Fills the candidate's __constant__ arrays with the captured values.
    void fill_constants(const std::vector<BufferContent>& content,
                        const std::vector<unsigned char*>& begins) const;
    LaunchArguments arguments(const std::vector<unsigned char*>& begins) const;

  private:
    const Capture& capture_;
    const CapturedLaunch& launch_;
    CandidateLaunchShape shape_;
    std::vector<std::size_t> constants_;  // buffers, in the order of the library's constants
    HostLibrary library_;
    std::string other_parameters_;
};

}  // namespace camber::capture
