// Small documents for report tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/report/report.hpp"

namespace camber::report_test {

using results::CaseRecord;
using results::Document;
using results::Status;

// A timed case of life on 10 x 10 cells, with a minimum of 800 bytes per generation.
inline CaseRecord timed_case(const std::string& variant, const std::string& technique,
                             double median_ns, double speedup) {
    CaseRecord record;
    record.name = "life/" + variant;
    record.identity.workload = "life";
    record.identity.technique = technique;
    record.identity.variant = "life/" + variant;
    record.identity.size = {10, 10};
    record.identity.cell = "uint32";
    record.identity.backend = Backend::cuda;
    record.identity.boundary = Boundary::dead;
    record.identity.generations_per_launch = 1;
    record.verification.emplace().status = Verification::Status::passed;
    record.verification->compared_cells = 100;
    record.samples.emplace().ns = {median_ns - 1, median_ns, median_ns + 1};
    record.samples->statistics = {.n = 3,
                                  .min = median_ns - 1,
                                  .median = median_ns,
                                  .iqr = 1,
                                  .ci95_low = median_ns - 1,
                                  .ci95_high = median_ns + 1};
    results::Derived& derived = record.derived.emplace();
    derived.cells_per_second = 100 / median_ns * 1e9;
    derived.application_bandwidth_bytes_per_second = 800 / median_ns * 1e9;
    derived.share_of_copy = derived.application_bandwidth_bytes_per_second / 10e9;
    derived.speedup_vs_baseline = speedup;
    return record;
}

inline CaseRecord with_status(CaseRecord record, Status status, const std::string& reason) {
    record.status = status;
    record.reason = reason;
    return record;
}

inline Document document(const std::string& source, const std::vector<CaseRecord>& cases,
                         const std::string& gpu = "GPU A",
                         const std::string& date = "2026-01-01T00:00:00+0000") {
    Document document;
    document.source = source;
    document.context.date = date;
    results::Run& run = document.context.run.emplace();
    run.gpu.emplace().name = gpu;
    run.gpu->sm_clock_hz = 1980000000;
    run.git = {"0123456789abcdef", true};
    run.ceilings.copy_bytes_per_second = 10e9;
    run.ceilings.copy = {{1024, 5e9}};
    document.cases = cases;
    return document;
}

inline report::Report report_of(const std::vector<Document>& documents) {
    return report::build_report(documents, [](std::string_view technique) {
        return technique == "halo" ? Family::global_memory : Family::other;
    });
}

}  // namespace camber::report_test
