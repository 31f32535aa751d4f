// A prediction beside its counters in a results file.
#include "harness/results/model_json.hpp"

#include <fstream>

#include "harness/run/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {
namespace {

const std::filesystem::path source_dir = CAMBER_SOURCE_DIR;

CaseResult counted_case(double sectors_too_many) {
    CaseResult result;
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == "life/halo/64x4/align128" &&
            variant.info.cell == ElementType::uint32)
            result.variant = &variant;
    const Problem problem{{2048, 2048}, Boundary::dead, ElementType::uint32};
    result.model =
        predict(*result.variant, problem, {find_workload("life"), {.size = problem.size}},
                parse_architecture("9.0"));
    result.counters = {
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1179648},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 5505024 + sectors_too_many}};
    result.model_comparisons =
        compare_with_counters(quantities(result.model->counts()), result.counters);
    return result;
}

}  // namespace

TEST_CASE("a case's model follows the schema of results files", "[model][results]") {
    const CaseResult result = counted_case(0);
    const auto model = model_record(*result.model, result.model_comparisons);
    CHECK(model["arch"] == "9.0");
    CHECK(model["method"] == "extrapolated");
    CHECK(model["global_load_sectors"] == 5505024);
    CHECK(model["global_load_sectors"].is_number_integer());
    CHECK(model["agrees"] == true);
    std::ifstream file(source_dir / "results/h200/life-2048-counters.json");
    auto document = nlohmann::json::parse(file);
    document["benchmarks"][0]["camber"]["model"] = model;
    CHECK(schema_violations(document, source_dir / "results/schema/camber-results.schema.json")
              .empty());
    CHECK(describe_differences(result).empty());
}

TEST_CASE("one sector too many is a difference that is told", "[model][results]") {
    const CaseResult result = counted_case(1);
    CHECK(model_record(*result.model, result.model_comparisons)["agrees"] == false);
    CHECK(describe_differences(result) ==
          std::vector<std::string>{
              "model and counters differ: life/halo/64x4/align128: global_load_sectors is "
              "predicted to be 5505024, and l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum reads "
              "5505025"});
    CHECK_FALSE(model_record(*result.model, {}).contains("agrees"));
}

TEST_CASE("limits of a device come from what measured them", "[model][results]") {
    std::ifstream file(source_dir / "results/h200/ceilings.json");
    const auto device = model_ceilings(nlohmann::ordered_json::parse(file));
    CHECK(device.name == "NVIDIA H200");
    CHECK(device.compute_capability == "9.0");
    // Reading is the fastest that its DRAM does.
    CHECK(*device.ceilings.dram_bytes_per_second == Approx(4.5866e12).epsilon(1e-4));
    CHECK(*device.ceilings.l2_bytes_per_second == Approx(1.21076e13).epsilon(1e-4));
    CHECK(*device.ceilings.sm_count == 132);
    CHECK(*device.ceilings.warm_l2_bytes == 62914560);
    CHECK_THROWS_AS(model_ceilings({{"context", {{"camber", {{"gpu", nullptr}}}}}}),
                    nlohmann::json::exception);
}

}  // namespace camber
