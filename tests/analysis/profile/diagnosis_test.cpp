#include <stdexcept>
#include <string>

#include "analysis/profile/diagnosis.hpp"
#include "harness/record/document.hpp"
#include "tests/analysis/profile/profile_fixture.hpp"
#include "tests/catch.hpp"

namespace diagnosis_test {

// Diagnosis rule: one made-up case per outcome, and measured ones.

using namespace camber::profile;
using camber::Resource;
using camber::profile_test::idle_facts;

namespace {

void check_limit(const Facts& facts, Resource resource, double share) {
    const Diagnosis diagnosis = diagnose(facts);
    CAPTURE(diagnosis.paragraph);
    CHECK(diagnosis.limit == Limit::resource);
    REQUIRE(diagnosis.resource);
    CHECK(name(*diagnosis.resource) == name(resource));
    CHECK(diagnosis.utilisations.front().share() == Approx(share));
    CHECK(diagnosis.verdict == name(resource));
    CHECK_THAT(diagnosis.paragraph, contains("Limited by " + std::string(name(resource)) + " at "));
}

camber::results::Document document_of(const std::string& path) {
    return camber::results::read_document(std::string(CAMBER_SOURCE_DIR) + "/results/" + path);
}

Facts measured(const std::string& variant) {
    auto document = document_of("measurement/life-2048-counters.json");
    document.context.run->ceilings.complete_from(*document_of("h200/ceilings.json").ceilings);
    for (const camber::results::CaseRecord& record : document.cases)
        if (record.identity.variant == variant) return facts_of(*document.run(), record);
    FAIL("no " << variant);
    return {};
}

}  // namespace

TEST_CASE("DRAM-bound", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["dram__bytes_read.sum"] = 4e6;
    facts.counters["dram__bytes_write.sum"] = 4e6;
    check_limit(facts, Resource::dram, 0.8);
    CHECK_THAT(diagnose(facts).paragraph,
               contains("80.0 % of the ceiling (800 GB/s of 1000 GB/s)"));
    CHECK_THAT(diagnose(facts).paragraph, contains("moves 1.00 times the bytes"));
    CHECK_THAT(diagnose(facts).paragraph, contains("Next: "));
}

TEST_CASE("counters that no device can reach are of another launch than its time", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["dram__bytes_read.sum"] = 16e6;
    facts.counters["dram__bytes_write.sum"] = 16e6;
    const Diagnosis diagnosis = diagnose(facts);
    CHECK(diagnosis.limit == Limit::unknown);
    CHECK(diagnosis.verdict == "unknown: counters of a different launch");
    CHECK_THAT(diagnosis.paragraph,
               contains("DRAM at 320.0 % of the ceiling") && contains("which is impossible"));
}

TEST_CASE("L2-bound", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["lts__t_sectors_op_read.sum"] = 8e5;
    facts.counters["l1tex__t_sector_hit_rate.pct"] = 12.5;
    facts.counters["lts__t_sector_hit_rate.pct"] = 90;
    check_limit(facts, Resource::l2, 0.72);  // 9e5 x 32 B / 10 us / 4e12
    CHECK_THAT(diagnose(facts).paragraph, contains("The hit rate is 12.5 % in L1"));
}

TEST_CASE("L1-bound", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 3e5;
    facts.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 2.4e6;
    check_limit(facts, Resource::l1, 0.768);
    CHECK_THAT(diagnose(facts).paragraph, contains("takes 8.00 sectors"));
}

TEST_CASE("shared-memory-bound", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 5e5;
    facts.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 1e5;
    facts.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] = 3e5;
    check_limit(facts, Resource::shared, 0.768);
    CHECK_THAT(diagnose(facts).paragraph,
               contains("Bank conflicts cause 50.0 % of the 600.000 k shared-memory wavefronts"));
}

TEST_CASE("issue-bound", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["smsp__inst_executed.sum"] = 3e6;
    facts.counters["smsp__thread_inst_executed.sum"] = 9e7;
    check_limit(facts, Resource::issue, 0.75);
    CHECK_THAT(diagnose(facts).paragraph, contains("A cell costs 90.0 instructions"));
    CHECK_THAT(diagnose(facts).paragraph, contains("30.0 of 32 threads"));
}

