// Rounds, processes and the order of the cases in `camber run`.
#include <set>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::cli_test::sampling_test {
namespace {

const Arguments on_cpu{"run", "--backend", "cpu", "--size", "64x48", "--quick"};

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST_CASE("several processes measure into one file, and the levels are kept",
          "[cli][portable][sampling]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        with(on_cpu, {"--processes", "2", "--rounds", "2", "--out", "r.json"}), folder.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, contains("rank  variant"));
    CHECK_THAT(outcome.out, contains("results: r.json\n"));
    CHECK(folder.entries() == 1);
    const Json results = results_in(folder / "r.json");
    CHECK(defects(results) == std::vector<std::string>{});
    const Json& run = results["context"]["camber"];
    CHECK(run["sampling"]["processes"] == 2);
    CHECK(run["sampling"]["rounds"] == 2);
    CHECK(run["command"].back() == "r.json");
    REQUIRE(results["benchmarks"].size() == 2);
    for (const Json& entry : results["benchmarks"]) {
        const Json& visits = entry["camber"]["visits"];
        REQUIRE(visits.size() == 4);
        std::size_t n = 0;
        std::set<std::pair<int, int>> levels;
        for (const Json& visit : visits) {
            n += visit["n"].get<std::size_t>();
            levels.emplace(visit["process"], visit["round"]);
        }
        CHECK(levels == std::set<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
        CHECK(entry["camber"]["samples_ns"].size() == n);
        CHECK(entry["camber"]["statistics"]["n"] == n);
    }
}

TEST_CASE("the order of the cases can be repeated", "[cli][portable][sampling]") {
    const TestFolder folder;
    const auto seed_of = [&](const Arguments& more) {
        const Outcome outcome = run_program(with(on_cpu, more), folder.path());
        CHECK(outcome.exit_code == 0);
        return results_in(folder /
                          "camber-results.json")["context"]["camber"]["sampling"]["order_seed"]
            .get<std::uint64_t>();
    };
    CHECK(seed_of({"--order-seed", "17"}) == 17);
    CHECK(seed_of({}) != seed_of({}));
}

TEST_CASE("what a process cannot do, the whole run says once", "[cli][portable][sampling]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"run", "--backend", "cpu", "--processes", "3", "--pattern", "absent.rle"}, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("absent.rle"));
}

TEST_CASE("conditions that only a GPU has are refused elsewhere", "[cli][sampling]") {
    const TestFolder folder;
    const auto sentence = [&](const Arguments& more) {
        const Outcome outcome = run_program(with(on_cpu, more), folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(folder.entries() == 0);
        return outcome.err;
    };
    CHECK(sentence({"--cache", "cold"}) ==
          "camber: --cache cold needs a GPU: it means nothing on the cpu backend\n");
    CHECK(sentence({"--cache", "both"}) ==
          "camber: --cache both needs a GPU: it means nothing on the cpu backend\n");
    CHECK(sentence({"--graph"}) ==
          "camber: --graph replays kernels, and the cpu backend has none: choose cuda or simt\n");
    CHECK(sentence({"--cache", "warm"}) ==
          "camber: cache state 'warm' is unknown: choose hot, cold or both\n");
    CHECK_THAT(sentence({"--rounds", "2", "--benchmark_repetitions=2"}),
               contains("cannot be combined"));
    CHECK_THAT(sentence({"--rounds", "0"}), contains("--rounds"));
}

TEST_CASE("every sample of a run from the start is the whole run", "[cli][portable][sampling]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"run", "--backend", "cpu", "--workload", "sciara_fv2", "--size", "40x30", "--variant",
         "reference/serial", "--generations", "7", "--quick", "--from-start", "--rounds", "2"},
        folder.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("7 generations in every sample, cpu"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results["benchmarks"].size() == 1);
    const Json& benchmark = results["benchmarks"][0];
    CHECK(benchmark["name"] == "sciara_fv2/reference/serial/40x30/float64/cpu/from_start");
    CHECK(benchmark["camber"]["from_start"] == true);
    CHECK(benchmark["camber"]["generations_per_sample"] == 7);
    CHECK(benchmark["camber"]["visits"].size() == 2);
    // Time that a whole program takes besides its generations.
    const Json& program = benchmark["camber"]["program"];
    for (const char* part : {"load_seconds", "upload_seconds", "download_seconds"})
        CHECK(program[part].get<double>() > 0);
    CHECK(program["save_seconds"].get<double>() > 0);
    CHECK(folder.entries() == 1);  // the file written to measure saving was deleted
}

TEST_CASE("the five passes of surface water are a variant on the CPU",
          "[cli][portable][sampling]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"run", "--backend", "cpu", "--workload", "surface_water", "--size", "40x30", "--variant",
         "reference/five_passes", "--generations", "20", "--quick", "--from-start"},
        folder.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    const Json& camber = results["benchmarks"][0]["camber"];
    CHECK(camber["verification"]["status"] == "passed");
    CHECK(camber["program"]["save_seconds"].is_number());
}

TEST_CASE("whole runs are recorded and replayed on the executor", "[cli][portable][sampling]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"run", "--backend", "simt", "--workload", "sciara_fv2", "--size", "30x20", "--density",
         "0.2", "--variant", "one_kernel/16x16", "--variant", "sorted_list/256x1/m16/*", "--variant",
         "bounding_box/host/64x4/tight/*", "--generations", "19", "--graph", "--from-start"},
        folder.path());
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("19 generations in every sample, simt"));
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results["benchmarks"].size() == 3);
    int skipped = 0;
    for (const Json& benchmark : results["benchmarks"]) {
        const Json& camber = benchmark["camber"];
        CHECK_THAT(benchmark["name"].get<std::string>(), contains("/graph/from_start"));
        CHECK(camber["submission"] == "graph");
        CHECK(camber["from_start"] == true);
        if (camber["technique"] == "bounding_box") {
            ++skipped;
            CHECK(camber["status"] == "skipped");
            CHECK_THAT(camber["reason"].get<std::string>(),
                       contains("its host takes part between launches"));
            continue;
        }
        CHECK(camber["status"] == "ok");
        CHECK(camber["verification"]["status"] == "passed");
        CHECK(camber["generations_per_sample"] == 19);
    }
    CHECK(skipped == 1);
}

TEST_CASE("what cannot be measured from the start is refused", "[cli][sampling]") {
    const TestFolder folder;
    const auto sentence = [&](const char* backend, const Arguments& more) {
        const Outcome outcome = run_program(
            with({"run", "--backend", backend, "--quick", "--from-start"}, more), folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(folder.entries() == 0);
        return outcome.err;
    };
    CHECK(sentence("simt", {}) ==
          "camber: --from-start needs times, and the simt backend has none: choose cuda or cpu\n");
    CHECK(sentence("cpu", {"--graph"}) ==
          "camber: --graph replays kernels, and the cpu backend has none: choose cuda or simt\n");
    CHECK(sentence("cpu", {"--cache", "both"}) ==
          "camber: --from-start cannot be combined with --cache both, whose samples are single "
          "launches: leave out one of the two\n");
}

}  // namespace
}  // namespace camber::cli_test::sampling_test
