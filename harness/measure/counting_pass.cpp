#include "harness/measure/counting_pass.hpp"

#include <algorithm>
#include <utility>

#include "harness/base/stop_signal.hpp"
#include "harness/machine/queue/markers.hpp"

namespace camber {

void CountingPass::add(const CaseResult& result) {
    if (instruments_.counters || instruments_.open_late || !result.stamps.empty())
        cases_.push_back(result);
}

void CountingPass::read(const Events& events, WallClock::Part part, const Reading& reading) {
    const WallClock::Span span(clock_, part);
    for (CaseResult& result : cases_) {
        if (stopping()) return;
        if (events.counting) events.counting(result, done_, total_);
        ++done_;
        const Variant& variant = *result.variant;
        queue_.set_label(variant.info.name());
        const MarkedRange marked_case(marker_name(variant.info.name()));
        const auto execution = variant.factories.at(study_.backend)(queue_, study_.problem);
        execution->upload(initial_);
        try {
            reading(*execution, result);
        } catch (const Stopped&) {  // in the midst of a prediction
            return;
        }
    }
}

bool CountingPass::open_instruments(const Events& events) {
    const auto open = std::exchange(instruments_.open_late, {});
    if (!open || (events.more_to_time && study_.counters.empty())) return false;
    open(instruments_);
    return instruments_.kernel_clock && instruments_.time_kernels;
}

void CountingPass::run(const Events& events) {
    using results::WallTime;
    constexpr int readings = 3;
    const bool kernels_to_time = open_instruments(events);
    const bool counts = instruments_.counters != nullptr;
    if (!counts && !kernels_to_time)
        std::erase_if(cases_, [](const CaseResult& result) { return result.stamps.empty(); });
    done_ = 0;
    total_ = static_cast<int>(cases_.size()) * (counts ? readings : 1);
    std::size_t told = 0;
    const auto tell = [&](const CaseResult& result) {
        ++told;
        if (events.counted) events.counted(result);
    };
    KernelTimer timer(queue_, instruments_);
    read(events, &WallTime::kernel_times, [&](Execution& execution, CaseResult& result) {
        if (kernels_to_time && instruments_.kernel_clock)
            timer.time(execution, result, study_.sampling.seed);
        timer.correct(execution, result, study_.sampling.seed);
        if (!counts) tell(result);
    });
    // To change what is counted takes time, so it is done once.
    std::ranges::stable_partition(
        cases_, [](const CaseResult& result) { return !may_read_textures(*result.variant); });
    if (instruments_.counters) counter_.begin_predictions(cases_);
    if (instruments_.counters)
        read(events, &WallTime::counters, [&](Execution& execution, CaseResult& result) {
            if (instruments_.counters) counter_.count_launch(execution, result);
        });
    if (instruments_.counters)
        read(events, &WallTime::counters, [&](Execution& execution, CaseResult& result) {
            if (!result.record.counters.empty()) {
                counter_.count_kernels(execution, result);
                counter_.predict(result);
            }
            tell(result);
        });
    // What was counted before a stop is kept, without what else would have been found.
    while (counts && told < cases_.size())
        if (const CaseResult& result = cases_[told]; !result.record.counters.empty())
            tell(result);
        else
            ++told;
    cases_.clear();
    if (instruments_.release) instruments_.release();
}

}  // namespace camber
