#include "harness/measure/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "harness/base/statistics.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/machine/queue/markers.hpp"

namespace camber {

namespace {

constexpr double events_share_limit = 0.005;  // of a hot sample
constexpr int launches_limit = 100'000;       // per sample
// Launches of a recording come in sixes, so that its replays find the buffers, of which some
// variants have two in turn and others three, as it left them.
constexpr int recorded_unit = 6;
static_assert(most_recorded_launches % recorded_unit == 0);
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

// Generations per hot sample.
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
    // Launches in a row take less time each than one alone: the estimate is made twice.
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

}  // namespace camber
