// Predictions in results files, compared with counters, and in separate files.
#include "harness/predict/prediction_record.hpp"
#include "harness/measure/counting_pass.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::model_record_test {

namespace {

const std::filesystem::path source_dir = CAMBER_SOURCE_DIR;
const std::string halo = "life/halo/64x4/align128";

Prediction predicted() {
    const Variant* variant = nullptr;
    for (const Variant& candidate : registry().variants())
        if (candidate.info.name() == halo && candidate.info.cell == ElementType::uint32)
            variant = &candidate;
    const Problem problem{{2048, 2048}, Boundary::dead, ElementType::uint32};
    return predict(*variant, problem, {find_workload("life"), {.size = problem.size}},
                   parse_architecture("9.0"));
}

std::vector<CounterComparison> compared(const Prediction& prediction, double sectors_too_many) {
    return compare_with_counters(
        quantities(prediction.counts()),
        {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1179648},
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 5505024 + sectors_too_many}});
}

}  // namespace

TEST_CASE("a case's model follows the schema of results files", "[model][results]") {
    const Prediction prediction = predicted();
    const auto comparisons = compared(prediction, 0);
    const auto model = model_record(prediction, comparisons);
    CHECK(model.arch == "9.0");
    CHECK(model.method == "extrapolated");
    CHECK(model.quantities.at("global_load_sectors") == 5505024);
    CHECK(model.agrees == true);
    auto document =
        results::read_document(source_dir / "results/measurement/life-2048-counters.json");
    document.cases[0].model = model;
    const auto json = nlohmann::json::parse(results::to_text(document));
    CHECK(json["benchmarks"][0]["camber"]["model"]["global_load_sectors"].is_number_integer());
    CHECK(
        schema_violations(json, source_dir / "results/schema/camber-results.schema.json").empty());
    CHECK(differences(halo, prediction, comparisons).empty());
}

TEST_CASE("one sector too many is a difference that is told", "[model][results]") {
    const Prediction prediction = predicted();
    const auto comparisons = compared(prediction, 1);
    CHECK(model_record(prediction, comparisons).agrees == false);
    CHECK(differences(halo, prediction, comparisons) ==
          std::vector<std::string>{
              "model and counters differ: life/halo/64x4/align128: global_load_sectors is "
              "predicted to be 5505024, and l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum reads "
              "5505025"});
    CHECK_FALSE(model_record(prediction, {}).agrees.has_value());
}

TEST_CASE("a model's own file has call sites and bounds, a baseline has neither",
          "[model][results]") {
    const Prediction prediction = predicted();
    const Workload& workload = *find_workload("life");
    const results::ModelEntry brief = model_entry(prediction, workload);
    CHECK(brief.variant == halo);
    CHECK(brief.model.quantities.at("bytes_needed") == 2048 * 2048 * 8);
    CHECK_FALSE(brief.sites.has_value());
    CHECK_FALSE(brief.bounds.has_value());

    const auto limits =
        hardware_limits(results::read_document(source_dir / "results/h200/ceilings.json"));
    const Bounds bounds = bounds_of(prediction, limits.value());
    const results::ModelEntry whole = model_entry(prediction, workload, bounds);
    REQUIRE(whole.sites.has_value());
    CHECK(whole.sites->front().site == 1);
    REQUIRE(whole.bounds.has_value());
    CHECK(whole.bounds->size() == bounds.all.size());
    CHECK(whole.largest_bound == bounds.largest()->limit());
    CHECK(model_entry(prediction, workload, {}).bounds->empty());
}

}  // namespace camber::model_record_test
