// Google Benchmark's own flags in `camber run`.
#include <algorithm>
#include <map>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace benchmark_flags_test {

namespace {

using namespace camber::cli_test;

Outcome run_in(const TestFolder& folder, Arguments arguments) {
    arguments.insert(arguments.begin(), {"run", "--quick"});
    Outcome outcome = run_program(arguments, folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome;
}

// Three measurements of each case in any order, and the aggregates over them.
void check_three_repetitions(const Json& results, std::size_t cases) {
    CHECK(defects(results) == std::vector<std::string>{});
    std::map<std::string, std::vector<int>> repetitions;
    std::map<std::string, std::vector<std::string>> aggregates;
    for (const Json& entry : results["benchmarks"]) {
        CHECK(entry["repetitions"] == 3);
        const std::string name = entry["run_name"];
        if (entry["run_type"] == "aggregate") {
            aggregates[name].push_back(entry["aggregate_name"]);
            continue;
        }
        CHECK(entry["camber"]["status"] == "ok");
        CHECK(entry["camber"]["verification"]["status"] == "passed");
        CHECK(entry["real_time"] > 0);
        repetitions[name].push_back(entry["repetition_index"]);
    }
    CHECK(repetitions.size() == cases);
    CHECK(aggregates.size() == cases);
    for (const auto& [name, indices] : repetitions) CHECK(indices == std::vector{0, 1, 2});
    for (const auto& [name, kinds] : aggregates) {
        for (const char* kind : {"mean", "median", "stddev"})
            CHECK(std::ranges::count(kinds, kind) == 1);
    }
}

}  // namespace

TEST_CASE("the flag --benchmark_filter chooses cases by a regular expression",
          "[cli][portable][engine]") {
    const TestFolder folder;
    run_in(folder, {"--size", "9x5", "--benchmark_filter=halo/(16x16|64x4)/unaligned"});
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results["benchmarks"].size() == 2);
    CHECK(results["benchmarks"][0]["name"] == "life/halo/16x16/unaligned/9x5/uint32/simt");
    CHECK(results["benchmarks"][1]["name"] == "life/halo/64x4/unaligned/9x5/uint32/simt");
}

TEST_CASE("repetitions in random order keep every measurement", "[cli][portable][engine]") {
    const TestFolder folder;
    SECTION("executor") {
        run_in(folder,
               {"--backend", "simt", "--size", "9x5", "--variant", "global/*",
                "--benchmark_repetitions=3", "--benchmark_enable_random_interleaving=true"});
        check_three_repetitions(results_in(folder / "camber-results.json"), 4);
    }
    SECTION("cpu") {
        run_in(folder, {"--backend", "cpu", "--size", "40x30", "--benchmark_repetitions=3",
                        "--benchmark_enable_random_interleaving=true"});
        check_three_repetitions(results_in(folder / "camber-results.json"), 2);
    }
    SECTION("in order") {
        run_in(folder, {"--backend", "simt", "--size", "9x5", "--variant", "global/*",
                        "--benchmark_repetitions=3"});
        check_three_repetitions(results_in(folder / "camber-results.json"), 4);
    }
}

TEST_CASE("the flag --benchmark_list_tests names the cases and runs none",
          "[cli][portable][engine]") {
    const TestFolder folder;
    const Outcome outcome =
        run_in(folder, {"--variant", "global/*", "--size", "9x5", "--benchmark_list_tests=true"});
    const auto lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].starts_with("life/global/16x16/9x5/uint32/simt"));
    CHECK(lines[3].starts_with("life/global/128x2/9x5/uint32/simt"));
    CHECK(folder.entries() == 0);
    CHECK(run_in(folder, {"--variant", "global/*", "--size", "9x5", "--benchmark_list_tests=true",
                          "--processes", "2"})
              .out == outcome.out);
    // Nothing is prepared: this board and its reference would exceed the time limit of any test.
    const Outcome large =
        run_in(folder, {"--variant", "halo/64x4/align128", "--size", "262144x262144",
                        "--generations", "1000", "--benchmark_list_tests=true"});
    CHECK(large.exit_code == 0);
    CHECK(lines_of(large.out).size() == 1);
}

}  // namespace benchmark_flags_test
