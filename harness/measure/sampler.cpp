#include "harness/measure/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/base/statistics.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/measure/instruments.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/lava/active_cells.hpp"
#include "workloads/lava/fields.hpp"

namespace camber {

namespace {

constexpr double events_share_limit = 0.005;  // maximum, as a fraction of a hot sample
constexpr int launches_limit = 100'000;       // maximum per sample
// The number of recorded launches is a multiple of six, because some variants alternate between two
// buffers and others between three: each replay must start with the buffers that the recording
// started with.
constexpr int recorded_unit = 6;
static_assert(most_recorded_launches % recorded_unit == 0);
// Launches of a recording that is replayed over and over: a multiple of the steps after which
// variants sort their lists or renew their boxes.
constexpr int repeated_launches = 3'840;
static_assert(repeated_launches % recorded_unit == 0 && repeated_launches % 128 == 0 &&
              repeated_launches <= most_recorded_launches);
constexpr auto reading_interval = std::chrono::milliseconds(100);

double measure_event_pair(Queue& queue) {
    std::vector<double> seconds;
    for (int i = 0; i < 51; ++i) seconds.push_back(queue.time([] {}));
    return median(seconds);
}

}  // namespace

template <class F>
void Launcher::record(int generations, const F& f) {
    const std::int64_t most = std::int64_t{most_recorded_} * step_;
    for (int left = generations; left > 0;) {
        const int stretch = static_cast<int>(std::min<std::int64_t>(left, most));
        f(queue_.record([&] { execution_.advance(stretch); }));
        left -= stretch;
    }
}

void Launcher::prepare(int generations) {
    if (!records() || generations == recorded_generations_) return;
    recorded_generations_ = 0;
    recordings_.clear();
    record(generations, [&](std::unique_ptr<Recording> recording) {
        recordings_.push_back(std::move(recording));
    });
    recorded_generations_ = generations;
}

void Launcher::advance(int generations) {
    if (!records()) return execution_.advance(generations);
    prepare(generations);
    for (const auto& recording : recordings_) recording->replay();
}

void Launcher::advance_once(int generations) {
    if (!records()) return execution_.advance(generations);
    record(generations, [&](const std::unique_ptr<Recording>& recording) {
        recording->replay();
        queue_.synchronize();
    });
}

double Launcher::time_long(
    int generations, const std::function<double(const std::function<void()>& work)>& time) {
    if (!records()) return time([&] { execution_.advance(generations); });
    double seconds = 0;
    const int repeated = repeated_launches * step_;
    if (generations >= repeated) prepare(repeated);
    for (; generations >= repeated; generations -= repeated)
        seconds += time([&] { advance(repeated); });
    record(generations, [&](const std::unique_ptr<Recording>& recording) {
        seconds += time([&] { recording->replay(); });
    });
    return seconds;
}

void Launcher::advance_separately(int launches) {
    for (int i = 0; i < launches; ++i) {
        if (conditions_.cache == CacheState::cold) queue_.evict_caches();
        advance(step_);
    }
}

Sampler::Sampler(Queue& queue, const Study& study, DeviceReading device_state)
    : queue_(queue),
      study_(study),
      device_state_(std::move(device_state)),
      ranks_(ranks_of(study)),
      event_pair_seconds_(slowest(study.time ? measure_event_pair(queue) : 0)) {}

double Sampler::time(const std::function<void()>& enqueue) const {
    if (ranks_) ranks_->barrier();
    return slowest(queue_.time(enqueue));
}

// Returns the number of generations per hot sample.
int Sampler::calibrate(Launcher& launcher, int period) const {
    const bool graph = launcher.conditions().submission == Submission::graph;
    const double wanted =
        std::max(study_.seconds_per_sample, event_pair_seconds_ / events_share_limit);
    const int unit =
        std::lcm(graph ? recorded_unit : 1, period / std::gcd(period, launcher.step()));
    const int limit = graph ? most_recorded_launches : launches_limit;
    const double most = static_cast<double>(std::max(limit / unit, 1)) * unit;
    double launches = unit;
    const auto seconds = [&] {
        const int generations = static_cast<int>(launches) * launcher.step();
        launcher.prepare(generations);
        return time([&] { launcher.advance(generations); }) - event_pair_seconds_;
    };
    seconds();  // the first launch also loads the kernel
    // Consecutive launches take less time each than a single launch, so the estimate is made twice.
    double warmed_up = 0;
    for (int estimate = 0; estimate < 2; ++estimate) {
        warmed_up = launches;
        const double enough = std::ceil(launches * wanted / std::max(seconds(), 1e-7) / unit);
        launches = std::clamp(unit * enough, launches, most);
    }
    if (launches > warmed_up) seconds();
    return static_cast<int>(launches) * launcher.step();
}

Sampled Sampler::take(Launcher& launcher, int generations, int period) const {
    const bool cold = launcher.conditions().cache == CacheState::cold;
    Sampled samples;
    samples.generations_per_sample = launcher.step();
    if (study_.time) {
        const MarkedRange marked("warm-up");
        if (cold)
            launcher.advance_separately(3);
        else
            samples.generations_per_sample =
                generations > 0 ? generations : calibrate(launcher, period);
        queue_.synchronize();
    }
    launcher.prepare(samples.generations_per_sample);
    const auto sample = [&] {
        if (cold) queue_.evict_caches();
        return time([&] { launcher.advance(samples.generations_per_sample); });
    };

    collect(samples, sample);
    return samples;
}

Sampled Sampler::take_from_start(Launcher& launcher, const std::function<void()>& restart) const {
    Sampled samples;
    samples.generations_per_sample = study_.generations;
    if (launcher.conditions().submission == Submission::graph) {
        restart();
        launcher.prepare(samples.generations_per_sample);
    }
    collect(samples, [&] {
        restart();
        queue_.synchronize();
        return time([&] { launcher.advance(samples.generations_per_sample); });
    });
    return samples;
}

void Sampler::collect(Sampled& samples, const std::function<double()>& sample) const {
    using Clock = std::chrono::steady_clock;
    ConfidenceRule rule(study_.sampling);
    samples.before = device_state_();
    const auto start = Clock::now();
    auto last_reading = start;
    std::optional<std::string> verdict;
    while (!verdict) {
        check_stop();
        {
            const MarkedRange marked("sample", static_cast<std::int64_t>(samples.ns.size()));
            samples.ns.push_back(sample() * 1e9);
        }
        const auto now = Clock::now();
        verdict = study_.time
                      ? rule.verdict(samples.ns,
                                     slowest(std::chrono::duration<double>(now - start).count()))
                      : "sample limit";
        if (!verdict && now - last_reading >= reading_interval) {
            if (auto state = device_state_()) samples.during.push_back(std::move(*state));
            last_reading = now;
        }
    }
    samples.after = device_state_();
    samples.stopped_by = *verdict;
}

std::vector<int> interval_bounds(int generations, int intervals, int step) {
    std::vector<int> bounds{0};
    for (int i = 1; i <= intervals; ++i) {
        const std::int64_t end = std::int64_t{generations} * i / intervals / step * step;
        if (i == intervals)
            bounds.push_back(generations);
        else if (end > bounds.back())
            bounds.push_back(static_cast<int>(end));
    }
    return bounds;
}

ActivityLog::ActivityLog(const Workload& workload, int generations, int intervals) {
    if (workload.capabilities().eruption && intervals > 0)
        bounds_ = interval_bounds(generations, intervals);
}

void ActivityLog::enter(int generations, const State& state) {
    if (std::ranges::find(bounds_, generations) != bounds_.end())
        rows_.push_back(activity_of(generations, state));
}

results::Activity activity_of(int generations, const State& state) {
    const HostField& thickness = state.field(lava::fields::thickness_field);
    const Size size = thickness.size();
    lava::Mask mask;
    with_real_cells(thickness, [&](auto cells) {
        for (const auto h : cells) mask.push_back(h > 0);
    });
    const auto count = [](const lava::Mask& cells) {
        return static_cast<std::int64_t>(
            std::ranges::count_if(cells, [](auto flag) { return flag != 0; }));
    };
    results::Activity row;
    row.generation = generations;
    row.active = count(mask);
    const lava::Mask set = lava::with_ring(mask, size);
    row.list = count(set);
    for (int boxes = 1; boxes <= ActivityLog::most_boxes; ++boxes) {
        std::int64_t cells = 0;
        for (const lava::Part& part : lava::guillotine(set, size, boxes))
            if (!part.box.empty()) cells += std::int64_t{part.box.rows()} * part.box.columns();
        row.boxes.push_back(cells);
    }
    return row;
}

namespace {

constexpr int least_runs = 3;
constexpr int most_runs = 100;

}  // namespace

std::vector<results::IntervalKernel> kernels_per_generation(
    const std::vector<counters::KernelTime>& times, const std::vector<results::Kernel>& kernels,
    int generations) {
    std::vector<results::IntervalKernel> sums;
    for (const counters::KernelTime& time : times) {
        const auto own = std::ranges::find_if(kernels, [&](const results::Kernel& kernel) {
            return kernel.symbol.value_or("") == time.symbol;
        });
        const std::string name = own != kernels.end()             ? own->name
                                 : is_library_kernel(time.symbol) ? "library"
                                                                  : time.symbol;
        auto found = std::ranges::find(sums, name, &results::IntervalKernel::name);
        if (found == sums.end()) found = sums.insert(sums.end(), {name, 0});
        found->ns_per_generation += time.ns / generations;
    }
    return sums;
}

std::vector<results::Interval> time_intervals(Queue& queue, Execution& execution,
                                              const Study& study, int step,
                                              const std::function<void()>& restart,
                                              const std::vector<results::Kernel>& kernels,
                                              counters::KernelClock* clock) {
    using Clock = std::chrono::steady_clock;
    const MarkedRange marked("intervals");
    const std::vector<int> bounds = interval_bounds(study.generations, study.intervals, step);
    std::vector<results::Interval> intervals;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
        intervals.push_back({bounds[i], bounds[i + 1], {}, {}});
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    for (int run = 0;
         run < least_runs || (run < most_runs && seconds() < study.sampling.budget_seconds);
         ++run) {
        check_stop();
        restart();
        queue.synchronize();
        for (results::Interval& interval : intervals)
            interval.samples_ns.push_back(
                queue.time([&] { execution.advance(interval.generations()); }) * 1e9);
    }
    if (!clock) return intervals;
    restart();
    queue.synchronize();
    for (results::Interval& interval : intervals)
        interval.kernels = kernels_per_generation(clock->time([&] {
            execution.advance(interval.generations());
            queue.synchronize();
        }),
                                                  kernels, interval.generations());
    return intervals;
}

namespace {

namespace fs = std::filesystem;

template <class Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

results::ProgramTime transfer_time(Execution& execution, Queue& queue, const State& initial,
                                   State& into) {
    results::ProgramTime time;
    queue.synchronize();
    time.download = seconds_of([&] { execution.download(into); });
    time.upload = seconds_of([&] {
        execution.upload(initial);
        queue.synchronize();
    });
    return time;
}

std::optional<double> saving_time(const Study& study, const State& state) {
    try {
        const TemporaryFolder scratch("time how long saving takes");
        // Workloads choose the file format by the file name extension.
        const fs::path path =
            scratch.path() / (study.workload->capabilities().eruption ? "event" : "state.asc");
        study.workload->check_save_path(path);
        return seconds_of([&] {
            study.workload->save(state, path,
                                 {study.initial, study.problem.parameters, study.generations, ""});
        });
    } catch (const Error&) {
        return std::nullopt;
    } catch (const fs::filesystem_error&) {
        return std::nullopt;
    }
}

}  // namespace camber
