// Several visits to one case become one element of the results file.
#include "harness/results/merge.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace camber {
namespace {

using Json = nlohmann::ordered_json;

// A case whose samples of `generations` generations each take so long.
Json visit(const std::vector<double>& samples, int generations = 2, int process = 0,
           const std::string& stopped_by = "converged") {
    std::vector<double> sorted = samples;
    std::ranges::sort(sorted);
    const double median = sorted[sorted.size() / 2];
    return {{"name", "a"},
            {"run_name", "a"},
            {"run_type", "iteration"},
            {"repetition_index", 0},
            {"iterations", samples.size() * generations},
            {"real_time", median / generations},
            {"cpu_time", 10.0},
            {"camber",
             {{"variant", "life/a"},
              {"cache", "hot"},
              {"submission", "stream"},
              {"status", "ok"},
              {"generations_per_sample", generations},
              {"samples_ns", samples},
              {"visits", Json::array({{{"process", process},
                                       {"round", 0},
                                       {"n", samples.size()},
                                       {"stopped_by", stopped_by}}})},
              {"statistics",
               {{"n", samples.size()},
                {"min_ns", 0},
                {"median_ns", median},
                {"iqr_ns", 0},
                {"ci95_ns", {0, 0}},
                {"outliers", 0},
                {"stopped_by", stopped_by}}},
              {"derived",
               {{"cells_per_second", 1e9 / (median / generations)},
                {"application_bandwidth_bytes_per_second", 8e9 / (median / generations)},
                {"share_of_copy", nullptr},
                {"speedup_vs_baseline", nullptr}}}}}};
}

Json merged(const std::vector<Json>& visits) {
    Json document{{"benchmarks", Json::array()}};
    for (const Json& each : visits) merge_benchmark(document, each, 1);
    return document;
}

TEST_CASE("samples of all visits are kept, and everything follows from them", "[merge]") {
    const Json document = merged({visit({100, 102, 104}), visit({110, 112}, 2, 1, "time budget")});
    REQUIRE(document["benchmarks"].size() == 1);
    const Json& entry = document["benchmarks"][0];
    const Json& camber = entry["camber"];
    CHECK(camber["samples_ns"] == Json({100.0, 102.0, 104.0, 110.0, 112.0}));
    CHECK(camber["visits"].size() == 2);
    CHECK(camber["visits"][1]["process"] == 1);
    CHECK(camber["visits"][1]["n"] == 2);
    CHECK(camber["statistics"]["n"] == 5);
    CHECK(camber["statistics"]["median_ns"] == 104.0);
    CHECK(camber["statistics"]["min_ns"] == 100.0);
    CHECK(camber["statistics"]["stopped_by"] == "time budget");
    CHECK(entry["real_time"] == 52.0);
    CHECK(entry["iterations"] == 10);
    CHECK(camber["derived"]["cells_per_second"].get<double>() == Approx(1e9 / 52));
    CHECK(camber["derived"]["application_bandwidth_bytes_per_second"].get<double>() ==
          Approx(8e9 / 52));
    CHECK(camber["derived"]["share_of_copy"].is_null());
}

TEST_CASE("the share of the copy by the steps' bytes follows the time, where there is one",
          "[merge]") {
    const auto shared = [](double ns, const Json& share) {
        Json json = visit({ns, ns, ns});
        json["camber"]["derived"]["step_bytes_per_cell"] = 40;
        json["camber"]["derived"]["step_share_of_copy"] = share;
        return json;
    };
    const auto derived = [&](const Json& share) {
        const Json document = merged({shared(100, share), shared(400, share), shared(400, share)});
        return document["benchmarks"][0]["camber"]["derived"];
    };
    CHECK(derived(0.8)["step_share_of_copy"].get<double>() == Approx(0.2));
    CHECK(derived(0.8)["step_bytes_per_cell"] == 40);
    CHECK(derived(nullptr)["step_share_of_copy"].is_null());
    CHECK_FALSE(merged({visit({100}), visit({200})})["benchmarks"][0]["camber"]["derived"].contains(
        "step_share_of_copy"));
}

TEST_CASE("samples of another length are converted to the first visit's", "[merge]") {
    const Json document = merged({visit({100, 102, 104}, 2), visit({206, 208, 210}, 4)});
    const Json& camber = document["benchmarks"][0]["camber"];
    CHECK(camber["samples_ns"] == Json({100.0, 102.0, 104.0, 103.0, 104.0, 105.0}));
    CHECK(camber["generations_per_sample"] == 2);
}

TEST_CASE("a failed visit makes the case a failed one, whichever comes first", "[merge]") {
    Json failed = visit({100});
    failed["camber"] = {{"variant", "life/a"}, {"status", "failed"}, {"reason", "wrong"}};
    for (const auto& visits : {std::vector{visit({100}), failed}, {failed, visit({100})}}) {
        const Json document = merged(visits);
        REQUIRE(document["benchmarks"].size() == 1);
        CHECK(document["benchmarks"][0]["camber"]["status"] == "failed");
    }
}

TEST_CASE("repetitions and other cases stay apart", "[merge]") {
    Json second = visit({100});
    second["repetition_index"] = 1;
    Json other = visit({100});
    other["name"] = "b";
    CHECK(merged({visit({100}), second, other})["benchmarks"].size() == 3);
}

TEST_CASE("what is measured in one visit only is taken over", "[merge]") {
    Json last = visit({100, 102, 104});
    last["camber"]["counters"] = {{"x", 7}};
    last["camber"]["kernel_times"] = {{"generations", 2}};
    last["camber"]["kernel_counters"] = {{{"name", "rain"}}, {{"name", "flow"}}};
    const Json document = merged({visit({100}), last});
    CHECK(document["benchmarks"][0]["camber"]["counters"]["x"] == 7);
    CHECK(document["benchmarks"][0]["camber"]["kernel_times"]["generations"] == 2);
    CHECK(document["benchmarks"][0]["camber"]["kernel_counters"][1]["name"] == "flow");
}

TEST_CASE("kernel times of several processes are put together, and the gap follows", "[merge]") {
    const auto with_kernels = [](std::vector<double> samples, std::vector<double> kernels) {
        Json json = visit(samples, 1);
        const auto n = kernels.size();
        json["camber"]["kernel_times"] = {{"generations", n},
                                          {"ns_per_generation", 0},
                                          {"launch_gap_ns", 0},
                                          {"kernels", Json::array({{{"name", "k"},
                                                                    {"n", n},
                                                                    {"min_ns", 0},
                                                                    {"median_ns", 0},
                                                                    {"iqr_ns", 0},
                                                                    {"ci95_ns", {0, 0}},
                                                                    {"samples_ns", kernels}}})}};
        return json;
    };
    const Json document = merged(
        {with_kernels({100, 100, 100}, {90, 92}), with_kernels({110, 110, 110}, {94, 96, 94})});
    const Json& times = document["benchmarks"][0]["camber"]["kernel_times"];
    CHECK(times["generations"] == 5);
    CHECK(times["kernels"][0]["n"] == 5);
    CHECK(times["kernels"][0]["median_ns"] == 94.0);
    CHECK(times["ns_per_generation"] == 94.0);
    CHECK(times["launch_gap_ns"].get<double>() == Approx(105.0 - 94.0));
}

TEST_CASE("speedups compare like with like", "[merge]") {
    Json document = merged({visit({100, 100, 100})});
    const auto add = [&](const std::string& name, const std::string& cache, double ns) {
        Json entry = visit({ns, ns, ns});
        entry["name"] = name + cache;
        entry["camber"]["variant"] = name;
        entry["camber"]["cache"] = cache;
        merge_benchmark(document, entry, 1);
    };
    add("life/base", "hot", 200);
    add("life/base", "cold", 300);
    add("life/c", "cold", 600);
    add_speedups(document, "life/base");
    const auto speedup = [&](int i) {
        return document["benchmarks"][i]["camber"]["derived"]["speedup_vs_baseline"];
    };
    CHECK(speedup(0).get<double>() == Approx(2.0));
    CHECK(speedup(1).get<double>() == Approx(1.0));
    CHECK(speedup(2).get<double>() == Approx(1.0));
    CHECK(speedup(3).get<double>() == Approx(0.5));
    Json without = merged({visit({100})});
    add_speedups(without, "life/base");
    CHECK(without["benchmarks"][0]["camber"]["derived"]["speedup_vs_baseline"].is_null());
}

}  // namespace
}  // namespace camber
