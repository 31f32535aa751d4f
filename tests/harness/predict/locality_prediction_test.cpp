// Reuse of data between the launches of a step, extrapolated from small boards and simulated on the
// target board.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "harness/predict/launch_time.hpp"
#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::locality_prediction_test {
namespace {

// Two passes: along the rows into an intermediate board, then along its columns.
Prediction two_passes(bool may_extrapolate) {
    const Workload& workload = *find_workload("gaussian");
    const auto variant = std::ranges::find_if(registry().variants(), [](const Variant& each) {
        return each.info.name() == "gaussian/separable_passes/two_kernels/64x4/align128" &&
               each.factories.contains(Backend::simt);
    });
    if (variant == registry().variants().end()) throw std::logic_error("no such variant");
    const Problem problem{{1024, 512},
                          Boundary::dead,
                          ElementType::float32,
                          ParameterSet(workload.facts().parameters)};
    return predict(*variant, problem, {&workload, {.size = problem.size, .cell = problem.cell}},
                   parse_architecture("sm_90"), {.may_extrapolate = may_extrapolate});
}

}  // namespace

TEST_CASE("the locality of a large board is that of a small one", "[model][time]") {
    const Prediction small = two_passes(true);
    const Prediction whole = two_passes(false);
    REQUIRE(small.method == Method::extrapolated);
    REQUIRE(whole.method == Method::simulated);
    REQUIRE(small.kernels.size() == 2);
    REQUIRE(whole.kernels.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const Locality& one = small.kernels[i].locality;
        const Locality& other = whole.kernels[i].locality;
        CHECK(one.pieces_of_block == Approx(other.pieces_of_block).epsilon(0.1));
        CHECK(one.of_step == other.of_step);
        CHECK(one.touched_before == other.touched_before);
        REQUIRE(other.touched_before.size() == i);
    }
    // One row of 64 floats in each of 4 rows, and the cells that the stencil reads at both sides.
    CHECK(whole.kernels[0].locality.pieces_of_block > 8);
    CHECK(whole.kernels[0].locality.pieces_of_block <= 12);
    // The second pass writes the board that the first one has read.
    const KernelPrediction& second = whole.kernels[1];
    CHECK(static_cast<double>(second.locality.touched_before[0]) ==
          Approx(second.model.distinct_sectors).epsilon(0.02));
    CHECK(static_cast<double>(second.locality.of_step) ==
          Approx(second.model.distinct_sectors).epsilon(0.02));
}

TEST_CASE("each kernel of a step knows what the others move", "[model][time]") {
    const Prediction prediction = two_passes(false);
    std::vector<results::Kernel> code(2);
    for (std::size_t i = 0; i < 2; ++i) code[i].name = prediction.kernels[i].kernel;
    const auto works = std::get<std::vector<KernelWork>>(works_of(prediction, &code));
    REQUIRE(works.size() == 2);
    constexpr double boards = 2 * 4.0 * 1024 * 512;
    for (const KernelWork& work : works) CHECK(work.step_bytes == Approx(boards).epsilon(0.05));
    CHECK(works[0].revisits.empty());
    REQUIRE(works[1].revisits.size() == 1);
    CHECK(works[1].revisits[0].share == Approx(1).epsilon(0.02));
    CHECK(works[1].revisits[0].bytes_since == Approx(boards).epsilon(0.05));
}

}  // namespace camber::locality_prediction_test
