// Records of a case before it runs, and of its kernels afterwards.
#include <optional>
#include <string>

#include "harness/measure/case_result.hpp"
#include "harness/record/metric_names.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::identity_test {

namespace {

// Rates of a water flow variant with 100 x 10 cells in a microsecond per generation.
results::Derived derived(double bytes_per_cell, std::optional<double> copy_bytes_per_second) {
    Variant variant;
    variant.info.workload = "water_flow";
    variant.info.bytes_per_cell = bytes_per_cell;
    Study study;
    study.workload = find_workload("water_flow");
    study.problem.size = {100, 10};
    study.problem.cell = ElementType::float32;
    return results::derive(work_of(study, variant), 1e-6, copy_bytes_per_second);
}

TEST_CASE("rates have the bytes that steps must move, and their share of the copy", "[record]") {
    const results::Derived all = derived(64, 128e9);
    CHECK(all.cells_per_second == Approx(1e9));
    CHECK(all.generations_per_second.value() == Approx(1e6));
    CHECK(all.application_bandwidth_bytes_per_second == Approx(32e9));
    CHECK(all.share_of_copy.value() == Approx(0.25));
    CHECK(all.step_bytes_per_cell == 64);
    CHECK(all.step_share_of_copy.value() == Approx(0.5));

    const results::Derived unmeasured = derived(64, std::nullopt);
    CHECK(unmeasured.step_bytes_per_cell == 64);
    CHECK_FALSE(unmeasured.step_share_of_copy);
    CHECK_FALSE(unmeasured.share_of_copy);

    const results::Derived unknown = derived(0, 128e9);
    CHECK_FALSE(unknown.step_bytes_per_cell);
    CHECK_FALSE(unknown.step_share_of_copy);
}

TEST_CASE("a case has the limit that it comes nearest to, where counters tell", "[record]") {
    results::Document document;
    results::Run& run = document.context.run.emplace();
    run.gpu.emplace().sm_count = 100;
    run.ceilings.copy_bytes_per_second = 10e9;
    run.ceilings.l2_bytes_per_second = 40e9;
    results::CaseRecord& record = document.cases.emplace_back();
    record.identity.backend = Backend::cuda;
    record.identity.size = {10, 10};
    record.samples.emplace().statistics.median = 100;  // ns
    record.derived.emplace();
    add_limits(document);
    CHECK_FALSE(record.derived->limit);

    // 5 GB/s from DRAM, 32 GB/s from L2.
    record.counters = {{metric::dram_read_bytes, 300},
                       {metric::dram_write_bytes, 200},
                       {metric::l2_read_sectors, 60},
                       {metric::l2_write_sectors, 40}};
    add_limits(document);
    CHECK(record.derived->limit == "l2");
    CHECK(record.derived->share_of_limit.value() == Approx(0.8));
    record.identity.backend = Backend::simt;
    record.derived->limit.reset();
    add_limits(document);
    CHECK_FALSE(record.derived->limit);
}

TEST_CASE("a case is told by what the study fixes, and by no more", "[record]") {
    Variant variant;
    variant.info.workload = "life";
    variant.info.technique.name = "halo";
    variant.info.form = "64x4";
    variant.info.parameters = {{"columns", std::int64_t{64}}, {"layout", std::string("rows")}};
    variant.info.shape.generations = 2;
    Study study;
    study.workload = find_workload("life");
    study.problem.size = {100, 10};
    study.problem.boundary = Boundary::torus;
    study.backend = Backend::cuda;
    study.device = 1;
    study.from_start = true;
    study.initial.seed = 7;
    const Case chosen{&variant, {CacheState::hot, Submission::graph}};

    const results::CaseRecord drawn = record_of(study, chosen);
    CHECK(drawn.name == "life/halo/64x4/100x10/uint32/cuda/torus/graph/from_start");
    CHECK(drawn.identity.variant == "life/halo/64x4");
    REQUIRE(drawn.identity.parameters.size() == 2);
    CHECK(drawn.identity.parameters[0].second == results::Scalar(std::int64_t{64}));
    CHECK(drawn.identity.parameters[1].second == results::Scalar(std::string("rows")));
    CHECK(drawn.identity.device == 1);
    CHECK(drawn.identity.boundary == Boundary::torus);
    CHECK(drawn.identity.submission == Submission::graph);
    CHECK(drawn.identity.from_start);
    CHECK(drawn.identity.generations_per_launch == 2);
    CHECK(drawn.identity.seed == 7u);
    CHECK_FALSE(drawn.identity.input_tiles);
    CHECK_FALSE(drawn.identity.added_density);
    CHECK(drawn.status == results::Status::ok);
    CHECK_FALSE(drawn.verification);
    CHECK_FALSE(drawn.samples);

    // A board from a file has no random cells, except those that are added to it.
    study.initial.input = "image.pgm";
    study.workload = find_workload("magflow");
    study.initial.options["tile"] = "2x1";
    CHECK_FALSE(record_of(study, chosen).identity.seed);
    CHECK(record_of(study, chosen).identity.input_tiles == Size{2, 1});
    study.initial.density = 0.25;
    CHECK(record_of(study, chosen).identity.seed == 7u);
    CHECK(record_of(study, chosen).identity.added_density == 0.25);
}

TEST_CASE("what the compiler fixed is recorded of kernels on a device only", "[record]") {
    KernelFacts facts;
    facts.name = "flow";
    facts.symbol = "_Z4flowv";
    facts.block[0] = 64;
    facts.block[1] = 4;
    facts.grid[0] = 3;
    facts.registers = 32;
    facts.static_shared = 1024;
    facts.dynamic_shared = 16;
    facts.local = 8;
    facts.occupancy = 0.5;
    const results::Kernel device = recorded(facts, true);
    CHECK(device.name == "flow");
    CHECK(device.symbol == "_Z4flowv");
    CHECK(device.block == Size{64, 4});
    CHECK(device.grid == Size{3, 1});
    CHECK(device.registers == 32);
    CHECK(device.static_shared_bytes == 1024);
    CHECK(device.dynamic_shared_bytes == 16);
    CHECK(device.local_bytes == 8);
    CHECK(device.occupancy == 0.5);
    // The value is recorded as the driver's choice.
    REQUIRE(device.shared_carve_out_percent);
    CHECK_FALSE(*device.shared_carve_out_percent);
    const results::Kernel host = recorded(facts, false);
    CHECK(host.name == "flow");
    CHECK(host.block == Size{64, 4});
    CHECK_FALSE(host.symbol);
    CHECK_FALSE(host.registers);
    CHECK_FALSE(host.occupancy);
    CHECK_FALSE(host.shared_carve_out_percent);
}

}  // namespace
}  // namespace camber::identity_test
