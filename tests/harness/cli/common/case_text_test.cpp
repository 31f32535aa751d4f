#include "harness/cli/common/result_text.hpp"
#include "tests/analysis/profile/counted_kernels.hpp"
#include "tests/catch.hpp"

namespace camber::measured_row_test {
namespace {

TEST_CASE("a case has a row once it has been timed for the first time", "[measured_row]") {
    results::CaseRecord record;
    record.identity.variant = "halo/64x4/align128";
    record.real_time_ns = 684'250;
    CHECK(row_of(record).empty());
    record.samples.emplace().visits = {{0, 0, 10, "converged"}};
    record.derived.emplace().application_bandwidth_bytes_per_second = 3.1384e12;
    CHECK(row_of(record) ==
          "  halo/64x4/align128                                      684.250 us    3138.4 GB/s");
    record.samples->visits.front().round = 1;
    CHECK(row_of(record).empty());
    record.samples->visits.front().round = 0;
    record.status = results::Status::failed;
    CHECK(row_of(record).empty());
}

TEST_CASE("what the time went to is one line, small parts together", "[measured_row]") {
    results::WallTime wall;
    wall.total = 12.4;
    wall.reference = 1.2;
    wall.limits = 3;
    wall.verification = 2.1;
    wall.samples = 5.9;
    wall.static_facts = 0.1;
    wall.other = 0.1;
    CHECK(line_of(wall) ==
          "time: 12.4 s (reference 1.20, limits 3.00, verification 2.10, samples 5.90, other "
          "0.20)");
}

}  // namespace
}  // namespace camber::measured_row_test

namespace camber::kernel_table_test {

// Table of a launch's kernels: its contents, and the case whose kernels a run shows.

namespace {

using profile::kernel_traffic;
using namespace profile_test;

TEST_CASE("the table of kernels has a line per kernel and one per missed prediction",
          "[profile][table]") {
    CHECK(kernel_table({}).empty());
    CHECK(kernel_table(kernel_traffic(counted_kernels().kernel_counters)) ==
          "  kernel             model      time      DRAM  loads  sectors  stores  sectors\n"
          "  rain (2 launches)  agrees   40.0 %  3.000 kB    192        -       -        -\n"
          "  flow               differs  50.0 %  1.500 kB    200        -       -        -\n"
          "  library            none     10.0 %  1.500 kB      3        -       -        -\n"
          "  flow: 200 global load requests, predicted 199\n");
    results::CaseRecord sampled = counted_kernels();
    sampled.kernel_counters[1].model->method = "sampled";
    const std::string text = kernel_table(kernel_traffic(sampled.kernel_counters));
    CHECK_THAT(text, contains("flow               estimate"));
    CHECK_THAT(text, !contains("predicted 199"));
}

TEST_CASE("a run shows the kernels of its fastest counted case", "[profile][table]") {
    results::Document document;
    CHECK(kernels_of_fastest(document).empty());
    const auto add = [&](const char* variant, double time, bool counted) {
        results::CaseRecord record = counted_kernels();
        record.identity.variant = variant;
        record.real_time_ns = time;
        if (!counted) record.kernel_counters.clear();
        document.cases.push_back(record);
    };
    add("a/one_kernel", 1, false);
    add("a/slow", 30, true);
    add("a/fast", 20, true);
    document.aggregates.push_back({.case_name = "a/slow", .name = "mean", .real_time = 1});
    CHECK_THAT(kernels_of_fastest(document),
               contains("kernels of a launch of a/fast, by counters:\n  kernel "));
}

}  // namespace
}  // namespace camber::kernel_table_test