TEST_CASE("bound by arithmetic pipes", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["sm__sass_thread_inst_executed_op_dfma_pred_on.sum"] = 4e7;
    check_limit(facts, Resource::fp64, 0.8);
    facts.counters["sm__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 9e7;
    check_limit(facts, Resource::fp32, 0.9);
}

TEST_CASE("latency by too few warps", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["sm__warps_active.avg.pct_of_peak_sustained_active"] = 30;
    Diagnosis diagnosis = diagnose(facts);
    CHECK(diagnosis.limit == Limit::occupancy);
    CHECK(diagnosis.verdict == "latency: too few warps");
    CHECK_THAT(diagnosis.paragraph, contains("Occupancy is 30.0 % (theoretical: 100.0 %)."));
    CHECK_THAT(diagnosis.paragraph, contains("3907 blocks on 100 SMs"));
    facts.kernel->occupancy = 0.375;
    facts.kernel->registers = 80;
    CHECK_THAT(diagnose(facts).paragraph, contains("Registers (80 per thread)"));
}

TEST_CASE("latency though warps are many", "[profile]") {
    const Diagnosis diagnosis = diagnose(idle_facts());
    CHECK(diagnosis.limit == Limit::latency);
    REQUIRE(diagnosis.resource);
    CHECK(*diagnosis.resource == Resource::dram);
    CHECK_THAT(diagnosis.paragraph, contains("No resource reaches 60 %; the most used are DRAM"));
    CHECK_THAT(diagnosis.paragraph, contains("40.0 %"));
    CHECK(diagnosis.paragraph.find("spill") == std::string::npos);
}

TEST_CASE("the threshold is 60 %", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["smsp__inst_executed.sum"] = 2.39e6;  // 59.75 %
    CHECK(diagnose(facts).limit == Limit::latency);
    facts.counters["smsp__inst_executed.sum"] = 2.41e6;
    CHECK(diagnose(facts).limit == Limit::resource);
}

TEST_CASE("launch-bound", "[profile]") {
    Facts facts = idle_facts();
    facts.ceilings.launch_seconds = 4e-6;
    CHECK(diagnose(facts).limit == Limit::launch);
    CHECK_THAT(diagnose(facts).paragraph, contains("2.5 times an empty launch (4.00 us)"));
    facts.ceilings.launch_seconds = 3.3e-6;  // 3.03 empty launches
    CHECK(diagnose(facts).limit == Limit::latency);
    facts.ceilings.launch_seconds = 4e-6;
    facts.generations_per_launch = 2;  // 20 us per launch
    CHECK(diagnose(facts).limit != Limit::launch);
    // A busy resource takes precedence.
    facts = idle_facts();
    facts.ceilings.launch_seconds = 4e-6;
    facts.counters["smsp__inst_executed.sum"] = 3e6;
    CHECK(diagnose(facts).limit == Limit::resource);
}

TEST_CASE("without counters only what must move is known", "[profile]") {
    Facts facts = idle_facts();
    facts.counters.clear();
    // 8e6 B / 10 us = 0.8 of the copy bandwidth, and the fields do not fit into L2.
    Diagnosis diagnosis = diagnose(facts);
    CHECK(diagnosis.limit == Limit::resource);
    CHECK(*diagnosis.resource == Resource::dram);
    CHECK(diagnosis.utilisations.front().estimate);
    CHECK_THAT(diagnosis.paragraph,
               contains("80.0 % of the ceiling, counting only the bytes that must move"));

    facts.time.median = 20e-6;  // 0.4
    diagnosis = diagnose(facts);
    CHECK(diagnosis.limit == Limit::unknown);
    CHECK(diagnosis.verdict == "unknown without counters");
    CHECK_THAT(diagnosis.paragraph, contains("40.0 %"));

    facts.time.median = 10e-6;
    facts.gpu.l2_bytes = 64'000'000;  // now the fields fit
    CHECK(diagnose(facts).limit == Limit::unknown);
    CHECK(diagnose(facts).utilisations.empty());

    facts.gpu.l2_bytes = 4'000'000;
    facts.generations_per_launch = 2;  // a launch moves the bytes once for two generations
    CHECK(diagnose(facts).utilisations.front().share() == Approx(0.4));

    // Each of two devices moves half of the bytes, which fits into its L2.
    facts.devices = 2;
    CHECK(diagnose(facts).utilisations.empty());
    facts.gpu.l2_bytes = 3'000'000;
    CHECK(diagnose(facts).utilisations.front().share() == Approx(0.2));
    facts.devices = 1;

    facts.ceilings.launch_seconds = 1e-5;
    CHECK(diagnose(facts).limit == Limit::launch);
}

TEST_CASE("spills are told", "[profile]") {
    Facts facts = idle_facts();
    facts.counters["sm__sass_inst_executed_op_local_ld.sum"] = 1500;
    facts.counters["sm__sass_inst_executed_op_local_st.sum"] = 500;
    CHECK_THAT(diagnose(facts).paragraph, contains("2.000 k loads and stores of local memory"));
}

TEST_CASE("a case without time or cells has no diagnosis", "[profile]") {
    Facts facts = idle_facts();
    facts.time.median = 0;
    CHECK_THROWS_AS(diagnose(facts), std::invalid_argument);
    facts = idle_facts();
    facts.cells = 0;
    CHECK_THROWS_AS(diagnose(facts), std::invalid_argument);
}

TEST_CASE("facts are of cases that were timed on a GPU", "[profile]") {
    const auto document = document_of("measurement/life-2048-counters.json");
    const camber::results::CaseRecord& record = document.cases.front();
    const Facts facts = facts_of(*document.run(), record);
    CHECK(facts.gpu.name == "NVIDIA H200");
    CHECK(facts.time.median == Approx(1e-9 * record.real_time_ns));
    CHECK(facts.time.low < facts.time.median);
    CHECK(facts.application_bytes == Approx(8 * facts.cells));
    CHECK(facts.kernel->name == record.kernels.front().name);

    camber::results::Run host = *document.run();
    host.gpu.reset();
    CHECK_THROWS_AS(facts_of(host, record), std::invalid_argument);
    camber::results::CaseRecord untimed = record;
    untimed.samples.reset();
    CHECK_THROWS_AS(facts_of(*document.run(), untimed), std::invalid_argument);
}

TEST_CASE("two cases: which is faster, and what differs most", "[profile]") {
    const Facts first = idle_facts();
    Facts second = idle_facts();
    second.variant = "life/loud/16x16";
    second.time = {20e-6, 19.9e-6, 20.1e-6, 20};
    second.counters["smsp__inst_executed.sum"] = 3.2e6;
    second.counters["dram__bytes_read.sum"] = 3e6;
    second.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 7000;
    const std::string text = compare(first, second);
    CHECK_THAT(text, contains("2.00 times as fast"));
    CHECK_THAT(text,
               contains("Largest difference: warp instructions, 800.000 k against 3.200 M per "
                        "generation (0.25x)"));
    CHECK(text.find("overlap") == std::string::npos);
    CHECK(text.find("agrees with the times") == std::string::npos);
    CHECK_THAT(compare(second, first), contains("2.00 times as slow"));
    // The slower one does less of the work that differs most; the sentence also names the work of
    // which it does more.
    Facts third = second;
    third.counters["smsp__inst_executed.sum"] = 1e5;
    CHECK_THAT(
        compare(first, third),
        contains(
            "warp instructions, 800.000 k against 100.000 k per generation (8.00x); "
            "largest one that agrees with the times: bytes read from DRAM, 2.000 M against 3.000 M "
            "per generation (0.67x)."));

    second.time = {10.1e-6, 10.0e-6, 10.2e-6, 20};
    CHECK_THAT(compare(first, second), contains("the difference is not significant"));

    // Counts are per launch: with twice the generations, doubled counts are no difference.
    second = first;
    second.variant = "life/same";
    second.generations_per_launch = 2;
    for (auto& [metric, value] : second.counters) value *= 2;
    CHECK(compare(first, second).find("Largest difference") == std::string::npos);
    second.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 7000;
    Facts none = first;
    none.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = 0;
    CHECK_THAT(compare(none, second), contains("Only life/same has wavefronts of shared memory, "
                                               "3.500 k per generation"));
}

TEST_CASE("diagnoses of cases measured on the H200", "[profile][results]") {
    // 10747904 / (16.62987714 us x 1.98 GHz x 132 x 4)
    check_limit(measured("life/global/16x16"), Resource::issue, 0.618204);
    // 2 generations: (wavefronts x 128 B) / (2 x time) / 32.9037 TB/s
    const Facts tile = measured("life/two_generation/16x16/align128");
    const double wavefronts =
        tile.counters.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") +
        tile.counters.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
    check_limit(tile, Resource::shared,
                wavefronts * 128 / (2 * tile.time.median) / 32903705799800.05);
    // No resource is busy in the halo kernel: 7077888 / (13.41 us x 1.98 GHz x 132 x 4) = 50.5 %.
    const Diagnosis halo = diagnose(measured("life/halo/64x4/align128"));
    CHECK(halo.limit == Limit::latency);
    CHECK(*halo.resource == Resource::issue);
    CHECK(halo.utilisations.front().share() == Approx(0.505).margin(0.0005));
    CHECK(*halo.ratios.load_sectors_per_request == Approx(5505024.0 / 1179648));
}

}  // namespace diagnosis_test
