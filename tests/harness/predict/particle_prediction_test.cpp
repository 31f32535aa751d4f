// Predictions of particles: an iteration has several kernels with data-dependent lists, followed by
// library calls.
#include <map>
#include <stdexcept>

#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::particle_prediction_test {
namespace {

const Architecture h200 = parse_architecture("sm_90");

const Variant& particles() {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == "sph/neighbour_list/float4/plain/b64" &&
            variant.info.cell == ElementType::float32)
            return variant;
    throw std::logic_error("no particles in lists");
}

// DamBreak3D with that particle spacing.
Problem dam_of(double dp) {
    const Workload& sph = *find_workload("sph");
    ParameterSet parameters(sph.facts().parameters);
    parameters.set("dp", {dp});
    return {sph.capabilities().parameter_start->size_for(parameters), Boundary::dead,
            ElementType::float32, parameters};
}

InitialData data_of(const Problem& problem) {
    return {find_workload("sph"), {.size = problem.size, .cell = problem.cell, .seed = 7}};
}

}  // namespace

// The force kernel's blocks read lists written by blocks of an earlier kernel, most of which are
// not recorded.
TEST_CASE("blocks of a sampled launch find what all blocks of the one before wrote", "[model]") {
    const Problem problem = dam_of(0.06);
    const InitialData data = data_of(problem);
    const Prediction full = predict(particles(), problem, data, h200);
    REQUIRE(full.method == Method::simulated);
    int covered = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Prediction sampled =
            predict(particles(), problem, data, h200,
                    {.simulated_cells = 100, .sampled_blocks = 15, .sampling_seed = seed});
        REQUIRE(sampled.method == Method::sampled);
        const std::int64_t loads = full.counts().global_load.sectors;
        covered += sampled.low().global_load.sectors <= loads &&
                   loads <= sampled.high().global_load.sectors;
    }
    CHECK(covered >= 8);  // of 10, with probability 95 % each
}

TEST_CASE("what libraries do after a kernel is known of a board that was traced", "[model]") {
    const Problem problem = dam_of(0.04);
    const auto count = static_cast<std::int64_t>(problem.size.cells());
    const Prediction prediction = predict(particles(), problem, data_of(problem), h200);
    std::map<std::string, simt::LibraryCall> calls;
    for (const KernelPrediction& kernel : prediction.kernels)
        for (const simt::LibraryCall& call : kernel.after) calls[kernel.kernel + call.name] = call;
    REQUIRE(calls.contains("hashsort"));
    REQUIRE(calls.contains("correctorminimum"));
    CHECK(calls.size() == 2);
    // The cell numbers have 9 to 16 bits: two radix digits.
    CHECK(calls["hashsort"].kernels == 4);
    CHECK(calls["hashsort"].read_bytes == count * (4 + 2 * 8));
    CHECK(calls["hashsort"].written_bytes == count * 2 * 8);
    CHECK(calls["correctorminimum"].read_bytes == 4 * count);
}

}  // namespace camber::particle_prediction_test
