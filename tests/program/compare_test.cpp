// `camber compare` as users and CI jobs run it, on measurements in the repository.
#include <utility>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace compare_test {

namespace {

using namespace camber::cli_test;

const std::string measured = (source_folder / "results/measurement/aa.json").string();
const std::string counted =
    (source_folder / "results/measurement/life-2048-counters-again.json").string();

Outcome compare(Arguments arguments, const fs::path& folder) {
    arguments.insert(arguments.begin(), "compare");
    return run_program(arguments, folder);
}

// A copy of a committed results file with `edit` applied to every benchmark.
template <class Edit>
std::string edited(const TestFolder& folder, const std::string& path, const Edit& edit) {
    Json document = results_in(path);
    for (Json& benchmark : document["benchmarks"]) edit(benchmark);
    const fs::path copy = folder / "new.json";
    write_text(copy, document.dump());
    return copy.string();
}

void slow_down(Json& benchmark, double factor) {
    benchmark["real_time"] = benchmark["real_time"].get<double>() * factor;
    for (Json& sample : benchmark["camber"]["samples_ns"]) sample = sample.get<double>() * factor;
}

std::string last_line(const std::string& text) {
    const auto lines = lines_of(text);
    return lines.empty() ? "" : lines.back();
}

}  // namespace

TEST_CASE("files that hold nothing to compare are told what does", "[cli][portable][compare]") {
    const TestFolder folder;
    for (const char* file : {"a.json", "b.json"})
        REQUIRE(run_program({"run", "--backend", "simt", "--variant", "halo/16x16/*", "--size",
                             "32x32", "--out", file},
                            folder.path())
                    .exit_code == 0);
    const Outcome simt = compare({"a.json", "b.json"}, folder.path());
    CHECK(simt.exit_code == 3);
    CHECK_THAT(simt.err, contains("the simt backend checks kernels and measures nothing"));
    CHECK(simt.err.find("--only") == std::string::npos);

    const auto aggregate = [&](const char* name) {
        write_text(folder / "means.json",
                   std::string(R"({"context": {}, "benchmarks": [{"name": "a_)") + name +
                       R"(", "run_name": "a", "run_type": "aggregate", "aggregate_name": ")" +
                       name + R"(", "iterations": 3, "real_time": 5, "time_unit": "ns"}]})");
        return compare({"means.json", "means.json"}, folder.path());
    };
    const Outcome means = aggregate("mean");
    CHECK(means.exit_code == 3);
    CHECK_THAT(means.err, contains("only aggregates") &&
                              contains("without --benchmark_report_aggregates_only"));
    CHECK(aggregate("median").exit_code == 0);
}

TEST_CASE("the aggregates of a file of camber's own are no further cases",
          "[cli][portable][compare]") {
    const TestFolder folder;
    REQUIRE(run_program({"run", "--backend", "cpu", "--variant", "reference/serial", "--size",
                         "64x64", "--benchmark_repetitions=3", "--out", "a.json"},
                        folder.path())
                .exit_code == 0);
    CHECK_THAT(last_line(compare({"a.json", "a.json"}, folder.path()).out),
               contains("1 case compared"));
}

TEST_CASE("compare exits with 0 for the same file and with 1 for a slowdown",
          "[cli][portable][compare]") {
    const TestFolder folder;
    const Outcome same = compare({measured, measured}, folder.path());
    INFO(same.err);
    CHECK(same.exit_code == 0);
    CHECK_THAT(last_line(same.out), contains("47 SAME, 0 UNDECIDED: no regression."));

    const auto slow = edited(folder, measured, [](Json& benchmark) { slow_down(benchmark, 1.05); });
    const Outcome slower = compare({measured, slow}, folder.path());
    CHECK(slower.exit_code == 1);
    CHECK_THAT(last_line(slower.out), contains("47 SLOWER") && contains("REGRESSION."));
    CHECK(compare({slow, measured}, folder.path()).exit_code == 0);
    CHECK(compare({measured, slow, "--threshold", "6%"}, folder.path()).exit_code == 0);
    CHECK(compare({measured, slow, "--threshold", "0.06"}, folder.path()).exit_code == 0);
    CHECK(compare({measured, slow, "--only", "deterministic"}, folder.path()).exit_code == 0);
}

TEST_CASE("compare gates what does not jitter without any time", "[cli][portable][compare]") {
    const TestFolder folder;
    const auto wasteful = edited(folder, counted, [](Json& benchmark) {
        Json& sectors = benchmark["camber"]["model"]["global_load_sectors"];
        sectors = sectors.get<std::int64_t>() +
                  benchmark["camber"]["model"]["global_load_requests"].get<std::int64_t>();
        benchmark["camber"].erase("samples_ns");
        benchmark["camber"].erase("visits");
    });
    const Outcome outcome = compare({counted, wasteful, "--only", "model"}, folder.path());
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.out, contains("WORSE: global_load_sectors"));
    const Outcome nothing_left = compare({counted, wasteful, "--only", "time"}, folder.path());
    CHECK(nothing_left.exit_code == 3);
    CHECK_THAT(nothing_left.err, contains("nothing of what --only time compares"));
}

