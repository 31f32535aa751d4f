// The keys of samples, of kernels' times and of intervals
// (results/schema/camber-results.schema.json, definition "case").
#include "harness/record/time_fields.hpp"

#include "harness/record/names.hpp"

namespace camber::results {

template <class A>
void fields(A& a, Of<A, Visit>& visit) {
    a("process", visit.process);
    a("round", visit.round);
    a("n", visit.n);
    a("stopped_by", visit.stopped_by);
}

// What every summary of samples has.
template <class A>
void common_fields(A& a, Of<A, SampleStatistics>& statistics) {
    a("n", statistics.n);
    a("min_ns", statistics.min);
    a("median_ns", statistics.median);
    a("iqr_ns", statistics.iqr);
    std::pair interval{statistics.ci95_low, statistics.ci95_high};
    a("ci95_ns", interval);
    if constexpr (!A::writes) std::tie(statistics.ci95_low, statistics.ci95_high) = interval;
}

template <class A>
void fields(A& a, Of<A, KernelTime>& kernel) {
    a("name", kernel.name);
    common_fields(a, kernel.statistics);
    a.any_sign().null("clock_bias_ns", kernel.clock_bias_ns);
    a.may("shared_memory_bytes", kernel.shared_memory_bytes);
    a("samples_ns", kernel.samples_ns);
}

template <class A>
void all_fields(A& a, Of<A, KernelTimes>& times) {
    a("generations", times.generations);
    a("ns_per_generation", times.ns_per_generation);
    a.any_sign()("launch_gap_ns", times.launch_gap_ns);
    a("kernels", times.kernels);
}

// The statistics are an object of their own, with the reason why sampling ended.
struct Summary {
    SampleStatistics statistics;
    std::string stopped_by;
};
template <class A>
void fields(A& a, Of<A, Summary>& summary) {
    common_fields(a, summary.statistics);
    a("outliers", summary.statistics.outliers);
    a("stopped_by", summary.stopped_by);
}

// Times of one generation, which programs need most. Derived when written, ignored when read.
struct PerGeneration {
    SampleStatistics statistics;
};
void fields(Writer& a, const PerGeneration& time) {
    a("min_ns", time.statistics.min);
    a("median_ns", time.statistics.median);
    a("iqr_ns", time.statistics.iqr);
    a("ci95_ns", std::pair{time.statistics.ci95_low, time.statistics.ci95_high});
}

PerGeneration per_generation(const Samples& samples) {
    SampleStatistics statistics = samples.statistics;
    for (double* time : {&statistics.min, &statistics.median, &statistics.iqr, &statistics.ci95_low,
                         &statistics.ci95_high})
        *time /= samples.generations_per_sample;
    return {statistics};
}

void fields(Writer& a, const Samples& samples) {
    a("generations_per_sample", samples.generations_per_sample);
    a("samples_ns", samples.ns);
    a.some("visits", samples.visits);
    a("statistics", Summary{samples.statistics, samples.stopped_by});
    if (samples.generations_per_sample > 0) a("per_generation", per_generation(samples));
}

void fields(Reader& a, Samples& samples) {
    a("generations_per_sample", samples.generations_per_sample);
    a("samples_ns", samples.ns);
    a.some("visits", samples.visits);
    Summary summary;
    a("statistics", summary);
    samples.statistics = summary.statistics;
    samples.stopped_by = std::move(summary.stopped_by);
}

template <class A>
void fields(A& a, Of<A, IntervalKernel>& kernel) {
    a("name", kernel.name);
    a("ns_per_generation", kernel.ns_per_generation);
}

template <class A>
void all_fields(A& a, Of<A, Interval>& interval) {
    a("first", interval.first);
    a("last", interval.last);
    a("samples_ns", interval.samples_ns);
    a.some("kernels", interval.kernels);
}

void fields(Writer& a, const KernelTimes& times) {
    all_fields(a, times);
}
void fields(Reader& a, KernelTimes& times) {
    all_fields(a, times);
}
void fields(Writer& a, const Interval& interval) {
    all_fields(a, interval);
}
void fields(Reader& a, Interval& interval) {
    all_fields(a, interval);
}

}  // namespace camber::results
