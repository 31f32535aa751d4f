// Map of transfer_overlap compared with values computed by hand, and invalid input.
#include "tests/catch.hpp"
#include "tests/sentence.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/transfer/transfer_overlap/map.hpp"

namespace camber::transfer_overlap_test {
namespace {

const Workload& workload() {
    return *find_workload("transfer_overlap");
}

State next_of(const State& state, double repeats) {
    State next = state;
    ParameterSet parameters(workload().facts().parameters);
    parameters.set("repeats", {repeats});
    workload().generation(state, next, {.parameters = parameters});
    return next;
}

}  // namespace

TEST_CASE("the map takes the mean and repeats the logistic map", "[transfer_overlap]") {
    using transfer_overlap::mapped;
    CHECK(mapped(0.25f, 0.75f, 0) == 0.5f);
    CHECK(mapped(0.25f, 0.75f, 1) == 3.9f * 0.5f * 0.5f);
    const float once = 3.9f * 0.5f * 0.5f;
    CHECK(mapped(0.25f, 0.75f, 2) == 3.9f * once * (1.0f - once));
    CHECK(mapped(0, 0, 100) == 0);
}

TEST_CASE("the reference maps each element, however many there are", "[transfer_overlap]") {
    for (const Size size : {Size{1, 1}, Size{128, 1}, Size{130, 3}, Size{257, 2}}) {
        const State state = workload().initial({.size = size, .cell = ElementType::float32});
        const State next = next_of(state, 37);
        const auto x = state.field("x").cells<float>();
        const auto input = state.field("input").cells<float>();
        for (std::size_t i = 0; i < x.size(); ++i) {
            REQUIRE(x[i] != input[i]);
            REQUIRE(next.field("x").cells<float>()[i] ==
                    transfer_overlap::mapped(x[i], input[i], 37));
        }
    }
}

TEST_CASE("a small error of an element changes its result altogether", "[transfer_overlap]") {
    const float right = transfer_overlap::mapped(0.3f, 0.4f, 200);
    const float wrong = transfer_overlap::mapped(0.3f + 0x1p-22f, 0.4f, 200);
    CHECK(right != wrong);
}

TEST_CASE("repeats that are no whole number are refused", "[transfer_overlap]") {
    const State state = workload().initial({.size = {2, 2}, .cell = ElementType::float32});
    for (const double repeats : {-1.0, 0.5, 1e7})
        CHECK(sentence_of([&] { next_of(state, repeats); }).find("repeats = ") !=
              std::string::npos);
}

TEST_CASE("an array has no files", "[transfer_overlap]") {
    CHECK(sentence_of([] {
              workload().initial({.size = {2, 2}, .cell = ElementType::float32, .input = "x.pgm"});
          }).find("leave out --input") != std::string::npos);
    CHECK(sentence_of([] { workload().check_save_path("x"); }).find("leave out --save") !=
          std::string::npos);
}

}  // namespace camber::transfer_overlap_test
