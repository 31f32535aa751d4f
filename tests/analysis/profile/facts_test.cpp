#include "analysis/profile/facts.hpp"
#include "tests/analysis/profile/counted_kernels.hpp"
#include "tests/catch.hpp"

namespace camber::profile::kernel_traffic_test {

// Kernels of a launch: merges launches of one name and compares measurements with predictions.

namespace {

using namespace profile_test;

TEST_CASE("launches of one kernel are added up, in order of the first", "[profile]") {
    const auto traffic = kernel_traffic(counted_kernels().kernel_counters);
    REQUIRE(traffic.size() == 3);
    const KernelTraffic& rain = traffic[0];
    CHECK(rain.name == "rain");
    CHECK(rain.launches == 2);
    CHECK(rain.seconds.value() == Approx(4e-6));
    CHECK(rain.share.value() == Approx(0.4));
    CHECK(rain.dram_bytes.value() == 3000);
    CHECK_FALSE(rain.counters.contains("l1tex__t_sector_hit_rate.pct"));  // rates cannot be summed
    REQUIRE(rain.comparisons.size() == 1);
    CHECK(rain.comparisons[0].predicted == 192);
    CHECK(rain.comparisons[0].measured == 192);
    CHECK(rain.comparisons[0].agrees);

    CHECK(traffic[1].name == "flow");
    CHECK(traffic[1].share.value() == Approx(0.5));
    CHECK_FALSE(all_agree(traffic[1].comparisons));
    CHECK(traffic[2].name == "library");
    CHECK(traffic[2].comparisons.empty());
}

TEST_CASE("a kernel of which one launch has no prediction is not compared", "[profile]") {
    auto kernels = counted_kernels().kernel_counters;
    kernels[3].model.reset();
    const auto traffic = kernel_traffic(kernels);
    CHECK(traffic[0].comparisons.empty());
    CHECK(traffic[0].counters.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") == 192);
}

TEST_CASE("cases without counters of single kernels have no such traffic", "[profile]") {
    CHECK(kernel_traffic({}).empty());
    auto kernels = counted_kernels().kernel_counters;
    for (auto& one : kernels) one.counters = {{"smsp__inst_executed.sum", 7}};
    for (const KernelTraffic& one : kernel_traffic(kernels)) {
        CHECK_FALSE(one.share);
        CHECK_FALSE(one.dram_bytes);
        CHECK(one.comparisons.empty());
    }
}

}  // namespace
}  // namespace camber::profile::kernel_traffic_test
