#include "analysis/memory/compare_counters.hpp"

#include "tests/catch.hpp"

namespace compare_counters_test {

using namespace camber;

namespace {

const std::map<std::string, double> model = {{"global_load_requests", 100},
                                             {"global_load_sectors", 400},
                                             {"shared_load_wavefronts", 1000},
                                             {"shared_store_wavefronts", 1000}};

CounterComparison one(const std::string& metric, double measured) {
    const auto all = compare_with_counters(model, {{metric, measured}});
    REQUIRE(all.size() == 1);
    return all.front();
}

}  // namespace

TEST_CASE("requests and sectors of global memory agree to the last one or not",
          "[memory][counters]") {
    const char* sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
    CHECK(one(sectors, 400).agrees);
    CHECK_FALSE(one(sectors, 401).agrees);
    CHECK_FALSE(one(sectors, 399).agrees);
    CHECK(one(sectors, 400).quantity == "global_load_sectors");
    CHECK_FALSE(one(sectors, 400).tolerance.has_value());
}

TEST_CASE("wavefronts of shared memory agree within what was observed", "[memory][counters]") {
    const char* loads = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    const char* stores = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
    CHECK(one(loads, 1120).agrees);
    CHECK_FALSE(one(loads, 1121).agrees);
    CHECK(one(loads, 700).agrees);  // words kept in registers
    CHECK(one(stores, 1120).agrees);
    CHECK_FALSE(one(stores, 1121).agrees);
    CHECK_FALSE(one(stores, 999).agrees);
    CHECK(one(stores, 1000).tolerance == wavefront_tolerance);
}

TEST_CASE("few stores may lose the path to many loads", "[memory][counters]") {
    const std::map<std::string, double> tile = {{"shared_load_wavefronts", 19000},
                                                {"shared_store_wavefronts", 1000}};
    const auto agrees = [&](double measured) {
        return all_agree(compare_with_counters(
            tile, {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", measured}}));
    };
    CHECK(agrees(1400));  // 2 % of 20000 more
    CHECK_FALSE(agrees(1401));
    CHECK_FALSE(agrees(999));
}

TEST_CASE("what one side does not have is not compared", "[memory][counters]") {
    CHECK(compare_with_counters(model, {{"dram__bytes_read.sum", 1}}).empty());
    CHECK(
        compare_with_counters({}, {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1}}).empty());
    CHECK(all_agree({}));
    CHECK_FALSE(all_agree(
        compare_with_counters(model, {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
                                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1}})));
}

}  // namespace compare_counters_test
