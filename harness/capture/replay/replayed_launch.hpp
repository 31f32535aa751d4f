// A captured launch on a device: its memory, the original kernel and candidates, runs of them, and
// their times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/capture/cuda_driver.hpp"
#include "harness/capture/replay/worker_job.hpp"

namespace camber::capture {

// Memory of a captured launch on the replaying device: at the old addresses if they are free,
// otherwise elsewhere.
class PlacedMemory {
  public:
    // Reserves and maps memory for all buffers but variables, which belong to a module. The
    // process's end releases it. `separate`: in allocations of their own, at new addresses, so that
    // a checker of memory knows where each ends. Throws DriverFailure if the device has too little
    // memory.
    PlacedMemory(const CapturedLaunch& launch, CuDevice device, bool separate);

    // Address of each buffer; 0 for a variable.
    const std::vector<CuAddress>& addresses() const { return addresses_; }
    std::uint64_t moved_buffers() const { return moved_; }

  private:
    void place_device(const CapturedLaunch& launch, CuDevice device);
    void place_separately(const CapturedLaunch& launch);
    void place_host(const Buffer& buffer, std::size_t index);

    std::vector<CuAddress> addresses_;
    std::uint64_t moved_ = 0;
};

// A loaded kernel with its launch parameters.
struct LoadedKernel {
    std::string name;  // of the candidate; "" for the original
    CuModule module = nullptr;
    CuFunction function = nullptr;
    std::vector<Parameter> parameters;
    Dimensions grid{};
    Dimensions block{};
    std::uint64_t shared_bytes = 0;
    // Addresses of the captured buffers for this kernel: variables are those of its own module, or
    // 0 if it has none of this name.
    std::vector<CuAddress> addresses;
    std::vector<std::string> missing_variables;
};

class ReplayedLaunch {
  public:
    // Makes the device's context current, and places the memory. Throws DriverFailure.
    ReplayedLaunch(const Capture& capture, std::size_t index, int device, bool separate = false);

    std::uint64_t moved_buffers() const { return memory_.moved_buffers(); }
    std::uint64_t patched_words(const LoadedKernel& kernel) const;
    std::string device_name() const;
    int device_attribute(int attribute) const;

    LoadedKernel load_original();
    LoadedKernel load(const CandidateCode& candidate, const ByteVector& cubin);

    // Copies the content before the launch to the device: of all buffers, or of one.
    void restore(const LoadedKernel& kernel);
    void restore(const LoadedKernel& kernel, std::size_t buffer);
    // Keeps copies of the content before the launch on the device, as far as it has memory, for
    // faster calls of restore() with this kernel.
    void keep_copies(const LoadedKernel& kernel);
    // Fills a range of a buffer with a byte.
    void fill(const LoadedKernel& kernel, std::size_t buffer, std::uint64_t begin,
              std::uint64_t end, unsigned char value);
    // Starts the kernel; throws DriverFailure.
    void launch(const LoadedKernel& kernel);
    // Waits for all work; throws DriverFailure if a kernel failed.
    void wait();

    ByteVector content(const LoadedKernel& kernel, std::size_t buffer);
    ByteVector content(const LoadedKernel& kernel, std::size_t buffer, std::uint64_t begin,
                       std::uint64_t end);
    // Content before and after the launch in the program, with the addresses of the replay.
    ByteVector before(const LoadedKernel& kernel, std::size_t buffer) const;
    ByteVector expected(const LoadedKernel& kernel, std::size_t buffer) const;
    // Compares all memory with that after the launch in the program.
    Difference differences(const LoadedKernel& kernel,
                           const std::vector<ByteTolerance>& tolerances);
    // Compares one buffer with it.
    void add_differences(const LoadedKernel& kernel, std::size_t buffer,
                         const std::vector<ByteTolerance>& tolerances, Difference& difference);

    const CapturedLaunch& captured() const { return launch_; }
    bool changed(std::size_t buffer) const { return !launch_.buffers[buffer].changed.empty(); }
    CuStream stream() const { return stream_; }

  private:
    void find_variables(LoadedKernel& kernel) const;
    // Replaces old addresses by those of the replay.
    void patch(const LoadedKernel& kernel, const std::vector<PointerWord>& pointers,
               ByteVector& bytes) const;
    bool same_address(const LoadedKernel& kernel, std::uint64_t expected,
                      std::uint64_t actual) const;

    const Capture& capture_;
    const CapturedLaunch& launch_;
    CuDevice device_ = 0;
    CuStream stream_ = nullptr;
    std::vector<BufferContent> content_;
    PlacedMemory memory_;
    std::vector<CuAddress> copies_;  // of each buffer, for one kernel; 0: none
    CuFunction copied_for_ = nullptr;
};

// Times of kernels, in turn, over restored memory.
struct Timing {
    std::vector<Sample> samples;
    bool by_cupti = false;  // otherwise by events, which include part of the launch
};

// Times `kernels` in `rounds` rounds: with warm caches, after an untimed launch, and after L2 was
// flushed. Only parts that the kernel also reads are restored, outside the timed section.
Timing time_kernels(ReplayedLaunch& replay, const std::vector<LoadedKernel>& kernels,
                    const std::vector<Part>& parts, std::uint64_t rounds,
                    const std::vector<std::string>& cupti_folders);

}  // namespace camber::capture
