// The named metric sets on every chip that CUPTI knows; no GPU is needed.
#include "harness/machine/counters/metric_sets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/harness/machine/counters/cupti_fixture.hpp"

namespace metric_sets_test {

namespace {

using namespace camber::counters;
using camber::counters_test::skip_without_cupti;
using camber::counters_test::usage_error;

using Names = std::vector<std::string>;

const Names dram{"dram__bytes_read.sum", "dram__bytes_write.sum",
                 "dram__throughput.avg.pct_of_peak_sustained_elapsed"};
const Names since_ampere{"sm__sass_inst_executed_op_ldgsts.sum"};
const Names since_hopper{"sm__sass_inst_executed_op_tma.sum",
                         "sm__sass_inst_executed_op_dshared.sum"};

// Chips from Turing to Blackwell with the metrics that they lack, in the order of the set `all`.
std::map<std::string, Names> lacking() {
    const auto both = [](Names a, const Names& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    };
    std::map<std::string, Names> chips;
    for (const char* chip : {"TU102", "TU104", "TU106", "TU116", "TU117"})
        chips[chip] = both(since_ampere, since_hopper);
    for (const char* chip : {"GA100", "GA102", "GA103", "GA104", "GA106", "GA107", "AD102", "AD103",
                             "AD104", "AD106", "AD107"})
        chips[chip] = since_hopper;
    for (const char* chip : {"GH100", "GB100", "GB102", "GB202", "GB203"}) chips[chip] = {};
    // Integrated GPUs, which use the system's memory.
    chips["GA10B"] = both(dram, since_hopper);
    chips["GB10B"] = dram;
    return chips;
}

ChosenMetric find(const std::vector<ChosenMetric>& metrics, const std::string& requested) {
    const auto found = std::ranges::find(metrics, requested, &ChosenMetric::requested);
    REQUIRE(found != metrics.end());
    return *found;
}

std::size_t passes(const ChipMetrics& chip, const std::string& choice) {
    return MetricPlan(chip, chip_names(resolve(choice, chip))).passes();
}

}  // namespace

TEST_CASE("kernels without textures take fewer passes, unless their counters are asked for by name",
          "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("GH100");
    const auto passes = [&](const std::vector<ChosenMetric>& chosen) {
        Names names;
        for (const ChosenMetric& metric : chosen) names.push_back(metric.name);
        return MetricPlan(chip, names).passes();
    };
    const auto all = resolve("all", chip);
    const auto fewer = without_textures(all, "all");
    CHECK(fewer.size() == all.size() - 2);
    CHECK(passes(fewer) < passes(all));
    const std::string named = "shared,l1tex__t_requests_pipe_tex_mem_texture.sum";
    CHECK(without_textures(resolve(named, chip), named).size() == resolve(named, chip).size());
}

TEST_CASE("CUPTI lists the chips from Turing on, and no older one", "[counters]") {
    skip_without_cupti();
    const auto chips = supported_chips();
    for (const auto& [chip, names] : lacking()) {
        INFO(chip);
        CHECK(std::ranges::find(chips, chip) != chips.end());
    }
    CHECK(std::ranges::find(chips, "GV100") == chips.end());
}

TEST_CASE("the sets are complete on every chip but for what it is known to lack", "[counters]") {
    skip_without_cupti();
    for (const auto& [name, expected] : lacking()) {
        INFO(name);
        const ChipMetrics chip(name);
        Names absent;
        for (const ChosenMetric& metric : resolve("all", chip)) {
            INFO(metric.requested);
            if (metric.available()) {
                CHECK(chip.has(metric.name));
            } else {
                absent.push_back(metric.requested);
            }
        }
        CHECK(absent == expected);
        for (const MetricSet& set : metric_sets()) CHECK(passes(chip, set.name) >= 1);
    }
}

TEST_CASE("the DRAM counters of GB20x have other names", "[counters]") {
    skip_without_cupti();
    for (const char* name : {"GB202", "GB203"}) {
        const auto metrics = resolve("memory", ChipMetrics(name));
        CHECK(find(metrics, "dram__bytes_read.sum").name == "dram__bytes_op_read.sum");
        CHECK(find(metrics, "dram__bytes_write.sum").name == "dram__bytes_op_write.sum");
    }
    for (const ChosenMetric& metric : resolve("all", ChipMetrics("GH100")))
        CHECK(metric.name == metric.requested);
}

TEST_CASE("passes on GH100", "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("GH100");
    std::string choice =
        "smsp__inst_executed.sum,smsp__thread_inst_executed.sum,"
        "sm__warps_active.avg.pct_of_peak_sustained_active,sm__cycles_elapsed.max,"
        "gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,"
        "dram__throughput.avg.pct_of_peak_sustained_elapsed";
    CHECK(passes(chip, choice) == 1);
    for (const char* metric : {"data_pipe_lsu_wavefronts", "data_bank_conflicts_pipe_lsu"})
        for (const char* direction : {"ld", "st"})
            choice += std::string(",l1tex__") + metric + "_mem_shared_op_" + direction + ".sum";
    CHECK(passes(chip, choice) == 2);
    CHECK(passes(chip, "memory") == 6);
    CHECK(passes(chip, "shared") == 2);
    CHECK(passes(chip, "compute") == 2);
    CHECK(passes(chip, "all") == 7);
    CHECK(passes(chip, "lts__t_sector_hit_rate.pct") == 2);
}

TEST_CASE("sets and metrics can be mixed, and each metric is chosen once", "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("GH100");
    const auto metrics = resolve("sm__cycles_active.avg, shared,gpu__time_duration.sum,,", chip);
    CHECK(metrics.front().requested == "sm__cycles_active.avg");
    CHECK(metrics.size() == 1 + resolve("shared", chip).size());
    std::set<std::string> distinct;
    for (const ChosenMetric& metric : metrics) distinct.insert(metric.requested);
    CHECK(distinct.size() == metrics.size());
}

TEST_CASE("the set `all` has every metric of the others", "[counters]") {
    const Names& all = metric_sets().back().metrics;
    CHECK(metric_sets().back().name == "all");
    for (const MetricSet& set : metric_sets())
        for (const std::string& metric : set.metrics) CHECK(std::ranges::count(all, metric) == 1);
}

TEST_CASE("an unknown set or metric is an error that names what is near", "[counters]") {
    skip_without_cupti();
    const ChipMetrics chip("GH100");
    const auto error = [&](const char* choice) {
        return usage_error([&] { resolve(choice, chip); });
    };
    CHECK_THAT(error("memroy"), contains("'memroy' is neither a set of metrics (memory, shared, "
                                         "compute, all) nor a metric: did you mean memory?"));
    CHECK_THAT(error("shared,smsp__inst_exeuted.sum"),
               contains("'smsp__inst_exeuted.sum' is no metric of GH100: did you mean "
                        "smsp__inst_executed.sum, "));
    CHECK_THAT(error("l1tex__t_sector_hitrate.sum"), contains("l1tex__t_sector_hit_rate."));
    CHECK_THAT(error("dram__bytes_op_read.sum"), contains("did you mean dram__bytes"));
    CHECK_THAT(error(""), contains("no metrics are named"));
    CHECK_THAT(error(" , "), contains("no metrics are named"));
    for (const char* odd : {".sum", "__.sum", "__", "dram__.", "gpu__time_duration.sum.", "a__b"})
        CHECK_FALSE(error(odd).empty());
}

}  // namespace metric_sets_test
