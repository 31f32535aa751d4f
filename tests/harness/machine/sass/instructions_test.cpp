// Control information of instructions, and the waits of a warp.
#include <filesystem>

#include "harness/machine/sass/instruction_mix.hpp"
#include "harness/machine/sass/instructions.hpp"
#include "harness/record/metric_names.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace schedule_test {

using namespace camber;

namespace {

using Text = std::vector<ScheduledInstruction>;

ScheduledInstruction plain(int stall, unsigned waits = 0) {
    return {{stall, {}, {}, waits}, Wait::brief};
}
ScheduledInstruction load(int barrier) {
    return {{1, barrier, {}, 0}, Wait::memory};
}
ScheduledInstruction shuffle(int barrier) {
    return {{1, barrier, {}, 0}, Wait::brief};
}
Schedule schedule_of(const Text& text, bool repeats) {
    Schedule sum{};
    for (const Schedule& part : parts_of_schedule(text, repeats))
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    return sum;
}
constexpr unsigned first = 1;
constexpr unsigned second = 2;

}  // namespace

TEST_CASE("the upper half of an instruction has its control", "[static][schedule]") {
    // From a listing for compute capability 9.0: S2R R2, SR_CTAID.X, and the IMAD that uses R2.
    const IssueControl sets = issue_control(0x000e2e0000002500);
    CHECK(sets.stall == 7);
    CHECK(sets.sets == 0);
    CHECK_FALSE(sets.frees);
    CHECK(sets.waits == 0);
    const IssueControl waits = issue_control(0x001fe400078e0203);
    CHECK(waits.stall == 2);
    CHECK_FALSE(waits.sets);
    CHECK(waits.waits == first);
    // LDG.E R16, desc[UR4][R4.64] of halo_kernel.sass: the sixth barrier guards its result, the
    // first one its address register.
    const IssueControl both = issue_control(0x000162000c1e1900);
    CHECK(both.sets == 5);
    CHECK(both.frees == 0);
    CHECK(issue_control(0).stall == 1);
}

TEST_CASE("loads that are under way together are waited for once", "[static][schedule]") {
    CHECK(schedule_of({load(0), load(1), plain(4, first), plain(5, second)}, false) ==
          Schedule{11, 1, 2, 0, 0});
    // The second load's address depends on the first load.
    CHECK(schedule_of({load(0), plain(4, first), load(1), plain(5, second)}, false) ==
          Schedule{11, 2, 2, 0, 0});
    // Several loads with one barrier: it is released after the last one.
    CHECK(schedule_of({load(0), plain(9), load(0), plain(1, first)}, false) ==
          Schedule{12, 1, 1, 0, 0});
    // No instruction waits for the load.
    CHECK(schedule_of({load(0), plain(2)}, false) == Schedule{3, 0, 0, 0, 0});
}

TEST_CASE("a brief wait within a longer one is none", "[static][schedule]") {
    CHECK(schedule_of({shuffle(0), plain(3, first), plain(1, first)}, false) ==
          Schedule{5, 0, 0, 1, 1});
    CHECK(schedule_of({load(0), shuffle(1), plain(2, first), plain(2, second)}, false) ==
          Schedule{6, 1, 2, 0, 0});
    CHECK(schedule_of({load(0), plain(2, first), shuffle(1), plain(2, second)}, false) ==
          Schedule{6, 1, 1, 1, 1});
    // Operands that are read late cause a brief wait.
    const ScheduledInstruction store{{1, {}, 0, 0}, Wait::memory};
    CHECK(schedule_of({store, plain(1, first)}, false) == Schedule{2, 0, 0, 1, 1});
}

TEST_CASE("a wait covers no more than it could last", "[static][schedule]") {
    CHECK(schedule_of({load(0), plain(4000), plain(1, first)}, false)[2] == longest_wait_cycles[0]);
    CHECK(schedule_of({shuffle(0), plain(4000), plain(1, first)}, false)[4] ==
          longest_wait_cycles[1]);
}

TEST_CASE("a round of a loop waits for what the one before has under way", "[static][schedule]") {
    const Text prefetching{plain(2, first), load(0), plain(60)};
    CHECK(schedule_of(prefetching, false)[1] == 0);
    CHECK(schedule_of(prefetching, true) == Schedule{63, 1, 61, 0, 0});
}

TEST_CASE("each instruction has its part of a text's schedule", "[static][schedule]") {
    const Text text{load(0), shuffle(1), plain(2, first), plain(2, second)};
    CHECK(
        parts_of_schedule(text) ==
        std::vector<Schedule>{{1, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {2, 1, 2, 0, 0}, {2, 0, 0, 0, 0}});
}

TEST_CASE("the schedule of a halo kernel, counted by hand", "[static][schedule]") {
    const auto mixes = parse_listing(results_test::text_of(
        std::filesystem::path(CAMBER_SOURCE_DIR) / "tests/harness/machine/sass/halo_kernel.sass"));
    // Stalls of 54 instructions; one wait for the nine loads, 27 cycles after the third; two S2R, 3
    // cycles after the second.
    Schedule schedule{};
    for (std::size_t i = 0; i < schedule.size(); ++i)
        schedule[i] = mixes.begin()->second.instructions.at(std::string(text_counts::schedule[i]));
    CHECK(schedule == Schedule{136, 1, 27, 1, 3});
}

TEST_CASE("what comes back from the multiprocessor itself is a brief wait", "[static][schedule]") {
    // Sets barrier 0, followed by an instruction that waits for it.
    const auto waits_for = [](const std::string& load) {
        const auto mixes = parse_listing("\t\tFunction : kernel\n        /*0000*/  " + load +
                                         " ;  /* 0x0 */\n /* 0x000e220000000000 */\n"
                                         "        /*0010*/  IADD3 R1, R0, 1, RZ ;  /* 0x0 */\n"
                                         " /* 0x001fe20000000000 */\n"
                                         "        /*0020*/  EXIT ;  /* 0x0 */\n"
                                         " /* 0x000fe20000000000 */\n");
        const auto& counts = mixes.at("kernel").instructions;
        return std::pair(counts.at("memory_waits"), counts.at("brief_waits"));
    };
    CHECK(waits_for("LDG.E R0, [R2.64]") == std::pair<std::int64_t, std::int64_t>(1, 0));
    CHECK(waits_for("LDL R0, [R1]") == std::pair<std::int64_t, std::int64_t>(0, 1));  // spilled
    CHECK(waits_for("ATOMS.ADD R0, [R1], R2") == std::pair<std::int64_t, std::int64_t>(0, 1));
    CHECK(waits_for("ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], R4") ==
          std::pair<std::int64_t, std::int64_t>(1, 0));
}

TEST_CASE("a listing without encodings has no schedule", "[static][schedule]") {
    const auto mixes = parse_listing("\t\tFunction : kernel\n        /*0000*/  EXIT ;\n");
    REQUIRE(mixes.contains("kernel"));
    CHECK_FALSE(mixes.at("kernel").instructions.contains("cycles"));
}

}  // namespace schedule_test
