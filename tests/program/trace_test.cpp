// `camber run --trace` and `camber report --trace`.
#include <set>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace trace_test {

namespace {

using namespace camber::cli_test;

constexpr int usage = 2;
constexpr int unavailable = 5;

Outcome run(Arguments options, const fs::path& folder) {
    Arguments arguments{"run", "--backend", "simt", "--size", "37x21", "--generations", "2"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_program(arguments, folder);
}

// Names of the complete events of a kind.
std::vector<std::string> names(const Json& trace, const std::string& kind) {
    std::vector<std::string> found;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "X" && event["cat"] == kind)
            found.push_back(event["name"].get<std::string>());
    return found;
}

}  // namespace

TEST_CASE("run writes the timeline of every case as trace events", "[cli][timeline]") {
    const TestFolder folder;
    const Outcome outcome =
        run({"--variant", "*/16x16", "--variant", "halo/16x16/align128", "--trace", "t.json"},
            folder.path());
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("trace: t.json (") && contains("timelines"));
    const Json trace = results_in(folder / "t.json");
    const Json results = results_in(folder / "camber-results.json");
    REQUIRE(trace["otherData"]["timelines"].size() == results["benchmarks"].size());
    std::set<std::string> cases;
    for (const Json& one : results["benchmarks"]) cases.insert(one["name"].get<std::string>());
    for (const Json& one : trace["otherData"]["timelines"])
        CHECK(cases.erase(one["name"].get<std::string>()) == 1);
    CHECK(cases.empty());
    CHECK_FALSE(names(trace, "kernel").empty());
}

TEST_CASE("steps of a generation are ranges of the timeline, and graphs are replays",
          "[cli][timeline]") {
    const TestFolder folder;
    const Outcome outcome = run(
        {"--workload", "sciara_fv2", "--variant", "global/four_kernels/16x16", "--trace", "t.json"},
        folder.path());
    REQUIRE(outcome.exit_code == 0);
    const Json trace = results_in(folder / "t.json");
    CHECK(names(trace, "kernel").size() == 48);
    const std::vector<std::string> ranges = names(trace, "range");
    CHECK(ranges.size() == 49);
    CHECK(std::vector(ranges.begin(), ranges.begin() + 5) ==
          std::vector<std::string>{"timeline", "emission", "outflows", "exchange", "cooling"});

    const Outcome graph =
        run({"--variant", "halo/16x16/align128", "--graph", "--trace", "g.json"}, folder.path());
    INFO(graph.err);
    REQUIRE(graph.exit_code == 0);
    const Json replayed = results_in(folder / "g.json");
    CHECK(names(replayed, "graph") == std::vector<std::string>{"replay"});
    CHECK(names(replayed, "kernel").size() == 12);
}

TEST_CASE("times of the cpu backend are told place by place", "[cli][timeline]") {
    const TestFolder folder;
    const Outcome outcome = run_program({"run", "--backend", "cpu", "--quick", "--size", "64x64",
                                         "--variant", "reference/serial", "--trace", "t.json"},
                                        folder.path());
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("busy") && contains("life/reference/serial/64x64"));
    CHECK(names(results_in(folder / "t.json"), "kernel").size() == 12);
}

TEST_CASE("a trace that cannot be written or combined is refused before the run",
          "[cli][timeline][bad input]") {
    const TestFolder folder;
    fs::create_directory(folder / "folder");
    fs::copy_file(source_folder / "workloads/life/patterns/glider.rle", folder / "glider.rle");
    const auto rejected = [&](Arguments options, int exit_code,
                              const std::vector<std::string>& named) {
        Arguments arguments{"run", "--backend", "simt", "--size", "2000x2000"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == exit_code);
        CHECK(lines_of(outcome.err).size() == 1);
        for (const std::string& part : named) CHECK_THAT(outcome.err, contains(part));
    };
    rejected({"--trace", "absent/t.json"}, unavailable,
             {"the trace", "\"absent/t.json\"", "create the folder"});
    rejected({"--trace", "folder"}, unavailable, {"\"folder\"", "directory"});
    rejected({"--trace", ""}, usage, {"--trace", "empty"});
    rejected({"--trace", "-"}, usage, {"--trace", "'-' is no file"});
    rejected({"--trace", "t.json", "--out", "./t.json"}, usage,
             {"--out", "--trace", "same file", "choose two"});
    rejected({"--input", "glider.rle", "--trace", "glider.rle"}, usage,
             {"--trace \"glider.rle\" would overwrite", "choose another file"});
    rejected({"--trace", "t.json", "--processes", "2"}, usage,
             {"--trace cannot be combined with --processes"});
    rejected({"--trace", "t.json", "--resume"}, usage,
             {"--trace cannot be combined with --resume"});
}

TEST_CASE("report draws traces, and says what it cannot draw", "[cli][timeline][report]") {
    const TestFolder folder;
    REQUIRE(
        run({"--variant", "halo/16x16/align128", "--trace", "t.json"}, folder.path()).exit_code ==
        0);
    const std::string results = "camber-results.json";
    const auto rejected = [&](Arguments options, const std::string& part) {
        options.insert(options.begin(), {"report", results});
        const Outcome outcome = run_program(options, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == usage);
        CHECK(lines_of(outcome.err).size() == 1);
        CHECK_THAT(outcome.err, contains(part));
    };
    rejected({"--trace", results, "-o", "r.html"},
             "\"camber-results.json\" is no trace of camber's");
    rejected({"--trace", "absent.json", "-o", "r.html"}, "\"absent.json\"");
    rejected({"--trace", "t.json", "-o", "t.json"}, "would overwrite");
    rejected({"--trace", "t.json", "--format", "csv"}, "--trace is drawn in HTML reports");

    const Outcome outcome =
        run_program({"report", results, "--trace", "t.json", "-o", "r.html"}, folder.path());
    if (outcome.exit_code == unavailable) {
        CHECK_THAT(outcome.err, contains("libjs-vega"));
        return;
    }
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(text_of(folder / "r.html"),
               contains("life/halo/16x16/align128/37x21/uint32/simt") && contains("span_names"));
}

}  // namespace trace_test
