#include "analysis/time/executed.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace camber::loops_test {
namespace {

using Counts = std::map<std::string, std::int64_t>;
using Regions = std::vector<results::CodeRegion>;

double total(const std::vector<Executions>& executions) {
    double sum = 0;
    for (const Executions& region : executions) sum += region.instructions.at("total");
    return sum;
}

// Sum over a neighborhood whose radius is known only at run time: ten instructions around it, rows
// of 30 instructions and 15 loads (the remainder loop), and an inner loop of 32 instructions with
// 16 loads.
const Regions neighbourhood{{0, {{"total", 10}}},
                            {0, {{"total", 60}, {"global_loads_4", 15}}},
                            {1, {{"total", 32}, {"global_loads_4", 16}}}};

}  // namespace

TEST_CASE("a loop is gone through as often as its accesses are made", "[time]") {
    const Regions regions{{0, {{"total", 10}, {"global_stores_4", 1}}},
                          {0, {{"total", 8}, {"global_loads_4", 2}}}};
    const auto executions =
        region_executions(regions, {{"global_loads_4", 30}, {"global_stores_4", 1}});
    CHECK(executions[1].rounds == 15);
    CHECK(total(executions) == Approx(10 + 15 * 8));
}

TEST_CASE("two loops of one kind of access go over a square", "[time]") {
    // 11 rows, each with 11 of the 15 loads outside of the inner loop.
    const auto executions = region_executions(neighbourhood, {{"global_loads_4", 121}});
    CHECK(executions[1].rounds == Approx(11));
    CHECK(executions[2].rounds == 0);
    CHECK(total(executions) == Approx(10 + 11 * 60 * std::sqrt(11.0 / 15)));
    // 31 rows, each with one iteration of the inner loop and all loads outside of it.
    CHECK(total(region_executions(neighbourhood, {{"global_loads_4", 961}})) ==
          Approx(10 + 31 * (60 + 32)));
    CHECK(total(region_executions(neighbourhood, {})) == Approx(10));
}

TEST_CASE("an outer loop with accesses of its own is known by these", "[time]") {
    Regions regions = neighbourhood;
    regions[1].instructions["global_stores_4"] = 1;
    const auto executions =
        region_executions(regions, {{"global_loads_4", 4 * 15 + 48}, {"global_stores_4", 4}});
    CHECK(executions[1].rounds == 4);
    CHECK(executions[2].rounds == Approx(3));
}

TEST_CASE("a form for the board's edge is passed over where no warp makes its accesses", "[time]") {
    const Regions regions{{0, {{"total", 10}}},
                          {0, {{"total", 20}, {"global_loads_16", 2}}},
                          {0, {{"total", 90}, {"global_loads_16", 2}, {"global_loads_1", 8}}}};
    const auto inside = region_executions(regions, {{"global_loads_16", 20}});
    CHECK(inside[1].rounds == 10);
    CHECK(inside[2].rounds == 0);
    // A few warps are at the edge.
    const auto both = region_executions(regions, {{"global_loads_16", 20}, {"global_loads_1", 8}});
    CHECK(both[2].rounds == 1);
    CHECK(both[1].rounds == 9);
}

TEST_CASE("a form without tests for the edge makes accesses narrower than they are counted",
          "[time]") {
    // A row's pack and only one neighbor cell on each side are loaded.
    const Regions regions{{0, {{"total", 10}}},
                          {0, {{"total", 90}, {"global_loads_16", 1}, {"global_loads_4", 7}}},
                          {0, {{"total", 30}, {"global_loads_16", 1}, {"global_loads_4", 2}}}};
    const auto executions = region_executions(regions, {{"global_loads_16", 9}});
    CHECK(executions[1].rounds == 0);
    CHECK(executions[2].rounds == 3);
    CHECK(total(executions) == Approx(10 + 3 * 30));
    // A loop without other forms may contain such accesses for the edge alone.
    const Regions alone{regions[0], regions[2]};
    CHECK(region_executions(alone, {{"global_loads_16", 9}})[1].rounds == 9);
}

