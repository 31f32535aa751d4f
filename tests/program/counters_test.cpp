// `camber counters` without a GPU.
#include <algorithm>
#include <regex>

#include "harness/machine/counters/cupti_host.hpp"
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace counters_test {

namespace {

using namespace camber::cli_test;

Outcome counters(Arguments arguments) {
    arguments.insert(arguments.begin(), "counters");
    const TestFolder folder;
    const Outcome outcome = run_program(arguments, folder.path());
    CHECK(folder.entries() == 0);
    return outcome;
}

std::string output_of(const Arguments& arguments) {
    const Outcome outcome = counters(arguments);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
}

// True if CUPTI is missing; then checks that the program reports this in one sentence.
bool skipped() {
    if (camber::counters::why_no_cupti().empty()) return false;
    for (const Arguments& arguments : {Arguments{}, {"--sets"}, {"--check", "memory"}}) {
        const Outcome outcome = counters(arguments);
        CHECK(outcome.exit_code == 5);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, contains("CUPTI"));
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
    }
    WARN("skipped: " << camber::counters::why_no_cupti());
    return true;
}

void check_usage_error(const Arguments& arguments, const std::string& part) {
    const Outcome outcome = counters(arguments);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("camber: "));
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK_THAT(outcome.err, contains(part));
}

}  // namespace

TEST_CASE("counters lists every chip with the passes of each set", "[cli][counters]") {
    if (skipped()) return;
    const std::string text = output_of({});
    const auto has_line = [&](const char* pattern) {
        const auto lines = lines_of(text);
        return std::ranges::any_of(lines, [&](const std::string& line) {
            return std::regex_match(line, std::regex(pattern));
        });
    };
    CHECK(has_line("chip +memory +shared +compute +all +metrics +of the sets not available"));
    CHECK(has_line("TU102 +6 +1 +2 +7 +\\d+ +3"));
    CHECK(has_line("GH100 +6 +2 +2 +7 +\\d+ +-"));
    CHECK(has_line("GB203 +5 +2 +2 +6 +\\d+ +-"));
    CHECK_THAT(text, contains("  dram__bytes_read.sum\n      on GA10B, GB10B, GB20B\n"));
}

TEST_CASE("counters --sets shows what is in each set, with a chip's own names", "[cli][counters]") {
    if (skipped()) return;
    const std::string text = output_of({"--sets"});
    for (const char* set : {"memory: ", "shared: ", "compute: ", "all: "})
        CHECK_THAT("\n" + text, contains(std::string("\n") + set));
    CHECK_THAT(text, contains("(6 passes on GH100)"));
    CHECK_THAT(text, contains("\n    dram__bytes_read.sum\n"));
    const std::string other = output_of({"--sets", "--chip", "GB202"});
    CHECK_THAT(other, contains("dram__bytes_read.sum  (dram__bytes_op_read.sum on GB202)\n"));
    CHECK_THAT(output_of({"--sets", "--chip", "TU102"}),
               contains("sm__sass_inst_executed_op_tma.sum  (not available on TU102)\n"));
}

TEST_CASE("counters --chip lists a chip's metrics and their suffixes", "[cli][counters]") {
    if (skipped()) return;
    const auto lines = lines_of(output_of({"--chip", "AD102"}));
    CHECK(lines.size() > 2000);
    CHECK_THAT(lines.front(), contains("AD102 has "));
    CHECK(std::ranges::count(lines, "    dram__bytes_read") == 1);
    CHECK(std::ranges::any_of(lines, [](const std::string& line) {
        return std::regex_match(line,
                                std::regex("\\d+ metrics with \\.max_rate, \\.pct, \\.ratio:"));
    }));
}

TEST_CASE("counters --check accepts sets and metrics and counts passes", "[cli][counters]") {
    if (skipped()) return;
    CHECK(output_of({"--check", "smsp__inst_executed.sum"}) ==
          "smsp__inst_executed.sum\nGH100: 1 metric in 1 pass\n");
    CHECK_THAT(output_of({"--check", "memory", "shared,compute"}),
               contains("\nGH100: 36 metrics in 7 passes\n"));
    CHECK_THAT(output_of({"--chip", "GB10B", "--check", "memory"}),
               contains(" in 6 passes, 3 not available\n"));
}

TEST_CASE("counters rejects what does not exist and names what is near", "[cli][counters]") {
    if (skipped()) return;
    check_usage_error({"--check", "smsp__inst_exeuted.sum"},
                      "did you mean smsp__inst_executed.sum");
    check_usage_error({"--check", "memory", "smsp__inst_executed"}, "add .avg or .max or .min");
    check_usage_error({"--check", "memroy"}, "did you mean memory?");
    check_usage_error({"--check", ""}, "no metrics are named");
    check_usage_error({"--chip", "GH10"}, "did you mean GH100");
    check_usage_error({"--chip", ""}, "'' is no chip");
    check_usage_error({"--sets", "--chip", "H200"}, "'H200' is no chip");
    check_usage_error({"--sets", "--check", "memory"}, "--sets");
    check_usage_error({"--check"}, "--check");
    check_usage_error({"memory"}, "memory");
}

TEST_CASE("counters explains itself with examples", "[cli][counters]") {
    const std::string text = output_of({"--help"});
    CHECK_THAT(text, contains("Examples:\n  camber counters "));
    for (const char* option : {"--chip", "--check", "--sets"}) CHECK_THAT(text, contains(option));
}

}  // namespace counters_test
