#include <string>
#include <vector>

#include "harness/cli/model/timing.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace camber::candidate_code_test {

// Output of cuobjdump 13.5 for two kernels for sm_90.
TEST_CASE("registers and local memory are read off cuobjdump's resource usage", "[try]") {
    const char* const listing =
        "\nResource usage:\n Common:\n  GLOBAL:0\n"
        " Function plain:\n"
        "  REG:10 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0\n"
        " Function _Z4stepILi4EEvPKfPfi:\n"
        "  REG:24 STACK:64 SHARED:2048 LOCAL:0 CONSTANT[0]:548 TEXTURE:0 SURFACE:0 SAMPLER:0\n";
    const auto step = parse_usage(listing, "_Z4stepILi4EEvPKfPfi");
    REQUIRE(step);
    CHECK(step->registers == 24);
    CHECK(step->local_bytes == 64);
    REQUIRE(parse_usage(listing, "plain"));
    CHECK(parse_usage(listing, "plain")->registers == 10);
    CHECK_FALSE(parse_usage(listing, "_Z4step"));
    CHECK_FALSE(parse_usage("", "plain"));
    CHECK_FALSE(parse_usage(" Function plain:", "plain"));
}

}  // namespace camber::candidate_code_test

namespace measured_test {

// Options that a prediction takes from a measured file: board, rule and parameters.

using namespace camber;

namespace {

RunOptions options_of(const char* file) {
    RunOptions options;
    take_board_of(results::read_document(std::string(CAMBER_SOURCE_DIR "/results/") + file),
                  options);
    return options;
}

}  // namespace

TEST_CASE("predictions beside a file are of its rule and parameters", "[model]") {
    const RunOptions gaussian = options_of("h100/gaussian-r15.json");
    CHECK(gaussian.workload == "gaussian");
    CHECK(gaussian.size == "16384x16384");
    CHECK(gaussian.parameters == std::vector<std::string>{"radius=15", "sigma=5"});
    CHECK(gaussian.workload_options.empty());
    CHECK(options_of("h200/larger_than_life-r15.json").workload_options.at("rule") ==
          "R15,C0,M1,S270..461,B270..357,NM");
    // The parameters of these workloads do not change the counts, so the size is given instead.
    CHECK(options_of("h200/magflow.json").parameters.empty());
    CHECK(options_of("h200/life.json").parameters.empty());
    // The particles' parameters determine the size, which must not be given as well.
    const RunOptions particles = options_of("h200/sph.json");
    CHECK(particles.size.empty());
    CHECK(particles.parameters == std::vector<std::string>{
                                        "alpha=0.3", "balance_threshold=0.5", "cfl=0.3",
                                        "divide_along=0", "divide_by=0", "dp=0.005", "nu=1e-06",
                                        "rebuild=10", "scene=0", "skin=0", "time=0"});
}

TEST_CASE("predictions beside a file of graphs are of graphs", "[model]") {
    const auto document = [](const char* file) {
        return results::read_document(std::string(CAMBER_SOURCE_DIR "/results/") + file);
    };
    CHECK(submission_of(document("h200/life-1000x777.json")) == Submission::stream);
    CHECK(submission_of(document("experiments/h200-requests/life-1000x777-graph.json")) ==
          Submission::graph);
    CHECK(options_of("experiments/h200-requests/life-1000x777-graph.json").size == "1000x777");
}

}  // namespace measured_test
