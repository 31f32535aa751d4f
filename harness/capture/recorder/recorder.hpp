// The recorder inside a program: sees its launches and modules, lists its kernels' times, and captures
// the launches that the job names, with the memory that they can reach.
#pragma once

#include <regex.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "harness/capture/cuda_driver.hpp"
#include "harness/capture/cupti_records.hpp"
#include "harness/capture/job.hpp"
#include "harness/capture/packed_file.hpp"

namespace camber::capture {

// Times of all kernels of the program, from CUPTI's records.
class KernelList {
  public:
    void add(const CuptiKernelRecord& record);
    std::vector<KernelTimes> kernels() const;

  private:
    using Shape = std::tuple<Dimensions, Dimensions, std::uint64_t>;
    struct Kernel {
        std::map<Shape, ShapeTimes> shapes;
        std::vector<float> durations;  // ns, of the first launches
        std::uint64_t launches = 0;
        double total_ns = 0;
    };
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Kernel> kernels_;
};

// Median of at least one value.
double median_of(std::vector<float> values);

// Machine code of the modules that the program loads.
class Modules {
  public:
    // Keeps modules with a kernel for which `wanted` returns true.
    explicit Modules(std::function<bool(const std::string&)> wanted) : wanted_(std::move(wanted)) {}

    void add(std::string_view image);

    // Returns the module loaded last that contains the kernel, or nullptr.
    const ByteVector* with_kernel(const std::string& kernel) const;

  private:
    struct Module {
        std::vector<std::string> kernels;
        ByteVector image;
    };
    std::function<bool(const std::string&)> wanted_;
    mutable std::mutex mutex_;
    std::deque<Module> modules_;  // addresses are stable
};

// Names of the __device__ and __constant__ variables of a cubin.
std::vector<std::string> variables_in(const ByteVector& cubin);

// Snapshot of the memory that a kernel launch can reach, before and after it.

// A launch as the program requested it.
struct RequestedLaunch {
    CuFunction function = nullptr;
    Dimensions grid{};
    Dimensions block{};
    std::uint64_t shared_bytes = 0;
    CuStream stream = nullptr;
    void** arguments = nullptr;
    void** extra = nullptr;
    std::vector<CuLaunchAttribute> attributes;
};

// Launch that CUPTI's callback data describe, and its function.
RequestedLaunch requested(std::uint32_t call, const CuptiCall& data);
CuFunction function_in(std::uint32_t call, const CuptiCall& data);

// Parameters of a kernel, in order.
std::vector<Parameter> parameters_of(CuFunction function);

class Snapshot {
  public:
    // Copies the memory before the launch: variables of the kernel's module, allocations that words
    // of the parameters point into, and those that words in copied memory point into. `variables`:
    // names of the module's variables. Nothing is written to disk yet. Throws Error if the memory
    // has more than `most_bytes`, or exceeds the host's memory or the space in `folder`.
    Snapshot(const RequestedLaunch& launch, const std::vector<Parameter>& parameters,
             const std::vector<std::string>& variables, std::uint64_t most_bytes,
             std::filesystem::path folder);

    // Copies the memory after the launch, and writes both. `prefix`: beginning of the file names.
    CapturedLaunch finish(std::uint64_t number, const std::string& prefix);

    const std::vector<std::string>& notes() const { return notes_; }

  private:
    // A stream of our own, in a thread that may use it while others record graphs.
    class OwnStream {
      public:
        OwnStream();
        ~OwnStream();
        OwnStream(const OwnStream&) = delete;
        OwnStream& operator=(const OwnStream&) = delete;
        CuStream get() const { return stream_; }

      private:
        CuStream stream_ = nullptr;
        int mode_ = cu_capture_relaxed;  // of the thread, exchanged for ours
    };

    struct Copy {
        Buffer buffer;
        ByteVector before;
    };

    // The address ranges of this process, in which the driver reserves those of device memory.
    class AddressRanges {
      public:
        AddressRanges();
        bool contain(std::uint64_t address) const;
        bool contain_writable(std::uint64_t address) const;

      private:
        struct Range {
            std::uint64_t end = 0;
            bool is_writable = false;
        };
        const Range* find(std::uint64_t address) const;

        std::map<std::uint64_t, Range> ranges_;  // by beginning
    };

    std::vector<PointerWord> pointers_in(const ByteVector& bytes);
    // Index of the buffer that contains the address, which is added if it is new; -1 if the address
    // is in no allocation.
    std::int64_t buffer_at(std::uint64_t address);
    void note_pageable(const ByteVector& parameters);
    std::int64_t known_buffer_at(std::uint64_t address) const;
    std::int64_t add(Buffer buffer);
    ByteVector copied(const Buffer& buffer) const;
    void require_room() const;

    CapturedLaunch launch_;
    std::vector<Copy> copies_;
    std::map<std::uint64_t, std::size_t> by_address_;  // first byte -> index in copies_
    std::uint64_t total_bytes_ = 0;
    std::uint64_t most_bytes_;
    std::uint64_t queries_left_ = 100000;
    AddressRanges ranges_;
    bool skips_unmapped_ = false;  // words outside of ranges_ are no addresses
    std::filesystem::path folder_;
    OwnStream stream_;
    CuStream launch_stream_;
    std::vector<std::string> notes_;
    bool has_managed_ = false;
};

class Recorder {
  public:
    // Throws Error if the job's expression is invalid.
    explicit Recorder(Job job);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // Subscribes to CUPTI. A failure is stored in the report.
    void start();
    // Writes the report, at the end of the program.
    void finish();
    void fail(const std::string& sentence);
    // Called at the end; CUPTI loads more libraries when it first records activity.
    void finish_before_others(void (*finish)()) { finish_ = finish; }

    void on_module(std::string_view image);
    void on_launch(std::uint32_t call, const CuptiCall& data);

  private:
    struct Kernel {
        std::string symbol;
        bool matches = false;
        std::uint64_t launches = 0;
    };
    enum class State { waiting, in_launch, done };

    bool matches(const std::string& symbol) const;
    Kernel& kernel_of(CuFunction function, const char* symbol);
    void before_launch(std::uint32_t call, const CuptiCall& data);
    void after_launch(const CuptiCall& data);
    void begin_capture(const Kernel& kernel, const RequestedLaunch& launch);
    void describe(const Kernel& kernel, CuFunction function);
    bool claim() const;
    void stop_watching();
    void time_kernel(const CuptiKernelRecord& record);
    void write_launch_file();
    void write_report();

    Job job_;
    void (*finish_)() = nullptr;
    std::atomic<bool> finished_{false};
    regex_t expression_{};
    Cupti cupti_;
    CuptiSubscriber subscriber_ = nullptr;
    KernelList list_;
    Modules modules_;

    std::mutex mutex_;  // held from the beginning of a captured launch to its end
    std::unordered_map<CuFunction, Kernel> kernels_;
    std::map<std::string, std::uint64_t> replaced_;  // launches of unloaded kernels
    std::mutex report_mutex_;
    Report report_;
    std::chrono::steady_clock::time_point last_report_{};
    std::atomic<State> state_{State::waiting};
    std::thread::id capturing_thread_;
    std::unique_lock<std::mutex> capture_lock_;
    std::optional<Snapshot> snapshot_;
    std::size_t next_launch_ = 0;  // index in job_.launches
    std::vector<std::uint32_t> captured_correlations_;
    LaunchFile file_;
    Dimensions captured_grid_{};
    Dimensions captured_block_{};

    std::mutex times_mutex_;
    struct Time {
        std::uint32_t correlation;
        float duration;
    };
    std::vector<Time> times_;
};

}  // namespace camber::capture
