#include "analysis/report/report.hpp"
#include "harness/record/metric_names.hpp"
#include "tests/analysis/report/report_fixture.hpp"
#include "tests/catch.hpp"

namespace roofs_test {

using namespace camber;
using namespace camber::report;
using namespace camber::report_test;

namespace {

// 100 cells in 100 ns: 1e9 cells per second.
CaseRecord one_case() {
    return timed_case("halo/16x16", "halo", 100, 1);
}

// A kernel with that number of instructions and one thread per cell.
results::Kernel kernel(std::int64_t instructions) {
    results::Kernel kernel;
    kernel.instructions = {{"total", instructions}};
    kernel.block = {10, 10};
    kernel.grid = {1, 1};
    return kernel;
}

// One SM at 1 GHz issues 4 warp instructions per ns.
std::optional<FlatRoof> roof_of(const std::vector<CaseRecord>& cases,
                                std::optional<double> launch_seconds = {}) {
    Document whole = document("a.json", cases);
    results::Run& run = *whole.context.run;
    run.gpu->sm_count = 1;
    run.gpu->sm_clock_hz = 1000000000;
    run.ceilings.launch_seconds = launch_seconds;
    return report_of({whole}).groups.at(0).flat_roof;
}

}  // namespace

TEST_CASE("the flat roof is the issue slots of the variant that asks least of them", "[report]") {
    CaseRecord few = one_case(), many = one_case();
    few.counters[metric::warp_instructions] = 200;  // 50 ns of issue slots: half of the time
    many.identity.variant = "life/global/16x16";
    many.counters[metric::warp_instructions] = 300;
    const auto roof = roof_of({few, many});
    REQUIRE(roof);
    CHECK(roof->name == "issue slots");
    CHECK(roof->cells_per_second == Approx(2e9));
    CHECK_FALSE(roof->estimate);
}

TEST_CASE("without counters the flat roof is estimated from the kernels' text", "[report]") {
    CaseRecord one = one_case();
    one.kernels = {kernel(64)};  // 100 threads are 3.125 warps: 200 instructions
    const auto roof = roof_of({one});
    REQUIRE(roof);
    CHECK(roof->cells_per_second == Approx(2e9));
    CHECK(roof->estimate);

    // Kernels that loop over cells or generations execute their code more than once.
    one.kernels[0].block = {8, 2};
    CHECK_FALSE(roof_of({one}));
    one.kernels = {kernel(64)};
    one.identity.generations_per_launch = 2;
    CHECK_FALSE(roof_of({one}));
}

TEST_CASE("a rate that a case has passed is no roof", "[report]") {
    CaseRecord one = one_case();
    one.kernels = {kernel(256)};  // 0.5e9 cells per second
    CHECK_FALSE(roof_of({one}));
    one.kernels.clear();
    CHECK_FALSE(roof_of({one}, 200e-9));
}

TEST_CASE("small boards have the launches as their flat roof", "[report]") {
    const auto roof = roof_of({one_case()}, 50e-9);
    REQUIRE(roof);
    CHECK(roof->name == "launches");
    CHECK(roof->cells_per_second == Approx(2e9));
    // A roof far above the fastest case is omitted.
    CHECK_FALSE(roof_of({one_case()}, 0.5e-9));
}

}  // namespace roofs_test
