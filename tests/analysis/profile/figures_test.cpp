#include <algorithm>
#include <optional>

#include "analysis/profile/figures.hpp"
#include "tests/analysis/profile/profile_fixture.hpp"
#include "tests/catch.hpp"

namespace utilisation_test {

// Ceiling shares and ratios, compared with hand calculations.

using namespace camber::profile;
using camber::Resource;
using camber::profile_test::idle_facts;

namespace {

std::optional<Utilisation> use_of(const Facts& facts, Resource resource) {
    for (const Utilisation& use : utilisations(facts))
        if (use.resource == resource) return use;
    return std::nullopt;
}

double share_of(const Facts& facts, Resource resource) {
    const auto use = use_of(facts, resource);
    REQUIRE(use);
    return use->share();
}

}  // namespace

TEST_CASE("the DRAM ceiling follows the mixture of reads and writes", "[profile]") {
    const camber::Ceilings ceilings = idle_facts().ceilings;
    CHECK(*dram_ceiling(ceilings, 1, 0) == Approx(1.2e12));
    CHECK(*dram_ceiling(ceilings, 3, 1) == Approx(1.1e12));
    CHECK(*dram_ceiling(ceilings, 1, 1) == Approx(1.0e12));
    CHECK(*dram_ceiling(ceilings, 1, 3) == Approx(0.9e12));
    CHECK(*dram_ceiling(ceilings, 0, 1) == Approx(0.8e12));
    camber::Ceilings only_copy;
    only_copy.copy_bytes_per_second = 2e12;
    CHECK(*dram_ceiling(only_copy, 1, 0) == 2e12);
    CHECK_FALSE(dram_ceiling(camber::Ceilings{}, 1, 1));
}

TEST_CASE("each resource's share is its amount over the timed median over its ceiling",
          "[profile]") {
    Facts facts = idle_facts();
    CHECK(share_of(facts, Resource::dram) == Approx(0.4));   // 4e6 B / 10 us / 1e12
    CHECK(share_of(facts, Resource::l2) == Approx(0.2));     // 2.5e5 x 32 B / 10 us / 4e12
    CHECK(share_of(facts, Resource::issue) == Approx(0.2));  // 8e5 / 10 us / (100 x 4 x 1e9)
    facts.devices = 2;  // ceilings are per device
    CHECK(share_of(facts, Resource::dram) == Approx(0.2));
    facts.devices = 1;
    // The profiler's duration is not used as the time.
    facts.counters["gpu__time_duration.sum"] = 70000;
    CHECK(share_of(facts, Resource::dram) == Approx(0.4));

    facts.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 2e5;
    facts.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 5e4;
    CHECK(share_of(facts, Resource::shared) == Approx(0.32));  // 2.5e5 x 128 B / 10 us / 1e13
    facts.counters["sm__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 2e7;
    facts.counters["sm__sass_thread_inst_executed_op_fadd_pred_on.sum"] = 1e7;
    facts.counters["sm__sass_thread_inst_executed_op_fmul_pred_on.sum"] = 0;
    CHECK(share_of(facts, Resource::fp32) == Approx(0.3));  // 3e7 x 2 / 10 us / 2e13
    facts.counters["sm__sass_thread_inst_executed_op_dfma_pred_on.sum"] = 1e7;
    CHECK(share_of(facts, Resource::fp64) == Approx(0.2));
}

TEST_CASE("at L1 a request counts as one wavefront at least", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 1e5;
    facts.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 8e5;
    CHECK(share_of(facts, Resource::l1) == Approx(0.256));  // 8e5 x 32 B / 10 us / 1e13
    facts.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 1e5;
    CHECK(share_of(facts, Resource::l1) == Approx(0.128));  // 1e5 x 128 B / 10 us / 1e13
    facts.counters["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] = 1e5;
    facts.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] = 4e5;
    CHECK(share_of(facts, Resource::l1) == Approx(0.256));
}

TEST_CASE("counts are of a launch, times of a generation", "[profile]") {
    Facts facts = idle_facts();
    facts.generations_per_launch = 4;
    facts.time.median = 2.5e-6;
    CHECK(share_of(facts, Resource::dram) == Approx(0.4));
    const Ratios ratio = ratios(facts);
    CHECK(*ratio.dram_over_application == Approx(4e6 / 32e6));
    CHECK(*ratio.instructions_per_cell == Approx(2.4e7 / 4e6));
}

TEST_CASE("the ALU pipe is estimated from the program text", "[profile]") {
    Facts facts = idle_facts();
    CHECK_FALSE(use_of(facts, Resource::alu));
    facts.kernel->instructions = {{"total", 50}, {"integer", 10},   {"logic", 5},
                                  {"shifts", 5}, {"predicates", 5}, {"integer_multiply", 20},
                                  {"other", 5}};
    const auto use = use_of(facts, Resource::alu);
    REQUIRE(use);
    CHECK(use->estimate);
    CHECK(use->share() == Approx(0.128));  // 8e5 x 32 x 25/50 / 10 us / 1e13
    CHECK_FALSE(use_of(facts, Resource::issue)->estimate);
}

TEST_CASE("what was not counted or not measured is left out", "[profile]") {
    Facts facts = idle_facts();
    facts.ceilings.l2_bytes_per_second.reset();
    CHECK_FALSE(use_of(facts, Resource::l2));
    facts.counters.erase("dram__bytes_write.sum");
    CHECK_FALSE(use_of(facts, Resource::dram));
    facts.sm_clock_hz.reset();
    CHECK(utilisations(facts).empty());
    facts.counters.clear();
    const Ratios ratio = ratios(facts);
    CHECK_FALSE(ratio.load_sectors_per_request);
    CHECK_FALSE(ratio.conflict_share);
    CHECK_FALSE(ratio.threads_per_instruction);
    CHECK_FALSE(ratio.achieved_occupancy);
    CHECK_FALSE(ratio.dram_over_application);
    CHECK_FALSE(amounts(facts).dram_bytes());
    CHECK_FALSE(amounts(facts).l1_sectors);
}

TEST_CASE("ratios of counters", "[profile]") {
    Facts facts = idle_facts();
    auto& counters = facts.counters;
    counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 1000;
    counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 4500;
    counters["l1tex__t_requests_pipe_tex_mem_texture.sum"] = 0;
    counters["l1tex__t_sectors_pipe_tex_mem_texture.sum"] = 0;
    counters["smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"] = 75;
    counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 300;
    counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 100;
    counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 100;
    counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"] = 0;
    const Ratios ratio = ratios(facts);
    CHECK(*ratio.load_sectors_per_request == Approx(4.5));
    CHECK_FALSE(ratio.store_sectors_per_request);
    CHECK_FALSE(ratio.texture_sectors_per_request);  // no request, no ratio
    CHECK(*ratio.load_sector_use == Approx(0.75));
    CHECK(*ratio.conflict_share == Approx(0.25));
    CHECK(*ratio.threads_per_instruction == Approx(30));  // 2.4e7 / 8e5
    CHECK(*ratio.achieved_occupancy == Approx(0.8));
    CHECK(*ratio.dram_over_application == Approx(0.5));
    CHECK(*ratio.instructions_per_cell == Approx(24));
}

TEST_CASE("numbers as a person reads them", "[profile]") {
    CHECK(quantity(0) == "0");
    CHECK(quantity(12) == "12");
    CHECK(quantity(12.5) == "12.500");
    CHECK(quantity(1179648) == "1.180 M");
    CHECK(quantity(999.9999) == "1.000 k");
    CHECK(quantity(2.5e9) == "2.500 G");
    CHECK(decimal(2.345, 1) == "2.3");
}

}  // namespace utilisation_test
