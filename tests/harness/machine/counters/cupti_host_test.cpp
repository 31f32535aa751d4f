// CUPTI's host functions: error messages, metrics of chips, and plans.
#include <algorithm>
#include <string>
#include <vector>

#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/counters/range_profiler.hpp"
#include "tests/catch.hpp"
#include "tests/harness/machine/counters/cupti_fixture.hpp"

namespace counter_error_test {

// Messages if counters cannot be read.
using camber::Error;
using camber::ExitCode;
using camber::counters::counter_error;

TEST_CASE("a known CUPTI error is one sentence with cause and remedy", "[counters]") {
    struct Known {
        int code;
        std::vector<std::string> parts;
    };
    const std::vector<Known> known{
        {33, {"vGPU", "use a whole GPU"}},
        {35,
         {"administrators only", "RmProfilingAdminOnly", "CAP_PERFMON",
          "NVreg_RestrictProfilingToAdminUsers=0"}},
        {39, {"another profiler", "run camber without it"}},
        {40, {"hypervisor", "vGPU"}},
        {41, {"confidential computing"}},
        {43, {"MIG"}},
        {45, {"WSL"}},
    };
    for (const auto& [code, parts] : known) {
        const Error error = counter_error(code, "enabling the counters", "CUPTI_ERROR");
        const std::string sentence = error.what();
        INFO(sentence);
        CHECK(error.code() == ExitCode::unavailable);
        CHECK(sentence.starts_with("the GPU cannot be profiled: "));
        CHECK(sentence.ends_with("(CUPTI error " + std::to_string(code) + ")"));
        CHECK(sentence.find('\n') == std::string::npos);
        for (const std::string& part : parts) CHECK_THAT(sentence, contains(part));
    }
}

TEST_CASE("any other CUPTI error says what was tried, in CUPTI's own words", "[counters]") {
    CHECK(
        std::string(counter_error(7, "starting a pass", "CUPTI_ERROR_INVALID_OPERATION").what()) ==
        "the GPU cannot be profiled: starting a pass failed in CUPTI with "
        "CUPTI_ERROR_INVALID_OPERATION (CUPTI error 7)");
    CHECK_THAT(counter_error(4711, "starting a pass").what(), contains("an unknown error"));
}

TEST_CASE("counting without a CUDA context is refused with a sentence", "[counters]") {
    try {
        camber::counters::CounterSession("GH100", {}, nullptr);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unavailable);
        CHECK_FALSE(std::string(error.what()).empty());
    }
}

}  // namespace counter_error_test

namespace cupti_host_test {

// Metrics of chips, and plans to measure them; no GPU is needed

namespace {

using namespace camber::counters;
using camber::counters_test::skip_without_cupti;
using camber::counters_test::usage_error;

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace

TEST_CASE("a chip has counters, ratios and throughputs, each with its suffixes", "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("GH100");
    CHECK(chip.chip() == "GH100");
    CHECK(chip.base_names().size() > 3000);
    CHECK(std::ranges::is_sorted(chip.base_names()));
    CHECK(has(chip.suffixes("smsp__inst_executed"), ".sum"));
    CHECK(chip.suffixes("l1tex__t_sector_hit_rate") == Names{".max_rate", ".pct", ".ratio"});
    CHECK(has(chip.suffixes("dram__throughput"), ".avg.pct_of_peak_sustained_elapsed"));
    CHECK(chip.suffixes("dram__throughputs").empty());
    CHECK(chip.suffixes("").empty());
}

TEST_CASE("a metric's name is valid only with a suffix of its kind", "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("GH100");
    CHECK(chip.has("smsp__inst_executed.sum"));
    CHECK(chip.has("LTS.TriageCompute.lts__average_t_sector_aperture_device.pct"));
    for (const char* bad :
         {"smsp__inst_executed", "smsp__inst_executed.", "smsp__inst_executed.pct",
          "l1tex__t_sector_hit_rate.sum", "Smsp__inst_executed.sum", "", "."})
        CHECK_FALSE(chip.has(bad));
    CHECK(chip.why_not("smsp__inst_executed") ==
          "'smsp__inst_executed' lacks its suffix on GH100: add .avg or .max or .min or .sum");
    CHECK_THAT(chip.why_not("smsp__inst_executed.sun"),
               contains("no form of that metric on GH100: did you mean smsp__inst_executed.sum"));
}

TEST_CASE("a plan refuses a bad name by its name, before CUPTI sees it", "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("GH100");
    CHECK_THAT(usage_error([&] {
                   MetricPlan(chip, {"smsp__inst_executed.sum", "dram__bytes_read"});
               }),
               contains("'dram__bytes_read' lacks its suffix on GH100"));
    CHECK_THAT(usage_error([&] { MetricPlan(chip, {"dram__bytes_raed.sum"}); }),
               contains("did you mean dram__bytes_read.sum"));
}

TEST_CASE("a plan has an image to configure the GPU with, and the count of its passes",
          "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("AD102");
    const MetricPlan one(chip, {"smsp__inst_executed.sum"});
    CHECK(one.passes() == 1);
    CHECK_FALSE(one.config_image().empty());
    // Plans for the same chip are independent of each other.
    const MetricPlan same(chip, {"smsp__inst_executed.sum"});
    CHECK(same.config_image().size() == one.config_image().size());
    const MetricPlan none(chip, {});
    CHECK(none.passes() == 0);
    CHECK(none.config_image().empty());
}

TEST_CASE("an unknown chip is an error that names what is near", "[counters]") {
    skip_without_cupti();
    for (const char* chip : {"GH101", "gh100"})
        CHECK_THAT(usage_error([&] { ChipMetrics{chip}; }), contains("did you mean G"));
    CHECK_THAT(usage_error([] { ChipMetrics{"H200"}; }), contains("'H200' is no chip"));
    CHECK_THAT(usage_error([] { ChipMetrics{""}; }), contains("'' is no chip"));
    CHECK_THAT(usage_error([] { ChipMetrics{"GV100"}; }), contains("'GV100' is no chip"));
}

}  // namespace cupti_host_test