TEST_CASE("of two forms of a loop most warps take the cheaper, and so of the rest", "[time]") {
    Regions regions{{0, {{"total", 1000}, {"global_stores_16", 4}, {"shared_stores_16", 4}}},
                    {0, {{"total", 70}, {"shared_loads_16", 3}, {"shared_stores_16", 2}}},
                    {0, {{"total", 50}, {"shared_loads_16", 3}, {"shared_stores_16", 2}}}};
    const std::map<std::string, double> made{
        {"global_stores_16", 2}, {"shared_stores_16", 2 + 12}, {"shared_loads_16", 18}};
    const auto executions = region_executions(regions, made);
    CHECK(executions[1].rounds == 0);
    CHECK(executions[2].rounds == Approx(6));
    CHECK(executions[0].instructions.at("total") == Approx(1000 * 0.5));
    // A single loop is no form of another.
    regions.pop_back();
    CHECK(region_executions(regions, made)[0].instructions.at("total") > 900);
}

TEST_CASE("a warp at the board's edge goes round the longer form of a loop", "[time]") {
    const Regions regions{
        {0, {{"total", 10}}},
        {0, {{"total", 90}, {"skippable", 9}, {"global_loads_16", 2}, {"global_stores_4", 8}}},
        {0, {{"total", 50}, {"global_loads_16", 2}, {"global_stores_16", 2}}}};
    const auto executions =
        region_executions(regions, {{"global_loads_16", 20}, {"global_stores_16", 20}});
    REQUIRE(executions[1].rounds == 0);
    CHECK(executions[1].edge.at("total") == Approx(10 * 81));
    CHECK(executions[2].edge.at("total") == 0);
    CHECK(executions[0].edge.at("total") == Approx(10));
    // Loops that read different amounts per iteration are no forms of each other.
    Regions others = regions;
    others[1].instructions["global_loads_16"] = 1;
    const auto apart =
        region_executions(others, {{"global_loads_16", 20}, {"global_stores_16", 20}});
    CHECK(apart[2].edge.at("total") == apart[2].instructions.at("total"));
}

TEST_CASE("where blocks overhang, a form of whole and single accesses is that of the edge",
          "[time]") {
    const Regions regions{
        {0, {{"total", 10}}},
        {0, {{"total", 90}, {"global_loads_16", 2}, {"global_loads_4", 8}, {"global_stores_4", 8}}},
        {0, {{"total", 50}, {"global_loads_16", 2}, {"global_stores_16", 2}}}};
    const auto executions = region_executions(
        regions, {{"global_loads_16", 20.2}, {"global_loads_4", 0.8}, {"global_stores_16", 20}});
    CHECK(executions[1].rounds == Approx(0.1));
    CHECK(executions[1].edge.at("total") == Approx(10 * 90));
    CHECK(executions[2].edge.at("total") == 0);
    // On a board that blocks divide, no warp makes them.
    const auto divided =
        region_executions(regions, {{"global_loads_16", 20}, {"global_stores_16", 20}});
    CHECK(divided[1].edge.at("total") == 0);
}

TEST_CASE("of whole and single loads a round makes one kind", "[time]") {
    const Regions regions{{0, {{"total", 10}}},
                          {0, {{"total", 40}, {"global_loads_16", 1}, {"global_loads_4", 5}}}};
    const auto executions =
        region_executions(regions, {{"global_loads_16", 10}, {"global_loads_4", 10}});
    CHECK(executions[1].rounds == Approx(10));
    CHECK(executions[1].instructions.at("total") == Approx(10 * 40 * std::sqrt(2.0 / 6)));
    // Loads of one width that no lane of a warp wants are skipped by predicates.
    const Regions alike{{0, {{"total", 10}}},
                        {0, {{"total", 40}, {"global_loads_4", 6}, {"global_stores_4", 1}}}};
    const auto whole = region_executions(alike, {{"global_loads_4", 20}, {"global_stores_4", 10}});
    CHECK(whole[1].instructions.at("total") == Approx(10 * 40));
}

TEST_CASE("of alternatives a round makes one", "[time]") {
    const Regions regions{{0, {{"total", 10}}},
                          {0, {{"total", 40}, {"global_loads_4", 1}, {"global_loads_1", 3}}}};
    const auto executions = region_executions(regions, {{"global_loads_4", 6}});
    CHECK(executions[1].rounds == 6);
    CHECK(executions[1].instructions.at("total") == Approx(6 * 40 * 0.5));  // sqrt(1 / 4)
}

