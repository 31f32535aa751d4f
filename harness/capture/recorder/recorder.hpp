// The recorder inside a program: sees its launches and captures those that the job names.
#pragma once

#include <regex.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "harness/capture/cupti_records.hpp"
#include "harness/capture/job.hpp"
#include "harness/capture/recorder/kernel_list.hpp"
#include "harness/capture/recorder/modules.hpp"
#include "harness/capture/recorder/snapshot.hpp"

namespace camber::capture {

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
