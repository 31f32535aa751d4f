// Result files of camber and Google Benchmark are read as values and written back.
#include "harness/record/document.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/record/merge.hpp"
#include "tests/catch.hpp"
#include "tests/results/schema_check.hpp"

namespace camber::results::document_test {
namespace {

using Json = nlohmann::json;  // with sorted keys: their order is not compared

const std::filesystem::path root = std::filesystem::path(CAMBER_SOURCE_DIR) / "results";

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

CaseRecord measured(const std::string& name, const std::vector<double>& samples) {
    CaseRecord record;
    record.name = name;
    record.samples.emplace();
    record.samples->ns = samples;
    record.samples->visits = {{0, 0, std::ssize(samples), "converged"}};
    record.samples->statistics = summarize(samples, 1);
    record.real_time_ns = record.samples->statistics.median;
    return record;
}

// Writes and reads the document, and merges repetitions.
Document joined(const Document& document) {
    Document read = parse_document(to_text(document), "a.json");
    merge_repetitions(read);
    return read;
}

// A Google Benchmark file with these elements.
std::string google(const std::string& fields) {
    return R"({"context": {"date": "x", "num_cpus": 4}, "benchmarks": [)" + fields + "]}";
}

Document read_google(const std::string& fields) {
    Document document = parse_document(google(fields), "gb.json");
    merge_repetitions(document);
    return document;
}

std::string sentence(const std::string& text) {
    try {
        parse_document(text, "z.json");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("the committed baseline of models is written back to the letter", "[results][document]") {
    const Document baseline = read_document(root / "baseline/model.json");
    CHECK(baseline.models.size() > 100);
    CHECK((to_baseline_text(baseline.models) == text_of(root / "baseline/model.json")));
}

// The schema is more permissive than camber's output: unavailable values may be null or absent.
TEST_CASE("any document that follows the schema is read", "[results][document]") {
    const auto file =
        std::filesystem::path(CAMBER_SOURCE_DIR) / "tests/results/valid_document.json";
    Document read = read_document(file);
    REQUIRE(read.cases.size() == 4);
    CHECK(read.aggregates.size() == 1);
    CHECK_FALSE(read.cases[1].kernels.at(0).registers);
    CHECK(read.cases[2].verification->first_difference);
    CHECK(read.cases[3].status == Status::skipped);
    read.cases[3].verification.reset();  // camber writes no verification for a skipped case
    const std::string text = to_text(read);
    CHECK(to_text(parse_document(text, "a.json")) == text);
    CHECK(schema_violations(Json::parse(text), root / "schema/camber-results.schema.json") ==
          std::vector<std::string>{});
}

TEST_CASE("samples are told apart by process", "[results][document]") {
    Document document;
    document.cases = {measured("life/halo", {20, 22, 24, 26, 30})};
    document.cases[0].samples->generations_per_sample = 2;
    document.cases[0].samples->visits = {
        {0, 0, 2, "converged"}, {1, 0, 1, "converged"}, {0, 1, 2, "converged"}};
    const Document read = joined(document);
    REQUIRE(read.cases.size() == 1);
    const CaseRecord& one = read.cases[0];
    CHECK(one.by_camber);
    const std::vector<ProcessTimes> times = times_by_process(one);
    REQUIRE(times.size() == 2);
    CHECK(times[0].samples_ns == std::vector<double>{10, 11, 13, 15});
    CHECK(times[1].samples_ns == std::vector<double>{12});
    CHECK(times[0].visits == std::vector<std::size_t>{2, 2});
    CHECK(times[1].visits == std::vector<std::size_t>{1});
    CHECK(times_of(one) == std::vector<double>{10, 11, 13, 15, 12});
    CHECK(read.find("life/halo") == &read.cases[0]);
    CHECK(read.find("life/global") == nullptr);
}

TEST_CASE("repetitions of a case of camber's are one case", "[results][document]") {
    Document document;
    document.cases = {measured("a", {10, 11}), measured("a", {12}), measured("b", {1}),
                      measured("b", {1})};
    document.cases[1].repetition = 1;
    document.cases[3].status = Status::failed;
    document.cases[3].reason = "wrong";
    const Document read = joined(document);
    REQUIRE(read.cases.size() == 2);
    CHECK(times_of(read.cases[0]) == std::vector<double>{10, 11, 12});
    CHECK(times_by_process(read.cases[0])[0].visits == std::vector<std::size_t>{2, 1});
    CHECK(read.cases[1].status == Status::failed);
    CHECK(read.cases[1].reason == "wrong");
}

TEST_CASE("repetitions of Google Benchmark are samples of one case", "[results][document]") {
    const Document read = read_google(R"(
        {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "real_time": 2.5,
         "time_unit": "us"},
        {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "real_time": 3.5,
         "time_unit": "us"},
        {"name": "BM_a/8_median", "run_name": "BM_a/8", "run_type": "aggregate",
         "aggregate_name": "median", "real_time": 3.0, "time_unit": "us"},
        {"name": "BM_b", "run_type": "iteration", "error_occurred": true, "error_message": "no"})");
    CHECK(read.run() == nullptr);
    CHECK(read.context.num_cpus == 4);
    REQUIRE(read.cases.size() == 2);
    CHECK_FALSE(read.cases[0].by_camber);
    CHECK(times_of(read.cases[0]) == std::vector<double>{2500, 3500});
    CHECK(times_by_process(read.cases[0])[0].visits == std::vector<std::size_t>{2});
    CHECK(read.cases[1].status == Status::failed);
    CHECK(read.cases[1].reason == "no");
    CHECK(read.aggregates.size() == 1);
}

TEST_CASE("units of time, threads and lone aggregates of Google Benchmark are read",
          "[results][document]") {
    for (const auto& [unit, nanoseconds] :
         {std::pair("ns", 2.0), {"us", 2e3}, {"ms", 2e6}, {"s", 2e9}}) {
        const Document read =
            read_google(R"({"name": "a", "real_time": 2, "cpu_time": 1, "time_unit": ")" +
                        std::string(unit) + "\"}");
        CHECK(times_of(read.cases[0]) == std::vector<double>{nanoseconds});
        CHECK(read.cases[0].real_time_ns == nanoseconds);
        CHECK(read.cases[0].cpu_time_ns == nanoseconds / 2);
    }
    CHECK(times_of(read_google(R"({"name": "a", "real_time": 2})").cases[0]) ==
          std::vector<double>{2});

    const Document threads = read_google(R"(
        {"name": "a/threads:4", "real_time": 2, "threads": 4},
        {"name": "a/threads:8", "real_time": 3, "threads": 8})");
    REQUIRE(threads.cases.size() == 2);
    CHECK(threads.cases[1].threads == 8);

    const Document alone = read_google(R"(
        {"name": "a_mean", "run_name": "a", "run_type": "aggregate", "aggregate_name": "mean",
         "real_time": 5, "threads": 2, "time_unit": "us"},
        {"name": "a_median", "run_name": "a", "run_type": "aggregate", "aggregate_name": "median",
         "real_time": 4, "threads": 2, "time_unit": "us"},
        {"name": "a_cv", "run_name": "a", "run_type": "aggregate", "aggregate_name": "cv",
         "aggregate_unit": "percentage", "real_time": 0.01, "threads": 2, "time_unit": "us"})");
    REQUIRE(alone.cases.size() == 1);
    CHECK(alone.cases[0].name == "a");
    CHECK(alone.cases[0].threads == 2);
    CHECK(times_of(alone.cases[0]) == std::vector<double>{4000});
    REQUIRE(alone.aggregates.size() == 3);
    CHECK(alone.aggregates[2].real_time == 0.01);
}

TEST_CASE("joined repetitions of Google Benchmark can be written", "[results][document]") {
    const Document read = read_google(R"({"name": "a", "real_time": 2},
                                         {"name": "a", "real_time": 4})");
    CHECK(read.cases[0].real_time_ns == 3);
    CHECK_NOTHROW(to_text(read));
}

TEST_CASE("the times of one generation are written beside those of samples and launches",
          "[results][document]") {
    Document document;
    document.cases.push_back(measured("a", {400, 404, 408, 412}));
    document.cases[0].samples->generations_per_sample = 4;
    document.cases[0].samples->statistics.ci95_low = 400;
    document.cases[0].samples->statistics.ci95_high = 410;
    Json time = Json::parse(to_text(document))["benchmarks"][0]["camber"]["per_generation"];
    CHECK(time["min_ns"] == 100);
    CHECK(time["median_ns"] == 101.5);
    CHECK(time["ci95_ns"] == Json({100, 102.5}));
    CHECK(time["iqr_ns"] == document.cases[0].samples->statistics.iqr / 4);
    // When read, these are computed from the samples; values in the file are ignored.
    Json changed = Json::parse(to_text(document));
    changed["benchmarks"][0]["camber"]["per_generation"]["median_ns"] = 1;
    CHECK(to_text(parse_document(changed.dump(), "a.json")) ==
          to_text(parse_document(to_text(document), "a.json")));

    Document models;
    ModelEntry& entry = models.models.emplace_back();
    entry.variant = "life/two/16x16";
    entry.size = {10, 10};
    entry.cell = "uint32";
    entry.generations_per_launch = 2;
    entry.model.arch = "9.0";
    entry.time = TimeRecord{300e-9, 240e-9, 450e-9, "L2", {}, {}};
    time = Json::parse(to_text(models))["models"][0]["per_generation"];
    CHECK(time["predicted_ns"] == Approx(150));
    CHECK(time["low_ns"] == Approx(120));
    CHECK(time["high_ns"] == Approx(225));
    entry.time.reset();
    CHECK_FALSE(Json::parse(to_text(models))["models"][0].contains("per_generation"));
}

TEST_CASE("models are cases without times", "[results][document]") {
    const std::string text = R"({
      "models": [{"variant": "life/halo/16x16", "size": {"columns": 128, "rows": 64},
        "cell": "uint8", "boundary": "torus", "generations_per_launch": 1, "arch": "9.0",
        "rules": "CC 5.x and later", "method": "simulated", "launches": 1,
        "global_load_requests": 3, "global_load_sectors": 12, "global_load_bytes_moved": 384,
        "global_load_bytes_used": 384, "global_store_requests": 1, "global_store_sectors": 4,
        "global_store_bytes_moved": 128, "global_store_bytes_used": 128,
        "shared_load_wavefronts": 0, "shared_load_bank_conflicts": 0,
        "shared_store_wavefronts": 0, "shared_store_bank_conflicts": 0,
        "block_distinct_bytes": 256, "compulsory_dram_bytes": 256, "non_redundant_share": 0.5,
        "bytes_moved": 512, "bytes_needed": 256.5,
        "sites": [], "bounds": [], "largest_bound": null}]})";
    const Document document = parse_document(text, "model.json");
    REQUIRE(document.cases.size() == 1);
    const CaseRecord& one = document.cases[0];
    CHECK(one.name == "life/halo/16x16/128x64/uint8/torus");
    CHECK(one.status == Status::ok);
    CHECK_FALSE(one.timed());
    CHECK(times_by_process(one).empty());
    CHECK(one.identity.workload == "life");
    CHECK(one.identity.boundary == Boundary::torus);
    REQUIRE(one.model);
    CHECK(one.model->quantities.size() == 18);
    CHECK(one.model->quantities.at("global_load_sectors") == 12);
    CHECK(one.model->quantities.at("bytes_needed") == 256.5);
    CHECK(Json::parse(to_text(document))["models"] == Json::parse(text)["models"]);
}

TEST_CASE("what is no results file is said in one sentence", "[results][document]") {
    CHECK_THROWS_WITH(read_document("/nowhere/x.json"),
                      contains("/nowhere/x.json") && contains("No such file"));
    CHECK_THROWS_WITH(read_document("/tmp"), contains("/tmp") && contains("Is a directory"));
    CHECK_THAT(sentence("no JSON"), contains("z.json is not a JSON document (byte "));
    CHECK_THAT(sentence("{\"benchmarks\":\n [1e999]}"),
               contains("z.json has the number 1e999 in line 2, which is out of range") &&
                   !contains("json.exception"));
    // Can be opened, but not read.
    CHECK_THROWS_WITH(read_document("/proc/self/mem"),
                      contains("/proc/self/mem") && contains("Input/output error"));
    for (const char* text : {"[1]", "{}", "7"}) CHECK_THAT(sentence(text), contains("camber run"));
    CHECK_THAT(sentence("{}"), contains("there is no list 'benchmarks'"));
    CHECK_THAT(sentence(R"({"benchmarks": {}})"), contains("/benchmarks: it is no list"));

    struct Defect {
        const char* element;
        const char* place;
        const char* what;
    };
    const Defect defects[] = {
        {"7", "/benchmarks/0", "7 is not an object"},
        {R"({"real_time": 1})", "/benchmarks/0", "there is no field 'name'"},
        {R"({"name": "a"})", "/benchmarks/0", "there is no field 'real_time'"},
        {R"({"name": "a", "real_time": "long"})", "/benchmarks/0/real_time",
         "\"long\" is not a number"},
        {R"({"name": "a", "real_time": 1, "time_unit": "h"})", "/benchmarks/0/time_unit",
         "'h' is not one of ns, us, ms, s"},
        {R"({"name": "a", "real_time": 1}, {"name": 3})", "/benchmarks/1/name", "3 is not a text"},
        {R"({"name": "a", "real_time": -5})", "/benchmarks/0/real_time",
         "-5 is not a number of 0 or more"},
        {R"({"name": "a", "real_time": 0})", "/benchmarks/0/real_time",
         "0, but it must be above 0"},
        {R"({"name": "a_median", "run_type": "aggregate", "aggregate_name": "median",
             "real_time": -1})",
         "/benchmarks/0/real_time", "-1 is not a number of 0 or more"},
        {R"({"name": "a", "camber": {}})", "/benchmarks/0/camber", "there is no field"},
    };
    for (const Defect& defect : defects) {
        const std::string told = sentence(google(defect.element));
        CHECK_THAT(told, contains(defect.what) && contains("the form of a results file at " +
                                                           std::string(defect.place) + ":"));
    }
    Document measurement;
    measurement.cases = {measured("a", {1})};
    Json early = Json::parse(to_text(measurement));
    early["benchmarks"][0]["camber"]["samples_ns"][0] = -1;
    CHECK_THAT(sentence(early.dump()),
               contains("/benchmarks/0/camber/samples_ns/0: -1 is not a number of 0 or more"));
    Json odd = Json::parse(to_text(measurement));
    odd["benchmarks"][0]["camber"]["status"] = "odd";
    CHECK_THAT(sentence(odd.dump()), contains("/benchmarks/0/camber/status: \"odd\" is not one "
                                              "of ok, skipped, failed"));
    CHECK_THAT(sentence(R"({"models": [{"variant": "x"}]})"), contains("/models/0"));
}

