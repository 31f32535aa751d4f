#include "harness/capture/replay/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/capture/replay/comparison.hpp"
#include "harness/capture/replay/replayed_launch.hpp"
#include "harness/capture/replay/roles.hpp"
#include "harness/capture/replay/worker_job.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/counters/metric_sets.hpp"
#include "harness/machine/counters/range_profiler.hpp"

namespace camber::capture {

namespace {

// Replays to find out whether the kernel is deterministic.
constexpr int replays = 3;
// Factor from the variation in a few replays to the tolerance for candidates.
constexpr double margin = 4;
// FNV-1a with 64 bits (Fowler, Noll and Vo).
constexpr std::uint64_t fnv_offset = 0xcbf29ce484222325;
constexpr std::uint64_t fnv_prime = 0x100000001b3;

class Worker {
  public:
    explicit Worker(WorkerJob job) : job_(std::move(job)) {}

    void run() {
        try {
            begin("reading the capture");
            capture_ = read_capture(job_.folder);
            begin("placing the memory");
            replay_.emplace(capture_, job_.launch, static_cast<int>(job_.device), job_.separate);
            result_.device = replay_->device_name();
            result_.compute_capability =
                10 * replay_->device_attribute(cu_device_capability_major) +
                replay_->device_attribute(cu_device_capability_minor);
            result_.multiprocessors = replay_->device_attribute(cu_device_multiprocessors);
            result_.l2_bytes = replay_->device_attribute(cu_device_l2_bytes);
            result_.moved_buffers = replay_->moved_buffers();
            if (result_.moved_buffers > 0 && job_.keep_addresses) {
                result_.missed_address = true;
                return write();
            }
            begin("loading the kernel");
            original_ = replay_->load_original();
            result_.patched_words = replay_->patched_words(original_);
            switch (job_.work) {
                case Work::study:
                    study();
                    break;
                case Work::verify:
                    verify();
                    break;
                case Work::time:
                    time();
                    break;
                case Work::count:
                    count();
                    break;
            }
            result_.stage.clear();
        } catch (const Error& error) {
            result_.failure = error.what();
        } catch (const DriverFailure& failure) {
            result_.failure = failure.sentence();
            result_.kernel_failed = is_running_;
        }
        write();
    }

  private:
    // Notes what is being done, in case the process ends.
    void begin(const std::string& stage, bool runs_kernel = false) {
        result_.stage = stage;
        is_running_ = runs_kernel;
        result_.kernel_failed = runs_kernel;  // if the process ends now
        write();
        result_.kernel_failed = false;
    }

    void write() {
        AtomicFile(job_.result, "result of a replay")
            .replace(results::written(result_).dump() + "\n");
    }

    void study() {
        if (job_.parts.empty()) {
            begin("replaying the launch", true);
            compare_replays();
            result_.parts = parts_of(capture_, job_.launch);
        } else {
            result_.parts = job_.parts;
        }
        if (job_.parts.empty() && (!result_.deterministic || result_.difference->bytes > 0)) {
            // Poison proves nothing if the result varies anyway.
            for (Part& part : result_.parts)
                part.role = replay_->changed(part.buffer) ? Role::in_place : Role::input;
            result_.complete = true;
            return;
        }
        find_roles(*replay_, original_, result_.parts, job_.known_steps,
                   [&](std::size_t step, const std::vector<std::uint64_t>& parts) {
                       result_.known_steps = step;
                       result_.step_parts = parts;
                       begin(poison_stage, true);
                   });
        result_.complete = true;
    }

    // Replays the original several times, and compares the results with the program's and with each
    // other.
    void compare_replays() {
        const std::size_t buffers = replay_->captured().buffers.size();
        std::vector<ByteVector> first(buffers);
        for (int k = 0; k < replays; ++k) {
            replay_->restore(original_);
            replay_->launch(original_);
            replay_->wait();
            const Difference difference = replay_->differences(original_, {});
            if (!result_.difference || difference.bytes > result_.difference->bytes)
                result_.difference = difference;
            for (std::size_t b = 0; b < buffers; ++b) {
                if (!replay_->changed(b)) continue;
                ByteVector content = replay_->content(original_, b);
                if (k == 0)
                    first[b] = std::move(content);
                else
                    add_variation(b, first[b], content);
            }
        }
        // The program's result is one more run.
        if (!result_.deterministic)
            for (std::size_t b = 0; b < buffers; ++b)
                if (replay_->changed(b))
                    add_variation(b, first[b], replay_->expected(original_, b));
        result_.checksum = fnv_offset;
        for (std::size_t b = 0; b < buffers; ++b)
            for (const unsigned char byte : replay_->expected(original_, b)) {
                result_.checksum = (result_.checksum ^ byte) * fnv_prime;
                if (byte != 0) ++result_.nonzero_bytes;
            }
        for (ByteTolerance& one : result_.variations) {
            one.absolute *= margin;
            one.relative *= margin;
        }
    }

