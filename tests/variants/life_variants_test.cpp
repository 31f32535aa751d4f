// Available Life variants, and the conditions under which they are skipped. every_variant_test.cpp
// tests their results.
#include <algorithm>
#include <string>
#include <vector>

#include "harness/measure/case_runner.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::life_variants_test {
namespace {

std::vector<const Variant*> life_variants(Backend backend, ElementType cell) {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == "life" && variant.info.cell == cell &&
            variant.factories.contains(backend))
            found.push_back(&variant);
    return found;
}

Study study_of(Size size, Boundary boundary, ElementType cell, int generations) {
    Study study;
    study.workload = find_workload("life");
    study.problem = {size, boundary, cell};
    study.initial = {.size = size, .cell = cell, .seed = 7, .density = 0.4};
    study.generations = generations;
    study.backend = Backend::simt;
    study.time = false;
    return study;
}

}  // namespace

TEST_CASE("Life variants are registered for both cell types", "[variants]") {
    for (const ElementType cell : {ElementType::uint32, ElementType::uint8}) {
        std::vector<std::string> names;
        for (const Variant* variant : life_variants(Backend::simt, cell))
            names.push_back(variant->info.name());
        for (const char* expected : {"life/global/16x16",
                                     "life/halo/64x4/align128",
                                     "life/halo/128x2/unaligned",
                                     "life/shared_tile/16x16/unaligned",
                                     "life/shared_tile/16x16/align32",
                                     "life/shared_tile/16x16/align64",
                                     "life/shared_tile/16x16/align128",
                                     "life/shared_tile/32x8/align128",
                                     "life/shared_tile/64x4/align128",
                                     "life/shared_tile/128x2/align128",
                                     "life/two_element/16x16/align128",
                                     "life/two_element/64x4/align128",
                                     "life/two_generation/64x4/align128",
                                     "life/two_generation_const/64x4/align128",
                                     "life/two_generation_linear/64x4/align128",
                                     "life/two_generation_linear_load/64x4/align128",
                                     "life/two_element_two_generation_linear/64x4/align128",
                                     "life/thread_per_input/16x16/n1/align128",
                                     "life/thread_per_input/12x12/n2/align128",
                                     "life/thread_per_input/16x16/n4/align128",
                                     "life/n_generations/32x8/n8/align128",
                                     "life/first_rows/16x16/w19/align128",
                                     "life/packed/64x4/v2/align128",
                                     "life/two_element_packed/64x4/v2/align128",
                                     "life/column_stream/32x4/c8/align128",
                                     "life/texture_2d/64x4/align128",
                                     "life/texture_1d/16x16/align128",
                                     "life/read_only/64x4/align128",
                                     "life/l1_preferred/halo/64x4/align128",
                                     "life/shared_preferred/shared_tile/64x4/align128"}) {
            CAPTURE(expected);
            CHECK(std::ranges::find(names, expected) != names.end());
        }
    }
}

TEST_CASE("Life variants cite their source", "[variants]") {
    for (const Variant* variant : life_variants(Backend::simt, ElementType::uint32)) {
        CAPTURE(variant->info.name(), variant->info.technique.source);
        const auto cites = [&](const char* source) {
            return variant->info.technique.source.find(source) != std::string::npos;
        };
        CHECK((cites("Balasalle 2011") || cites("Topa and Mlocek 2013") ||
               cites("Rawat et al. 2016") || cites("Matsumura et al. 2020") ||
               cites("CUDA C++ Programming Guide")));
        CHECK(!variant->info.technique.summary.empty());
    }
}

TEST_CASE("a variant is skipped, with the reason, where it cannot run", "[variants]") {
    const auto variants = life_variants(Backend::simt, ElementType::uint32);
    const auto named = [&](const char* name) {
        return *std::ranges::find_if(
            variants, [&](const Variant* variant) { return variant->info.name() == name; });
    };
    const Study study = study_of({20, 20}, Boundary::dead, ElementType::uint32, 3);
    CaseRunner runner(study);
    const CaseResult result = runner.run(*named("life/two_generation/64x4/align128"));
    CHECK(result.record.status == results::Status::skipped);
    CHECK_THAT(result.record.reason, contains("2 generations per launch"));

    const Variant& tall = *named("life/halo/128x2/align128");
    const DeviceLimits limits = runner.queue().limits();
    CHECK_FALSE(reason_to_skip(tall, {{1, 131070}}, 1, limits, Backend::simt));
    CHECK_THAT(*reason_to_skip(tall, {{1, 131071}}, 1, limits, Backend::simt),
               contains("65536 rows of blocks"));
    CHECK_THAT(*reason_to_skip(tall, {{1, 1}}, 1, limits, Backend::cpu), contains("no cpu form"));

    DeviceLimits small = limits;
    small.threads_per_block = 128;
    CHECK_THAT(*reason_to_skip(tall, {{1, 1}}, 1, small, Backend::simt),
               contains("256 threads per block"));
    small = limits;
    small.shared_bytes_per_block = 1000;
    CHECK_THAT(*reason_to_skip(*named("life/shared_tile/16x16/align128"), {{1, 1}}, 1, small,
                               Backend::simt),
               contains("1296 bytes of shared memory"));
}

TEST_CASE("the reference runs as the cpu backend's variants", "[variants]") {
    Registry local;
    add_reference_variants(local, *find_workload("life"));
    add_reference_variants(local, *find_workload("life"));  // adds nothing
    Study study = study_of({50, 40}, Boundary::torus, ElementType::uint32, 5);
    study.backend = Backend::cpu;
    CaseRunner runner(study);
    int ran = 0;
    for (const Variant& variant : local.variants())
        if (variant.info.cell == ElementType::uint32) {
            CHECK(runner.run(variant).record.status == results::Status::ok);
            ++ran;
        }
    CHECK(ran == 2);
}

}  // namespace camber::life_variants_test
