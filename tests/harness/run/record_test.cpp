// A case as an element of the results file: what follows from its time, and its kernels.
#include "harness/run/record.hpp"

#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {
namespace {

// A variant of water flow, 100 x 10 cells in a microsecond per generation.
struct Measured {
    explicit Measured(double bytes_per_cell, int kernels = 1) {
        variant.info.workload = "water_flow";
        variant.info.bytes_per_cell = bytes_per_cell;
        study.workload = find_workload("water_flow");
        study.backend = Backend::cuda;
        study.problem.size = {100, 10};
        study.problem.cell = ElementType::float32;
        result.variant = &variant;
        result.status = Status::ok;
        result.samples.ns = {2000};
        result.samples.generations_per_sample = 2;
        result.statistics = summarize(result.samples.ns, 1);
        for (int i = 0; i < kernels; ++i)
            result.kernels.emplace_back().name = "kernel " + std::to_string(i);
    }
    nlohmann::ordered_json camber(const Ceilings& ceilings) const {
        return record(study, result, derive(study, result, ceilings), {"mass", 1, 2}, 0, 1,
                      0)["camber"];
    }

    Variant variant;
    Study study;
    CaseResult result;
};

TEST_CASE("a record has the bytes that steps must move, and their share of the copy", "[record]") {
    const auto derived = Measured(64).camber({128e9, {}})["derived"];
    CHECK(derived["cells_per_second"].get<double>() == Approx(1e9));
    CHECK(derived["generations_per_second"].get<double>() == Approx(1e6));
    CHECK(derived["application_bandwidth_bytes_per_second"].get<double>() == Approx(32e9));
    CHECK(derived["share_of_copy"].get<double>() == Approx(0.25));
    CHECK(derived["step_bytes_per_cell"] == 64);
    CHECK(derived["step_share_of_copy"].get<double>() == Approx(0.5));

    const auto unmeasured = Measured(64).camber({})["derived"];
    CHECK(unmeasured["step_bytes_per_cell"] == 64);
    CHECK(unmeasured["step_share_of_copy"].is_null());

    const auto unknown = Measured(0).camber({128e9, {}})["derived"];
    CHECK_FALSE(unknown.contains("step_bytes_per_cell"));
    CHECK_FALSE(unknown.contains("step_share_of_copy"));
}

TEST_CASE("a record has all kernels where there are several", "[record]") {
    const auto one = Measured(8, 1).camber({});
    CHECK(one["kernel"]["name"] == "kernel 0");
    CHECK_FALSE(one.contains("kernels"));
    const auto three = Measured(8, 3).camber({});
    CHECK(three["kernel"]["name"] == "kernel 0");
    REQUIRE(three["kernels"].size() == 3);
    CHECK(three["kernels"][0] == three["kernel"]);
    CHECK(three["kernels"][2]["name"] == "kernel 2");
}

TEST_CASE("a record has the counters of single kernels where there are several", "[record]") {
    Measured pipeline(8, 2);
    pipeline.result.counters = {{"x", 3}};
    pipeline.result.kernel_counters = {{"kernel 0", "a", {{"x", 1}}, {}, {}}};
    CHECK_FALSE(pipeline.camber({}).contains("kernel_counters"));
    pipeline.result.kernel_counters.push_back({"kernel 1", "b", {{"x", 2}}, {}, {}});
    const auto record = pipeline.camber({});
    REQUIRE(record["kernel_counters"].size() == 2);
    CHECK(record["kernel_counters"][1] == nlohmann::ordered_json{{"name", "kernel 1"},
                                                                 {"symbol", "b"},
                                                                 {"counters", {{"x", 2.0}}}});
}

TEST_CASE("a record has a flow's own final state where it passed as a whole", "[record]") {
    Measured measured(8);
    measured.result.verification.emplace();
    CHECK(measured.camber({})["final"]["checksum"] == "0x0000000000000002");
    measured.result.verification->flow.final = {"mass", 3, 4};
    CHECK(measured.camber({})["final"]["checksum"] == "0x0000000000000004");
    CHECK(measured.camber({})["final"]["mass"] == 3);
}

}  // namespace
}  // namespace camber