    void add_variation(std::size_t buffer, const ByteVector& first, const ByteVector& second) {
        const std::vector<Part> parts = parts_of(capture_, job_.launch);
        const std::vector<Element> elements = elements_of(capture_, job_.launch, parts);
        for (std::size_t p = 0; p < parts.size(); ++p) {
            if (parts[p].buffer != buffer) continue;
            const std::size_t bytes = parts[p].end - parts[p].begin;
            auto found =
                variation(buffer, elements[p], std::span(first).subspan(parts[p].begin, bytes),
                          std::span(second).subspan(parts[p].begin, bytes));
            if (!found) continue;
            result_.deterministic = false;
            found->begin = parts[p].begin;
            found->end = parts[p].end;
            const auto same =
                std::ranges::find_if(result_.variations, [&](const ByteTolerance& one) {
                    return one.buffer == buffer && one.begin == found->begin;
                });
            if (same == result_.variations.end()) {
                result_.variations.push_back(*found);
                continue;
            }
            same->absolute = std::max(same->absolute, found->absolute);
            same->relative = std::max(same->relative, found->relative);
            if (found->element == Element::bytes) same->element = Element::bytes;
        }
    }

    LoadedKernel loaded(const CandidateCode& candidate) {
        const std::string cubin = read_file(candidate.file, "candidate", "a cubin");
        LoadedKernel kernel = replay_->load(candidate, ByteVector(cubin.begin(), cubin.end()));
        result_.parameters = kernel.parameters;
        result_.missing_variables = kernel.missing_variables;
        return kernel;
    }

    bool has_layout_of_original(const LoadedKernel& kernel) const {
        return std::ranges::equal(kernel.parameters, capture_.file.parameters,
                                  [](const Parameter& a, const Parameter& b) {
                                      return a.offset == b.offset && a.bytes == b.bytes;
                                  });
    }

    void poison_outputs(const LoadedKernel& kernel, unsigned char poison) {
        for (const Part& part : job_.parts)
            for (const auto& [begin, bytes] : part.written)
                replay_->fill(kernel, part.buffer, begin, begin + bytes, poison);
    }

    void verify() {
        begin("loading the candidate");
        const LoadedKernel kernel = loaded(job_.candidates.at(0));
        if (!has_layout_of_original(kernel)) return;
        for (const unsigned char poison : output_poisons) {
            begin("running the candidate", true);
            replay_->restore(kernel);
            poison_outputs(kernel, poison);
            replay_->launch(kernel);
            replay_->wait();
            is_running_ = false;
            result_.difference = replay_->differences(kernel, job_.tolerances);
            if (result_.difference->bytes > 0) return;
        }
    }

    void time() {
        std::vector<LoadedKernel> kernels{original_};
        for (const CandidateCode& candidate : job_.candidates) kernels.push_back(loaded(candidate));
        begin("timing the kernels", true);
        Timing timing =
            time_kernels(*replay_, kernels, job_.parts, job_.samples, job_.cupti_folders);
        result_.samples = std::move(timing.samples);
        result_.timed_by_cupti = timing.by_cupti;
    }

    void count() {
        begin("reading hardware counters");
        const std::string chip = counters::chip_of_device(static_cast<int>(job_.device));
        const std::vector<counters::ChosenMetric> chosen = counters::without_textures(
            counters::resolve(job_.counters, counters::ChipMetrics(chip)), job_.counters);
        counters::CounterSession session(chip, chosen,
                                         std::make_shared<counters::SharedProfiler>());
        std::vector<LoadedKernel> kernels{original_};
        for (const CandidateCode& candidate : job_.candidates) kernels.push_back(loaded(candidate));
        for (const LoadedKernel& kernel : kernels) {
            begin("reading hardware counters", true);
            CountedKernel& counted = result_.counted.emplace_back();
            counted.name = kernel.name;
            const auto values = session.measure(
                [&] {
                    replay_->restore(kernel);
                    replay_->wait();
                },
                [&] { replay_->launch(kernel); });
            for (const counters::ChosenMetric& metric : chosen) {
                const auto value = values.find(metric.requested);
                if (value == values.end()) continue;
                counted.metrics.push_back(metric.requested);
                counted.values.push_back(value->second);
            }
        }
        is_running_ = false;
    }

    WorkerJob job_;
    WorkerResult result_;
    Capture capture_;
    std::optional<ReplayedLaunch> replay_;
    LoadedKernel original_;
    bool is_running_ = false;
};

}  // namespace

int run_worker(const std::filesystem::path& path) {
    const std::string text = read_file(path, "replay job", "a job of camber try");
    WorkerJob job;
    try {
        results::read(results::parse_json(text), job);
    } catch (const std::exception& error) {
        throw Error(ExitCode::usage, fmt::format("the replay job \"{}\" is damaged: {}",
                                                 path.string(), error.what()));
    }
    Worker(std::move(job)).run();
    return 0;
}

}  // namespace camber::capture
