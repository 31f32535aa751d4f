// Built-in variants rewritten as plain CUDA kernels without camber's functions: they match the
// reference, the checker reports nothing, and their access counts equal those of the built-in
// variants.
#include <cmath>
#include <string>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::same_counts_test {
namespace {

struct Twin {
    const char* file;
    const char* variant;
    Size size;
    ElementType cell = ElementType::uint32;
};

// Boards that are no multiple of the block, if the kernel tests for the edge.
constexpr Twin twins[] = {
    {"global.cu", "life/global/32x8", {131, 53}},
    {"halo.cu", "life/halo/32x8/align128", {131, 53}},
    {"halo_unaligned.cu", "life/halo/32x8/unaligned", {131, 53}},
    {"shared_tile.cu", "life/shared_tile/16x16/align128", {131, 53}},
    {"shared_tile_unaligned.cu", "life/shared_tile/16x16/unaligned", {131, 53}},
    {"two_element.cu", "life/two_element/64x4/align128", {131, 53}},
    {"two_generation.cu", "life/two_generation/16x16/align128", {131, 53}},
    {"texture.cu", "life/texture_2d/16x16/align128", {131, 53}},
    {"read_only.cu", "life/read_only/16x16/align128", {131, 53}, ElementType::uint8},
    {"packed_float2.cu", "blur/packed/64x4/v2/align128", {256, 64}, ElementType::float32},
    {"packed_float4.cu", "blur/packed/64x4/v4/align128", {256, 64}, ElementType::float32},
    {"row_stream.cu", "blur/row_stream/32x4/v4/r2/align128", {256, 64}, ElementType::float32},
    {"scatter.cu",
     "surface_water/scatter/five_kernels/64x4/align128",
     {131, 53},
     ElementType::float32},
};

const Variant& variant_named(const std::string& name, ElementType cell) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == name && variant.info.cell == cell &&
            variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

// Number of cells that differ after some generations by more than the workload's tolerance.
std::int64_t wrong_cells(const Variant& variant, const Workload& workload, const Problem& problem,
                         const State& initial, int generations) {
    simt::HostQueue queue(1);
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(initial);
    execution->poison(Poison::first);
    execution->advance(generations);
    queue.synchronize();
    State actual = initial;
    execution->download(actual);
    const State expected = expected_state(workload, initial, problem.cell,
                                          {problem.boundary, problem.parameters}, generations);
    const Tolerance tolerance = workload.tolerance({problem.cell, generations, false, true});
    std::int64_t wrong = 0;
    for (const HostField& field : expected.fields) {
        const auto bytes = actual.field(field.name()).bytes();
        if (tolerance.exact()) {
            for (std::size_t i = 0; i < bytes.size(); ++i)
                wrong += int{bytes[i] != field.bytes()[i]};
            continue;
        }
        const auto is = actual.field(field.name()).cells<float>();
        const auto must = field.cells<float>();
        for (std::size_t i = 0; i < is.size(); ++i)
            wrong += int{!(std::abs(is[i] - must[i]) <=
                           tolerance.of(field.name()).absolute +
                               tolerance.of(field.name()).relative * std::abs(must[i]))};
    }
    return wrong;
}

}  // namespace

TEST_CASE("plain kernels reach the reference, and ask of memory what the built-in variants ask",
          "[candidate]") {
    for (const Twin& twin : twins) {
        CAPTURE(twin.file);
        const Variant& built_in = variant_named(twin.variant, twin.cell);
        const Workload& workload = *find_workload(built_in.info.workload);
        const Variant plain =
            candidate_variant(kernel_file(twin.file), workload, twin.cell, uncached());
        CHECK(plain.info.shape.halo == built_in.info.shape.halo);
        CHECK(plain.info.shape.shared_bytes == built_in.info.shape.shared_bytes);
        CHECK(plain.info.bytes_per_cell == built_in.info.bytes_per_cell);

        const Problem problem{twin.size, Boundary::dead, twin.cell,
                              ParameterSet(workload.facts().parameters)};
        const InitialData data{&workload, {.size = twin.size, .cell = twin.cell}, nullptr};
        const Architecture architecture = parse_architecture("sm_90");
        const Prediction expected = predict(built_in, problem, data, architecture);
        const Prediction predicted = predict(plain, problem, data, architecture);
        REQUIRE(predicted.kernels.size() == expected.kernels.size());
        for (std::size_t i = 0; i < expected.kernels.size(); ++i) {
            CAPTURE(i, predicted.kernels[i].kernel);
            CHECK(predicted.kernels[i].grid.count() == expected.kernels[i].grid.count());
            const AccessCounts& is = predicted.kernels[i].model.counts;
            const AccessCounts& must = expected.kernels[i].model.counts;
            CHECK(is.global_load == must.global_load);
            CHECK(is.global_store == must.global_store);
            CHECK(is.global_atomic == must.global_atomic);
            CHECK(is.texture_load == must.texture_load);
            CHECK(is.shared_load == must.shared_load);
            CHECK(is.shared_store == must.shared_store);
        }

        const State initial = workload.initial(data.conditions);
        CHECK(wrong_cells(plain, workload, problem, initial, 4) == 0);
        const CheckResult checked = check_variant(plain, problem, initial, 2, 2);
        CHECK(checked.skipped.empty());
        for (const Finding& finding : checked.findings)
            FAIL_CHECK(describe(finding.kind) << " " << finding.sites << finding.sentence);
    }
}

TEST_CASE("a plain kernel's torus is that of the reference", "[candidate]") {
    const Workload& life = *find_workload("life");
    const Variant plain =
        candidate_variant(kernel_file("halo.cu"), life, ElementType::uint32, uncached());
    const Problem problem{{67, 35}, Boundary::torus, ElementType::uint32, {}};
    const State initial = life.initial({.size = problem.size});
    CHECK(wrong_cells(plain, life, problem, initial, 5) == 0);
    const Variant& built_in = variant_named("life/halo/32x8/align128", ElementType::uint32);
    const InitialData data{&life, {.size = problem.size}, nullptr};
    const Architecture architecture = parse_architecture("sm_90");
    const AccessCounts is = predict(plain, problem, data, architecture).counts();
    const AccessCounts must = predict(built_in, problem, data, architecture).counts();
    CHECK(is.global_load == must.global_load);
    CHECK(is.global_store == must.global_store);
}

}  // namespace camber::same_counts_test
