// Explanations of why one variant is faster than another, from made-up counters.
#include "analysis/profile/diagnosis.hpp"

#include "tests/analysis/profile/profile_fixture.hpp"
#include "tests/catch.hpp"

namespace reason_test {

using namespace camber::profile;
using camber::profile_test::idle_facts;

namespace {

Facts facts(const std::string& variant, double seconds) {
    Facts facts = idle_facts();
    facts.variant = variant;
    facts.time = {seconds, seconds, seconds, 20};
    return facts;
}

}  // namespace

TEST_CASE("the parts of two names that differ", "[profile]") {
    const auto names = [](const char* first, const char* second) {
        const DistinctNames of = distinct_names(first, second);
        return of.first + " | " + of.second;
    };
    CHECK(names("life/shared_tile/16x16/align128", "life/halo/16x16/align128") ==
          "shared_tile | halo");
    CHECK(names("life/halo/64x4/align128", "life/halo/16x16/align128") == "64x4 | 16x16");
    CHECK(names("life/halo/16x16/unaligned", "life/global/16x16") == "halo/unaligned | global");
    CHECK(names("life/halo", "life/halo/16x16") == "life/halo | life/halo/16x16");
}

TEST_CASE("what the slower one has more of, and what both have alike", "[profile]") {
    Facts slow = facts("life/slow/16x16", 20e-6);
    const Facts fast = facts("life/fast/16x16", 10e-6);
    slow.counters["smsp__inst_executed.sum"] = 1.072e6;   // against 800,000
    slow.counters["lts__t_sectors_op_read.sum"] = 6.5e5;  // with the writes three times as many
    const std::string text = reason(slow, fast);
    CHECK_THAT(text,
               contains("slow has 3.0 times the bytes at L2, and 34 % more warp instructions"));
    CHECK_THAT(text, contains("both move the same bytes of DRAM"));
}

TEST_CASE("what the slower one saves all the same", "[profile]") {
    Facts slow = facts("life/slow/16x16", 20e-6);
    const Facts fast = facts("life/fast/16x16", 10e-6);
    slow.counters["smsp__inst_executed.sum"] = 4e5;
    CHECK_THAT(reason(slow, fast), contains("slow, the slower, has 50 % fewer warp instructions"));
    slow.counters["dram__bytes_read.sum"] = 4e6;
    CHECK_THAT(reason(slow, fast),
               contains("slow has 50 % more bytes of DRAM; but 50 % fewer warp instructions"));
}

TEST_CASE("what only one has, and wavefronts that conflicts cause", "[profile]") {
    Facts slow = facts("life/tile/16x16", 20e-6);
    Facts fast = facts("life/halo/16x16", 10e-6);
    const char* const wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    const char* const conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
    slow.counters[wavefronts] = 3e5;
    fast.counters[wavefronts] = 0;
    CHECK_THAT(reason(slow, fast),
               contains("tile has wavefronts of shared memory, of which halo has none"));
    fast.counters[wavefronts] = 1e5;
    slow.counters[conflicts] = 1.9e5;
    fast.counters[conflicts] = 0;
    CHECK_THAT(reason(slow, fast),
               contains("3.0 times the wavefronts of shared memory, by bank conflicts"));
    slow.counters[conflicts] = 1e4;
    CHECK(reason(slow, fast).find("conflicts") == std::string::npos);
}

TEST_CASE("amounts are of a generation, whatever a launch computes", "[profile]") {
    Facts slow = facts("life/slow/16x16", 20e-6);
    Facts fast = facts("life/two/16x16", 10e-6);
    fast.generations_per_launch = 2;
    for (auto& [metric, count] : fast.counters)
        if (metric.ends_with(".sum")) count *= 2;
    CHECK(reason(slow, fast).find(" more ") == std::string::npos);
    CHECK_THAT(reason(slow, fast), contains("both move the same bytes of DRAM"));
}

TEST_CASE("limits are named, and nothing is said without counters", "[profile]") {
    Facts slow = facts("life/slow/16x16", 10e-6);
    Facts fast = facts("life/fast/16x16", 9e-6);
    for (Facts* of : {&slow, &fast}) of->counters["dram__bytes_read.sum"] = 6e6;
    CHECK_THAT(reason(slow, fast), contains("slow is limited by DRAM at 7"));
    slow.counters.clear();
    CHECK(reason(slow, fast) == "no counters");
}

}  // namespace reason_test