namespace {

// Calls f(pointer) for every value in the document.
template <class F>
void each_place(const Json& json, const Json::json_pointer& pointer, const F& f) {
    f(pointer);
    if (json.is_structured())
        for (const auto& [key, child] : json.items())
            each_place(child,
                       json.is_array() ? pointer / static_cast<std::size_t>(std::stoul(key))
                                       : pointer / key,
                       f);
}

}  // namespace

TEST_CASE("a value of a wrong type is refused by name and place, or does no harm",
          "[results][document]") {
    const Json good = Json::parse(text_of(CAMBER_SOURCE_DIR "/tests/results/valid_document.json"));
    const Json replacements[] = {nullptr,       "text",        -1, 0, 1e300, true,
                                 Json::array(), Json::object()};
    int refused = 0;
    each_place(good, Json::json_pointer(), [&](const Json::json_pointer& place) {
        for (const Json& replacement : replacements) {
            Json odd = good;
            odd[place] = replacement;
            CAPTURE(place.to_string(), replacement.dump());
            try {
                to_text(parse_document(odd.dump(), "z.json"));
            } catch (const Error& error) {
                ++refused;
                CHECK(error.code() == ExitCode::usage);
                CHECK_THAT(error.what(), Catch::Matchers::StartsWith("z.json "));
                CHECK_THAT(error.what(), !contains("json.exception"));
            }
        }
    });
    CHECK(refused > 500);
}

}  // namespace camber::results::document_test