TEST_CASE("loops that nothing tells apart go the same number of rounds", "[time]") {
    const Regions regions{{0, {{"total", 10}}},
                          {0, {{"total", 30}, {"shared_loads_4", 3}}},
                          {0, {{"total", 20}, {"shared_loads_4", 4}, {"control", 1}}},
                          {0, {{"total", 10}, {"shared_loads_4", 3}}}};
    const auto executions = region_executions(regions, {{"shared_loads_4", 20}});
    for (std::size_t i = 1; i < regions.size(); ++i) CHECK(executions[i].rounds == Approx(2));
}

TEST_CASE("what may be skipped does not count", "[time]") {
    const Regions regions{{0, {{"total", 10}}},
                          {0, {{"total", 40}, {"skippable", 10}, {"global_loads_4", 1}}}};
    const auto executions = region_executions(regions, {{"global_loads_4", 2}});
    CHECK(executions[1].instructions.at("total") == Approx(60));
}

TEST_CASE("of a text in no loop with more accesses than are made a part is executed", "[time]") {
    const Regions regions{{0, {{"total", 100}, {"global_loads_4", 4}}},
                          {0, {{"total", 10}, {"global_loads_4", 4}}}};
    const auto executions = region_executions(regions, {{"global_loads_4", 2}});
    CHECK(executions[0].instructions.at("total") == Approx(50));  // sqrt(1 / 4)
    CHECK(executions[1].rounds == Approx(0.25));
}

TEST_CASE("widths that the compiler chose anew count together", "[time]") {
    const Regions regions{{0, {{"total", 10}}}, {0, {{"total", 8}, {"shared_loads_16", 2}}}};
    CHECK(region_executions(regions, {{"shared_loads_4", 6}})[1].rounds == 3);
}

TEST_CASE("a loop without accesses is gone through as often as its rounds were counted", "[time]") {
    const Regions regions{{0, {{"total", 10}, {"global_stores_4", 1}}},
                          {0, {{"total", 8}, {"global_loads_4", 2}}},
                          {1, {{"total", 5}, {"rounds", 1}}},
                          {2, {{"total", 3}, {"rounds", 1}}}};
    Amounts accesses{{"global_loads_4", 30}, {"global_stores_4", 1}};
    // Without counted iterations, a loop belongs to its surroundings.
    const Regions folded = counted_regions(regions, accesses);
    REQUIRE(folded.size() == 2);
    CHECK(folded[1].instructions == Counts{{"total", 16}, {"global_loads_4", 2}});
    CHECK(counted_regions({regions[0], {0, {{"total", 5}, {"rounds", 1}}}}, accesses).empty());
    accesses["rounds"] = 44;
    CHECK(counted_regions(regions, accesses).size() == 4);
    const auto executions = region_executions({regions[0], regions[1], regions[2]}, accesses);
    CHECK(executions[1].rounds == 15);
    CHECK(executions[2].rounds == 44);
    CHECK(total(executions) == Approx(10 + 15 * 8 + 44 * 5));
}

TEST_CASE("accesses of a warp are told apart by what a lane takes at once", "[time]") {
    LaunchModel model;
    SiteCounts wide;
    wide.counts.global_load.instructions = 100;
    wide.counts.global_load.requested_bytes = 100 * 32 * 16;
    wide.counts.shared_load = SharedCounts{{200, 200}, 100};  // two passes each at least
    SiteCounts bytes{1, {}};
    bytes.counts.global_load.instructions = 300;
    bytes.counts.global_load.requested_bytes = 300 * 32;
    bytes.counts.texture_load.instructions = 50;
    model.sites = {wide, bytes};
    model.rounds = 70;
    const Amounts expected{{"global_loads_16", 10},
                           {"global_loads_1", 30},
                           {"rounds", 7},
                           {"shared_loads_8", 10},
                           {"texture", 5}};
    CHECK(accesses_of_a_warp(model, 10) == expected);
}

}  // namespace camber::loops_test
