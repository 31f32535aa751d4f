// Documents for comparison tests: committed measurements, and small made-up ones.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "harness/record/merge.hpp"

namespace camber::compare_test {

using results::CaseRecord;
using results::Document;

inline Document committed(const std::string& path) {
    Document document = results::read_document(std::filesystem::path(CAMBER_SOURCE_DIR) / path);
    results::merge_repetitions(document);
    return document;
}

inline void slow_down(CaseRecord& record, double factor) {
    if (!record.samples) return;
    for (double& sample : record.samples->ns) sample *= factor;
}

// Returns the document with all times multiplied by `factor`.
inline Document slowed(Document document, double factor) {
    for (CaseRecord& record : document.cases) slow_down(record, factor);
    return document;
}

inline comparison::Comparison compared(Document base, Document changed,
                                       const comparison::GateRules& rules = {}) {
    base.source = "base.json";
    changed.source = "new.json";
    return comparison::compare(base, changed, rules);
}

// `count` samples around `center`, with that relative standard deviation.
inline std::vector<double> samples_around(double center, double deviation, std::size_t count,
                                          std::mt19937_64& engine) {
    std::normal_distribution<double> normal(center, deviation * center);
    std::vector<double> samples(count);
    for (double& sample : samples) sample = normal(engine);
    return samples;
}

// One case, measured by one process per list of samples (ns per generation).
inline Document document_of(const std::vector<std::vector<double>>& processes) {
    CaseRecord record;
    record.name = "life/halo/64x4/align128/2048x2048/uint32/cuda";
    record.identity.workload = "life";
    record.identity.variant = "life/halo/64x4/align128";
    record.identity.size = {2048, 2048};
    record.identity.cell = "uint32";
    record.identity.generations = 16;
    record.identity.backend = Backend::cuda;
    record.identity.boundary = Boundary::dead;
    record.identity.seed = 1;
    record.verification.emplace().status = Verification::Status::passed;
    results::Samples& samples = record.samples.emplace();
    for (std::size_t k = 0; k < processes.size(); ++k) {
        samples.ns.insert(samples.ns.end(), processes[k].begin(), processes[k].end());
        samples.visits.push_back({static_cast<int>(k), 0, std::ssize(processes[k]), "converged"});
    }
    Document document;
    results::Run& run = document.context.run.emplace();
    run.gpu.emplace();
    run.gpu->name = "GPU A";
    run.gpu->compute_capability = "9.0";
    run.gpu->sm_count = 132;
    run.driver = "13.0";
    run.driver_version = "580.1";
    run.compiler = "GNU 12.2.0, nvcc 13.0.88";
    document.cases.push_back(record);
    return document;
}

inline results::ModelRecord model_of(std::map<std::string, double> quantities) {
    results::ModelRecord model;
    model.arch = "9.0";
    model.quantities = std::move(quantities);
    return model;
}

inline void set_clock(Document& document, std::int64_t hertz) {
    DeviceState state;
    state.sm_clock_hz = hertz;
    for (CaseRecord& record : document.cases)
        record.device_state = {state, {state, state}, state, {}};
}

}  // namespace camber::compare_test
