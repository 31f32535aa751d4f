// cluster_tile on boards that clusters overhang on all sides, and with whole clusters inside:
// compared with the reference cell by cell, and without races.
#include <vector>

#include "harness/measure/case_runner.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::cluster_tile_test {
namespace {

struct Of {
    const char* workload;
    ElementType cell;
    int variants;
};
constexpr Of workloads[] = {{"blur", ElementType::float32, 6}, {"life", ElementType::uint32, 2}};

std::vector<const Variant*> variants_of(const Of& of) {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == of.workload && variant.info.cell == of.cell &&
            variant.info.technique.name == "cluster_tile")
            found.push_back(&variant);
    return found;
}

TEST_CASE("clusters of blocks compute what the reference does", "[cluster_tile][slow]") {
    for (const Of& of : workloads) {
        const auto variants = variants_of(of);
        CHECK(static_cast<int>(variants.size()) == of.variants);
        for (const Boundary boundary : {Boundary::dead, Boundary::torus})
            for (const Size size : {Size{501, 379}, Size{241, 469}}) {
                Study study;
                study.workload = find_workload(of.workload);
                study.problem = {size, boundary, of.cell,
                                 ParameterSet(study.workload->facts().parameters)};
                study.initial = {.size = size, .cell = of.cell, .seed = 17, .density = 0.4};
                study.backend = Backend::simt;
                study.time = false;
                study.cpu_threads = 1;  // such tests run side by side
                study.generations = 16;
                CaseRunner runner(study);
                for (const Variant* variant : variants) {
                    const CaseResult result = runner.run(*variant);
                    CAPTURE(result.record.name, size.columns, result.record.reason);
                    CHECK(result.record.status == results::Status::ok);
                    REQUIRE(result.record.verification);
                    CHECK(result.record.verification->compared_cells == size.cells());
                }
            }
    }
}

TEST_CASE("clusters of blocks are clean inside a board and at its edges", "[cluster_tile][check]") {
    for (const Of& of : workloads)
        for (const Variant* variant : variants_of(of)) {
            const Workload& workload = *find_workload(of.workload);
            const Size size{2 * variant->info.shape.region.columns + 30,
                            variant->info.shape.region.rows + 9};
            const Problem problem{size, Boundary::torus, of.cell,
                                  ParameterSet(workload.facts().parameters)};
            const State initial = workload.initial({.size = size, .cell = of.cell, .seed = 5});
            const CheckResult result =
                check_variant(*variant, problem, initial, variant->info.shape.generations, 1);
            INFO(describe(result));
            CHECK(result.clean());
        }
}

}  // namespace
}  // namespace camber::cluster_tile_test