TEST_CASE("compare ends with 4 where NEW failed verification", "[cli][portable][compare]") {
    const TestFolder folder;
    bool first = true;
    const auto wrong = edited(folder, measured, [&](Json& benchmark) {
        if (!std::exchange(first, false)) return;
        benchmark["camber"]["status"] = "failed";
        benchmark["camber"]["reason"] = "7 cells differ";
        benchmark["camber"]["verification"]["status"] = "failed";
    });
    const Outcome outcome = compare({measured, wrong}, folder.path());
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out, contains("7 cells differ") && contains("WRONG RESULT."));
}

TEST_CASE("compare refuses another GPU, and goes on where that is allowed", "[cli][compare]") {
    const TestFolder folder;
    Json document = results_in(measured);
    document["context"]["camber"]["gpu"]["name"] = "NVIDIA A100";
    write_text(folder / "new.json", document.dump());
    const Outcome refused = compare({measured, "new.json"}, folder.path());
    CHECK(refused.exit_code == 3);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err,
               contains("NVIDIA H200") && contains("NVIDIA A100") && contains("--allow gpu"));
    const Outcome allowed = compare({measured, "new.json", "--allow", "gpu"}, folder.path());
    CHECK(allowed.exit_code == 0);
    CHECK_THAT(allowed.out, contains("allowed to differ: the GPU"));
    CHECK(compare({measured, counted}, folder.path()).exit_code == 3);
}

TEST_CASE("compare fails on UNDECIDED only where asked to", "[cli][portable][compare]") {
    const TestFolder folder;
    // A shift close to the threshold, which is within the interval.
    const auto close =
        edited(folder, measured, [](Json& benchmark) { slow_down(benchmark, 1.0295); });
    const Outcome lenient = compare({measured, close, "--only", "time"}, folder.path());
    const Outcome strict =
        compare({measured, close, "--only", "time", "--fail-on-undecided"}, folder.path());
    CHECK_THAT(lenient.out, contains("UNDECIDED"));
    CHECK(lenient.exit_code == 0);
    CHECK(strict.exit_code == 1);
}

TEST_CASE("compare writes its formats to a file", "[cli][portable][compare]") {
    const TestFolder folder;
    for (const auto& [format, start] :
         {std::pair("table", "BASE "), {"markdown", "**camber compare:**"}, {"junit", "<?xml "}}) {
        const Outcome outcome =
            compare({measured, measured, "--format", format, "--out", "page"}, folder.path());
        CHECK(outcome.exit_code == 0);
        CHECK(lines_of(outcome.out).size() == 1);
        CHECK(text_of(folder / "page").starts_with(start));
    }
    CHECK(compare({measured, measured, "--format", "json", "--out", "page"}, folder.path())
              .exit_code == 0);
    CHECK(
        camber::schema_violations(Json::parse(text_of(folder / "page")),
                                  source_folder / "results/schema/camber-comparison.schema.json") ==
        std::vector<std::string>{});
    CHECK(folder.entries() == 1);
    CHECK(compare({measured, measured, "--out", "no/such/folder"}, folder.path()).exit_code == 5);
}

