#include "harness/cli/common/measured_row.hpp"

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
