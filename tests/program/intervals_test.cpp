// `camber run --intervals`: a run from the start in timed intervals.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace intervals_test {

using namespace camber::cli_test;

TEST_CASE("a run of lava is timed in intervals, its cells at work counted",
          "[cli][portable][intervals]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--quick", "--workload", "sciara_fv3", "--backend", "cpu", "--size",
                     "40x30", "--density", "0", "--generations", "30", "--intervals", "3",
                     "--processes", "2", "--out", "r.json"},
                    folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "r.json");
    CHECK(defects(results) == std::vector<std::string>{});
    for (const Json& entry : results["benchmarks"]) {
        const Json& intervals = entry["camber"]["intervals"];
        REQUIRE(intervals.size() == 3);
        for (int i = 0; i < 3; ++i) {
            CHECK(intervals[i]["first"] == 10 * i);
            CHECK(intervals[i]["last"] == 10 * (i + 1));
            CHECK(intervals[i]["samples_ns"].size() >= 6);  // of both processes
        }
    }
    const Json& activity = results["context"]["camber"]["activity"];
    REQUIRE(activity.size() == 4);
    CHECK(activity[0]["active"] == 0);
    CHECK(activity[3]["generation"] == 30);
    CHECK(activity[3]["active"] > activity[1]["active"]);
    for (const Json& row : activity) {
        CHECK(row["boxes"].size() == 4);
        CHECK(row["list"] <= row["boxes"][3]);
        CHECK(row["boxes"][3] <= row["boxes"][0]);
    }
    CHECK_THAT(outcome.out, contains("1-10") && contains("21-30") && contains("cells with lava") &&
                                contains("of 1 box"));
}

TEST_CASE("water is timed in intervals too", "[cli][intervals]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--quick", "--workload", "water_flow", "--backend", "cpu", "--size",
                     "40x30", "--intervals", "2", "--out", "r.json"},
                    folder.path());
    REQUIRE(outcome.exit_code == 0);
    CHECK_FALSE(results_in(folder / "r.json")["context"]["camber"].contains("activity"));
    CHECK_THAT(outcome.out, contains("5-8"));
}

TEST_CASE("intervals that cannot be are refused", "[cli][intervals]") {
    const TestFolder folder;
    const auto refused = [&](const Arguments& arguments, const std::string& reason) {
        const Outcome outcome = run_program(arguments, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(reason));
    };
    refused({"run", "--backend", "simt", "--graph", "--intervals", "2"},
            "leave it out, or --graph");
    refused({"run", "--backend", "cpu", "--generations", "4", "--intervals", "5"},
            "--intervals 5 are more than the run has generations, 4");
}

}  // namespace intervals_test
