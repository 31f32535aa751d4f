#include "analysis/results/result_set.hpp"

#include "harness/base/error.hpp"
#include "tests/catch.hpp"

using namespace camber;
using namespace camber::results;
using Json = nlohmann::ordered_json;

TEST_CASE("a results file of camber is read by process", "[results][result-set]") {
    const Json document = Json::parse(R"({
      "context": {"camber": {"gpu": {"name": "A"}}},
      "benchmarks": [{"name": "life/halo/16x16/8x8/uint8/cuda/repeats:1", "run_name": "life/halo",
        "camber": {"workload": "life", "status": "ok", "generations_per_sample": 2,
          "samples_ns": [20, 22, 24, 26, 30], "derived": {"share_of_copy": 0.5, "note": "x"},
          "visits": [{"process": 0, "round": 0, "n": 2}, {"process": 1, "round": 0, "n": 1},
                     {"process": 0, "round": 1, "n": 2}]}}]})");
    const ResultSet set = parse_results(document, "a.json");
    CHECK(set.by_camber);
    REQUIRE(set.cases.size() == 1);
    const Case& one = set.cases[0];
    CHECK(one.name == "life/halo");
    CHECK(one.text("workload") == "life");
    CHECK(one.text("technique") == "");
    REQUIRE(one.times.size() == 2);
    CHECK(one.times[0].samples_ns == std::vector<double>{10, 11, 13, 15});
    CHECK(one.times[1].samples_ns == std::vector<double>{12});
    CHECK(one.times[0].visits == std::vector<std::size_t>{2, 2});
    CHECK(one.times[1].visits == std::vector<std::size_t>{1});
    CHECK(one.samples() == std::vector<double>{10, 11, 13, 15, 12});
    CHECK(one.number("/derived/share_of_copy") == 0.5);
    CHECK_FALSE(one.number("/derived/note"));
    CHECK_FALSE(one.number("/counters/none"));
    CHECK(one.numbers("/derived") == std::map<std::string, double>{{"share_of_copy", 0.5}});
    CHECK(set.find("life/halo") == &set.cases[0]);
    CHECK(set.find("life/global") == nullptr);
}

TEST_CASE("repetitions of Google Benchmark are samples of one case", "[results][result-set]") {
    const Json document = Json::parse(R"({
      "context": {"date": "x"},
      "benchmarks": [
        {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "real_time": 2.5,
         "time_unit": "us"},
        {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "real_time": 3.5,
         "time_unit": "us"},
        {"name": "BM_a/8_mean", "run_name": "BM_a/8", "run_type": "aggregate", "real_time": 3.0,
         "time_unit": "us"},
        {"name": "BM_b", "run_type": "iteration", "error_occurred": true, "error_message": "no"}]})");
    const ResultSet set = parse_results(document, "gb.json");
    CHECK_FALSE(set.by_camber);
    REQUIRE(set.cases.size() == 2);
    CHECK(set.cases[0].samples() == std::vector<double>{2500, 3500});
    CHECK(set.cases[1].status == Status::failed);
    CHECK(set.cases[1].reason == "no");
}

TEST_CASE("repetitions of a case of camber's are one case", "[results][result-set]") {
    const Json document = Json::parse(R"({
      "context": {"camber": {}},
      "benchmarks": [
        {"name": "a", "run_name": "a", "camber": {"status": "ok", "generations_per_sample": 1,
          "samples_ns": [10, 11], "visits": [{"process": 0, "round": 0, "n": 2}]}},
        {"name": "a", "run_name": "a", "camber": {"status": "ok", "generations_per_sample": 1,
          "samples_ns": [12], "visits": [{"process": 0, "round": 0, "n": 1}]}},
        {"name": "b", "run_name": "b", "camber": {"status": "ok"}},
        {"name": "b", "run_name": "b", "camber": {"status": "failed", "reason": "wrong"}}]})");
    const ResultSet set = parse_results(document, "a.json");
    REQUIRE(set.cases.size() == 2);
    CHECK(set.cases[0].samples() == std::vector<double>{10, 11, 12});
    CHECK(set.cases[0].times[0].visits == std::vector<std::size_t>{2, 1});
    CHECK(set.cases[1].status == Status::failed);
    CHECK(set.cases[1].reason == "wrong");
}

TEST_CASE("models are cases without times", "[results][result-set]") {
    const Json document = Json::parse(R"({
      "context": {"camber": {}},
      "models": [{"variant": "life/halo/16x16", "size": {"columns": 128, "rows": 64},
        "cell": "uint8", "boundary": "torus", "generations_per_launch": 1, "arch": "9.0",
        "rules": "CC 5.x and later", "method": "simulated", "global_load_sectors": 12,
        "sites": [{"site": 1}], "bounds": [], "largest_bound": null}]})");
    const ResultSet set = parse_results(document, "model.json");
    REQUIRE(set.cases.size() == 1);
    const Case& one = set.cases[0];
    CHECK(one.name == "life/halo/16x16/128x64/uint8/torus");
    CHECK(one.status == Status::ok);
    CHECK(one.times.empty());
    CHECK(one.text("workload") == "life");
    CHECK(one.text("boundary") == "torus");
    CHECK(one.numbers("/model") == std::map<std::string, double>{{"global_load_sectors", 12}});
    const Json bad = Json::parse(R"({"models": [{"variant": "x"}]})");
    CHECK_THROWS_WITH(parse_results(bad, "m.json"), contains("/models/0"));
}

TEST_CASE("what is no results file is said in one sentence", "[results][result-set]") {
    CHECK_THROWS_WITH(read_results("/nowhere/x.json"), contains("/nowhere/x.json"));
    CHECK_THROWS_WITH(parse_results(Json::parse("[1]"), "y.json"), contains("benchmarks"));
    const Json bad = Json::parse(R"({"benchmarks": [{"name": "n", "camber": {"status": "odd"}}]})");
    CHECK_THROWS_WITH(parse_results(bad, "z.json"), contains("/benchmarks/0") && contains("odd"));
}