TEST_CASE("compare compares the files of two folders by name and lists what became slower",
          "[cli][portable][compare]") {
    const TestFolder folder;
    for (const char* name : {"old", "new", "new/deeper"})
        fs::create_directory(folder.path() / name);
    const fs::path source = source_folder / "results/measurement/aa-small.json";
    for (const char* name :
         {"old/a.json", "old/b.json", "old/gone.json", "new/b.json", "new/deeper/a.json"})
        fs::copy(source, folder.path() / name);
    Json slower = Json::parse(text_of(source));
    const std::string name = slower["benchmarks"][0]["name"];
    for (Json& benchmark : slower["benchmarks"])
        if (benchmark["name"] == name) slow_down(benchmark, 1.5);
    write_text(folder.path() / "new/a.json", slower.dump());
    write_text(folder.path() / "new/damaged.json", "{\"benchmarks\": [");
    write_text(folder.path() / "new/other.json", "{\"benchmarks\": {}}");

    const Outcome outcome = compare({"old", "new", "--only", "time"}, folder.path());
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.out, contains(name) && contains("1.500"));
    CHECK_THAT(outcome.out, contains("note: only in BASE: gone") &&
                                contains("note: only in NEW: deeper/a") &&
                                contains("damaged.json") && !contains("other.json"));
    CHECK_THAT(outcome.out, contains("2 files compared, 0 not comparable, 1 only in BASE, 1 only "
                                     "in NEW") &&
                                contains("1 SLOWER") && contains("REGRESSION of 1 case."));
    const Outcome json =
        compare({"old", "new", "--only", "time", "--format", "json"}, folder.path());
    const Json parsed = Json::parse(json.out);
    CHECK(parsed["files"]["a"]["counts"]["slower"] == 1);
    CHECK(parsed["files"]["b"]["counts"]["slower"] == 0);
    CHECK(parsed["exit_code"] == 1);
    CHECK_THAT(compare({"old", "new", "--format", "markdown"}, folder.path()).out,
               contains("| file | cases |"));

    const Outcome same = compare({"old", "old"}, folder.path());
    CHECK(same.exit_code == 0);
    CHECK_THAT(same.out, contains("no regression"));
    const Outcome none = compare({"old", "new/deeper"}, folder.path());
    CHECK(none.exit_code == 0);  // a.json
    fs::remove(folder.path() / "old/a.json");
    const Outcome nothing = compare({"old", "new/deeper"}, folder.path());
    CHECK(nothing.exit_code == 3);
    CHECK(lines_of(nothing.err).size() == 1);
    CHECK_THAT(nothing.err, contains("no results file of the same name"));
    CHECK(compare({"old", "new", "--format", "junit"}, folder.path()).exit_code == 2);
    const Outcome mixed = compare({"old", "new/b.json"}, folder.path());
    CHECK(mixed.exit_code == 2);
    CHECK_THAT(mixed.err, contains("only one is a folder"));
}

TEST_CASE("compare --self measures its own false alarms", "[cli][portable][compare]") {
    const TestFolder folder;
    const Outcome outcome = compare({"--self", measured}, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(last_line(outcome.out),
               contains("47 A/A comparisons") && contains("0 false alarms"));
    write_text(folder / "short.json", R"({"benchmarks": [{"name": "a", "real_time": 1}]})");
    const Outcome too_short = compare({"--self", "short.json"}, folder.path());
    CHECK(too_short.exit_code == 3);
    CHECK_THAT(too_short.err, contains("to split in halves: measure with --processes 5"));
    const Outcome json = compare({"--self", measured, "--format", "json"}, folder.path());
    CHECK(
        camber::schema_violations(Json::parse(json.out),
                                  source_folder / "results/schema/camber-self-test.schema.json") ==
        std::vector<std::string>{});
}

TEST_CASE("compare says in a sentence what it cannot use", "[cli][portable][compare]") {
    const TestFolder folder;
    struct Wrong {
        Arguments arguments;
        const char* sentence;
    };
    write_text(folder / "text", "no JSON");
    const Wrong wrong[] = {
        {{measured}, "two results files"},
        {{measured, measured, measured}, "two results files"},
        {{measured, "absent.json"}, "absent.json"},
        {{measured, "text"}, "JSON"},
        {{measured, measured, "--threshold", "3x"}, "--threshold is '3x'"},
        {{measured, measured, "--threshold", "0"}, "--threshold is '0'"},
        {{measured, measured, "--threshold", "300%"}, "300%"},
        {{measured, measured, "--format", "markdwon"}, "did you mean markdown"},
        {{measured, measured, "--only", "times"}, "did you mean time"},
        {{measured, measured, "--allow", "gpus"}, "did you mean gpu"},
        {{"--self", measured, "--format", "junit"}, "--self"},
    };
    for (const Wrong& one : wrong) {
        const Outcome outcome = compare(one.arguments, folder.path());
        CAPTURE(one.sentence, outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, contains(one.sentence));
        CHECK(lines_of(outcome.err).size() == 1);
    }
}

TEST_CASE("two files of models show both predicted times", "[cli][portable][compare][time]") {
    const TestFolder folder;
    const auto model = [&](const char* board, const char* file) {
        REQUIRE(
            run_program({"model", "--size", board, "--variant", "halo/64x4/*", "--ceilings",
                         (source_folder / "results/h200/ceilings.json").string(), "--json", file},
                        folder.path())
                .exit_code == 0);
        return (folder / file).string();
    };
    const std::string base = model("1024x1024", "base.json");
    Json slower = Json::parse(text_of(base));
    for (const char* key : {"predicted_seconds", "low_seconds", "high_seconds"}) {
        Json& seconds = slower["models"][0]["time"][key];
        seconds = 3 * seconds.get<double>();
    }
    write_text(folder / "slower.json", slower.dump());
    const Outcome outcome = compare({base, "slower.json"}, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("predicted times of a generation on NVIDIA H200: information, "
                                     "no verdict") &&
                                contains("  3.000  ") && contains("  apart  ") &&
                                contains("1 predicted time is the same") &&
                                contains("no regression"));
}

}  // namespace compare_test
