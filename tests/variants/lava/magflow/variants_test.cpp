// Tests of MAGFLOW's kernels on the executor in addition to those of every variant: plain sums,
// changing rates, a known history, and resources and traffic.
#include <map>
#include <string>

#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/variants/lava/magflow/valley_history.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::variants_test {
namespace {

const Variant& variant_named(const std::string& name, ElementType cell) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == name && variant.info.cell == cell &&
            variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

// One variant per kernel.
const char* const kernels[] = {"magflow/global/four_kernels/16x16",
                               "magflow/halo/four_kernels/64x3/align128",
                               "magflow/shared_tile/four_kernels/16x16/align128",
                               "magflow/shared_tile/four_kernels/64x4/align128",
                               "magflow/read_only/four_kernels/64x4/align128",
                               "magflow/register_cap/four_kernels/64x4/align128",
                               "magflow/half_stencil/four_kernels/8x8/align128",
                               "magflow/half_stencil/three_kernels/64x3/align128",
                               "magflow/fused_minimum/three_kernels/64x1/align128"};

}  // namespace

TEST_CASE("kernels of MAGFLOW follow the parameters of sums and emission", "[magflow]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        Study study;
        study.workload = find_workload("magflow");
        const Size size{41, 27};
        ParameterSet set(study.workload->facts().parameters);
        set.set("kahan", {0});
        set.set("linear_rates", {1});
        set.set("slot_length", {0.01});
        set.set("dt_max", {3});
        study.problem = {size, Boundary::dead, cell, set};
        study.initial = {.size = size, .cell = cell, .seed = 8, .density = 0.2};
        study.backend = Backend::simt;
        study.time = false;
        study.cpu_threads = 1;
        study.generations = 12;
        CaseRunner runner(study);
        for (const char* name : kernels) {
            const CaseResult result = runner.run(variant_named(name, cell));
            CAPTURE(name, result.record.reason);
            CHECK(result.record.status == results::Status::ok);
            REQUIRE(result.record.verification);
            CHECK(result.record.verification->exact());
        }
    }
}

TEST_CASE("kernels of MAGFLOW reproduce the known history of lava in a valley", "[magflow]") {
    for (const char* name : {"magflow/halo/four_kernels/64x3/align128",
                             "magflow/half_stencil/three_kernels/8x8/align128",
                             "magflow/fused_minimum/three_kernels/64x4/align128"})
        check_valley_history(variant_named(name, ElementType::float32));
}

TEST_CASE("variants of MAGFLOW say what they need and move", "[magflow]") {
    // Three staged quantities and five sums of floats.
    const std::map<std::string, std::size_t> shared_bytes{
        {"64x1", 3656}, {"8x8", 2480}, {"64x3", 7800}, {"64x4", 9872}, {"16x16", 9008}};
    for (const auto& [block, bytes] : shared_bytes)
        for (const char* pipeline : {"four_kernels/", "three_kernels/"})
            CHECK(variant_named("magflow/half_stencil/" + (pipeline + block) + "/align128",
                                ElementType::float32)
                      .info.shape.shared_bytes == bytes);
    const auto moved = [](const char* name, ElementType cell) {
        return variant_named(name, cell).info.bytes_per_cell;
    };
    const Workload& workload = *find_workload("magflow");
    for (const ElementType cell : workload.facts().cell_types)
        CHECK(moved("magflow/halo/four_kernels/64x4/align128", cell) ==
              workload.facts().moved.bytes(cell));
    // Longest steps are neither written nor read.
    CHECK(moved("magflow/fused_minimum/three_kernels/64x4/align128", ElementType::float32) ==
          74 - 8);
}

}  // namespace camber::variants_test
