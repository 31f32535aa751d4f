// Documents with made-up GPU results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber::published_test {

inline results::CaseRecord timed_case(const std::string& variant, Size size,
                                      std::vector<double> samples_ns,
                                      std::map<std::string, double> counters = {}) {
    results::CaseRecord record;
    record.name = variant;
    record.identity.workload = variant.substr(0, variant.find('/'));
    record.identity.variant = variant;
    record.identity.size = size;
    record.identity.cell = "float32";
    record.identity.generations = 1;
    record.identity.backend = Backend::cuda;
    record.samples.emplace().statistics = summarize(samples_ns, 1);
    record.samples->ns = std::move(samples_ns);
    record.derived.emplace().application_bandwidth_bytes_per_second =
        8e9 * static_cast<double>(size.cells()) / record.samples->statistics.median;
    record.counters = std::move(counters);
    return record;
}

inline results::Document document_of(const std::string& gpu, std::vector<results::CaseRecord> cases,
                                     const std::string& source = "made-up.json") {
    results::Document document;
    document.source = source;
    results::Run& run = document.context.run.emplace();
    if (!gpu.empty()) run.gpu.emplace().name = gpu;
    document.cases = std::move(cases);
    return document;
}

}  // namespace camber::published_test
