#include "harness/measure/counting_pass.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/measure/instruments.hpp"
#include "harness/measure/study.hpp"
#include "harness/predict/prediction_record.hpp"

namespace camber {

Predictions::~Predictions() {
    ends_ = true;
}

void Predictions::begin(const std::vector<const Variant*>& variants, int threads) {
    threads_.clear();
    begun_.clear();
    next_ = 0;
    for (const Variant* variant : variants)
        if (const auto [task, added] = tasks_.try_emplace(variant); added)
            begun_.emplace_back(variant, &task->second);
    for (std::size_t i = 0; i < begun_.size() && static_cast<int>(i) < threads; ++i)
        threads_.emplace_back([this] { work(); });
}

void Predictions::work() {
    omp_set_num_threads(1);  // for this thread; the predicting threads already run in parallel
    while (!ends_) {
        const std::size_t i = next_++;
        if (i >= begun_.size()) return;
        make(*begun_[i].first, *begun_[i].second);
    }
}

void Predictions::make(const Variant& variant, Task& task) const {
    if (task.begun.exchange(true)) return;
    try {
        task.promise.set_value(predict_(variant));
    } catch (...) {
        task.promise.set_exception(std::current_exception());
    }
}

const Prediction& Predictions::of(const Variant& variant) {
    Task& task = tasks_[&variant];
    make(variant, task);
    try {
        return task.result.get();
    } catch (const std::exception&) {
        threads_.clear();  // waits for the threads to end
        std::promise<Prediction> again;
        again.set_value(predict_(variant));
        task.result = again.get_future().share();
        return task.result.get();
    }
}

namespace {

constexpr const char* single_kernels = "counters of single kernels";

std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string name_of_kernel(const std::string& symbol,
                           const std::vector<results::Kernel>& of_variant) {
    const auto own = std::ranges::find(of_variant, symbol, &results::Kernel::symbol);
    if (own != of_variant.end()) return own->name;
    if (is_library_kernel(symbol)) return "library";
    // Defined in harness/machine/cuda/stream_kernels.cu.
    return symbol.find("11fill_kernel") != std::string::npos ? "fill" : symbol;
}

std::string compare_kernels(results::CaseRecord& record, const Prediction& prediction) {
    std::vector<results::KernelCounters*> own;
    std::vector<std::string> launched;
    for (results::KernelCounters& kernel : record.kernel_counters) {
        if (std::ranges::find(record.kernels, kernel.symbol, &results::Kernel::symbol) ==
            record.kernels.end())
            continue;
        own.push_back(&kernel);
        launched.push_back(kernel.name);
    }
    std::vector<std::string> predicted;
    for (const KernelPrediction& kernel : prediction.kernels) predicted.push_back(kernel.kernel);
    if (launched != predicted)
        return fmt::format("it launches {}, where the model has {}", listed(launched),
                           listed(predicted));
    for (std::size_t i = 0; i < own.size(); ++i) {
        Prediction alone = prediction;
        alone.kernels = {prediction.kernels[i]};
        own[i]->model = model_record(
            alone, compare_with_counters(quantities(alone.counts()), own[i]->counters));
    }
    return "";
}

std::vector<std::string> differences(const std::string& variant, const Prediction& prediction,
                                     const std::vector<CounterComparison>& comparisons) {
    std::vector<std::string> sentences;
    // An estimate from sampled blocks may differ from the counters.
    if (prediction.method == Method::sampled) return sentences;
    for (const CounterComparison& quantity : comparisons)
        if (!quantity.agrees && !quantity.tolerance)
            sentences.push_back(fmt::format(
                "model and counters differ: {}: {} is predicted to be {:.0f}, and {} reads {:.0f}",
                variant, quantity.quantity, quantity.predicted, quantity.metric,
                quantity.measured));
    return sentences;
}

void CaseCounter::restore(Execution& execution, const CaseResult& result) {
    execution.upload(initial_);
    if (result.conditions.cache == CacheState::cold) queue_.evict_caches();
    queue_.synchronize();
}

bool may_read_textures(const Variant& variant) {
    const Family family = variant.info.technique.family;
    return family == Family::texture_or_constant || family == Family::other;
}

counters::CounterReader& CaseCounter::reader_for(const Variant& variant) {
    auto& fewer = instruments_.counters_without_textures;
    return fewer && !may_read_textures(variant) ? *fewer : *instruments_.counters;
}

void CaseCounter::count_launch(Execution& execution, CaseResult& result) {
    const MarkedRange marked("counters");
    try {
        result.record.counters =
            reader_for(*result.variant)
                .measure([&] { restore(execution, result); },
                         [&] { execution.advance(result.variant->info.shape.generations); });
    } catch (const Error& error) {
        // The failure does not affect the variant's verification and times.
        instruments_.failures["counters"] = error.what();
        instruments_.counters.reset();
        instruments_.counters_without_textures.reset();
    }
}

// The counters do not report kernel names, so the same kernels are launched under the kernel clock,
// which does.
void CaseCounter::count_kernels(Execution& execution, CaseResult& result) {
    if (!can_count_kernels_ || !instruments_.counters) return;
    const MarkedRange marked("kernel-counters");
    const auto launch = [&] {
        execution.advance(result.variant->info.shape.generations);
        queue_.synchronize();
    };
    const auto leave_out = [&](std::string why) {
        instruments_.failures["counters of the kernels of " + result.variant->info.name()] =
            std::move(why);
    };
    if (!instruments_.kernel_clock) {
        const auto why = instruments_.failures.find("kernel times");
        instruments_.failures[single_kernels] = why != instruments_.failures.end()
                                                    ? why->second
                                                    : "no kernel clock tells which ones they are";
        can_count_kernels_ = false;
        return;
    }
    try {
        restore(execution, result);
        const std::vector<counters::KernelTime> launched = instruments_.kernel_clock->time(launch);
        if (launched.empty()) return;  // the case only copies
        if (launched.size() > most_kernels)
            return leave_out(
                fmt::format("a launch of it has {} kernels, and at most {} are told "
                            "apart",
                            launched.size(), most_kernels));
        std::vector<std::map<std::string, double>> counted{result.record.counters};
        if (launched.size() > 1)
            counted =
                reader_for(*result.variant)
                    .measure_kernels([&] { restore(execution, result); }, launch, launched.size());
        if (counted.size() != launched.size())
            return leave_out(fmt::format("the counters saw {} kernels, and the kernel clock {}",
                                         counted.size(), launched.size()));
        auto& counters = result.record.kernel_counters;
        for (std::size_t i = 0; i < launched.size(); ++i) {
            results::KernelCounters& kernel = counters.emplace_back();
            kernel.name = name_of_kernel(launched[i].symbol, result.record.kernels);
            kernel.symbol = launched[i].symbol;
            kernel.counters = std::move(counted[i]);
        }
    } catch (const Error& error) {
        // The counters of the launch as a whole have already been read.
        instruments_.failures[single_kernels] = error.what();
        can_count_kernels_ = false;
    }
}

bool CaseCounter::can_predict(const Variant& variant) const {
    return capability_ != 0 && variant.factories.contains(Backend::simt);
}

Prediction CaseCounter::prediction_of(const Variant& variant) const {
    const InitialData data{study_.workload, study_.initial, &initial_};
    return camber::predict(
        variant, study_.problem, data,
        parse_architecture(fmt::format("{}.{}", capability_ / 10, capability_ % 10)));
}

void CaseCounter::begin_predictions(const std::vector<CaseResult>& cases) {
    std::vector<const Variant*> variants;
    for (const CaseResult& result : cases)
        if (can_predict(*result.variant)) variants.push_back(result.variant);
    // One thread drives the device. Each of the others may need memory for a whole board and its
    // outputs.
    const auto boards = available_host_memory() / (8 * board_bytes(study_));
    const auto threads = static_cast<std::size_t>(thread_count(study_.cpu_threads)) - 1;
    predictions_.begin(variants, static_cast<int>(std::min(threads, boards)));
}

void CaseCounter::predict(CaseResult& result) {
    const Variant& variant = *result.variant;
    if (!can_predict(variant)) return;
    try {
        const Prediction& prediction = predictions_.of(variant);
        const auto comparisons =
            compare_with_counters(quantities(prediction.counts()), result.record.counters);
        result.record.model = model_record(prediction, comparisons);
        result.differences = differences(variant.info.name(), prediction, comparisons);
        if (result.record.kernel_counters.empty()) return;
        if (std::string why = compare_kernels(result.record, prediction); !why.empty())
            instruments_.failures["the prediction of the kernels of " + variant.info.name()] =
                std::move(why);
    } catch (const std::exception& error) {
        // The measurement is valid without its prediction.
        instruments_.failures["the model of " + variant.info.name()] = error.what();
    }
}

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
        } catch (const Stopped&) {  // during a prediction
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
    // Changing the set of counters takes time, so cases are sorted to change it only once.
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
    // If the process is to end, counters that were read are reported, without the remaining
    // readings.
    while (counts && told < cases_.size())
        if (const CaseResult& result = cases_[told]; !result.record.counters.empty())
            tell(result);
        else
            ++told;
    cases_.clear();
    if (instruments_.release) instruments_.release();
}

}  // namespace camber
