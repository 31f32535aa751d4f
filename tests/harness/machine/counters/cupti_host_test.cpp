// Metrics of chips, and plans to measure them; no GPU is needed.
#include "harness/machine/counters/cupti_host.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/harness/machine/counters/cupti_fixture.hpp"

namespace cupti_host_test {

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
    // Plans made from the same chip know nothing of each other.
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
