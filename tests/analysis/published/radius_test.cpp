#include <string>
#include <utility>
#include <vector>

#include "analysis/published/radius.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace over_radius_test {

// Fastest technique at each radius, from made-up times.

using namespace camber;
using namespace camber::published;
using published_test::document_of;
using published_test::timed_case;

namespace {

constexpr Size board{64, 64};

results::CaseRecord square(const std::string& technique, const std::string& shape, int radius,
                           double ns, Size size = board,
                           std::map<std::string, double> counters = {}) {
    const std::string variant = "larger_than_life/" + technique + "/" + shape;
    results::CaseRecord record = timed_case(variant, size, {ns, ns, ns}, std::move(counters));
    record.identity.technique = technique;
    record.identity.cell = "uint8";
    record.identity.rule = "R" + std::to_string(radius) + ",B3..3,S2..3";
    record.derived->cells_per_second = static_cast<double>(size.cells()) / (ns * 1e-9);
    return record;
}

std::vector<results::Document> documents() {
    std::vector<results::CaseRecord> cases;
    // The tile is slower, equal, and then faster; the faster one of the two halo variants counts.
    for (const auto& [radius, tile] : {std::pair(1, 200.0), {3, 101.0}, {5, 50.0}, {9, 40.0}}) {
        cases.push_back(square("box_tile", "16x16", radius, tile));
        cases.push_back(square("halo", "64x4/unaligned", radius, 130));
        cases.push_back(square("halo", "64x4/align128", radius, 100));
        cases.push_back(square("tensor_cores", "32x4", radius, 45));
    }
    // A series with too few radii, and a larger board with fewer radii.
    for (const int radius : {1, 5})
        cases.push_back(square("halo", "64x4/align128", radius, 10, {32, 32}));
    for (const int radius : {1, 3, 5})
        cases.push_back(square("halo", "64x4/align128", radius, 10, {128, 128}));
    std::vector<results::Document> all{document_of("NVIDIA H200", std::move(cases))};
    const auto sectors = [](double count) {
        return std::map<std::string, double>{
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", count}};
    };
    all.push_back(document_of("NVIDIA H200",
                              {square("box_tile", "16x16", 5, 5, {16, 16}, sectors(1e6)),
                               square("halo", "64x4/align128", 5, 9, {16, 16}, sectors(5e6))},
                              "counted.json"));
    return all;
}

const RadiusStatement& statement(const std::vector<RadiusStatement>& all, std::string_view of) {
    for (const RadiusStatement& stated : all)
        if (stated.faster.front() == of) return stated;
    FAIL("no statement of " << of);
    return all.front();
}

}  // namespace

TEST_CASE("a series has the fastest variant of each technique at each radius", "[published]") {
    const auto all = documents();
    const auto series = over_radius(all);
    REQUIRE(series.size() == 1);
    CHECK(series[0].size == board);
    CHECK(series[0].fastest.size() == 4);
    CHECK(series[0].techniques() == std::set<std::string>{"box_tile", "halo", "tensor_cores"});
    CHECK(series[0].fastest.at(3).at("halo")->identity.variant ==
          "larger_than_life/halo/64x4/align128");
}

TEST_CASE("what is faster is told radius by radius, with the reason where it was counted",
          "[published]") {
    const auto all = documents();
    const RadiusSeries series = over_radius(all).front();
    const auto statements = radius_statements("larger_than_life", "uint8");
    const auto tiles = answers(statement(statements, "box_tile"), series, all);
    REQUIRE(tiles.size() == 4);
    CHECK(tiles[0].measured.outcome == Outcome::reversed);
    CHECK(tiles[1].measured.outcome == Outcome::no_difference);
    CHECK(tiles[2].measured.outcome == Outcome::holds);
    CHECK(*tiles[2].measured.ratio == 2);
    CHECK(outcomes_text(tiles) ==
          "holds at radius 5 to 9, no difference at radius 3, reversed at radius 1");
    CHECK(tiles[0].reason.empty());
    CHECK_THAT(tiles[2].reason,
               contains("5.0 times the sectors at L1") && contains("(counted on 16x16)"));
    // Compared with all other techniques.
    CHECK(outcomes_text(answers(statement(statements, "tensor_cores"), series, all)) ==
          "holds at radius 1 to 5, reversed at radius 9");
    // No variant uses column sums.
    CHECK(answers(statement(statements, "column_sums"), series, all).empty());
    CHECK(outcomes_text({}) == "-");
}

TEST_CASE("the page of questions says when shared memory pays", "[published]") {
    const std::string page = questions_page(by_card(documents()), PageFormat::markdown);
    // No source has conclusions on radii: each gets a sentence instead of its table.
    CHECK_THAT(page, contains("What was measured decides none of its 29 conclusions."));
    CHECK_THAT(page, !contains("not decidable"));
    CHECK_THAT(page, contains("## When does shared memory pay?"));
    CHECK_THAT(page, contains("**H200, larger_than_life, uint8 cells, 64x64**"));
    CHECK_THAT(page, contains("| Gcell/s at radius | 1 | 3 | 5 | 9 |"));
    CHECK_THAT(page, contains("| halo | 41.0 | 41.0 | 41.0 | 41.0 |"));
    CHECK_THAT(page,
               contains("| Whole squares from shared memory are faster than from the caches | "
                        "holds at radius 5 to 9, no difference at radius 3, reversed at "
                        "radius 1 | 0.50x, 0.99x, 2.00x, 2.50x | radius 5: "));
    // A page restricted to named tables omits this part.
    const Table* const table = &find_table(tables(), "topa-3");
    CHECK_THAT(questions_page(by_card(documents()), PageFormat::markdown, std::span(&table, 1)),
               !contains("When does shared memory pay?"));
}

}  // namespace over_radius_test
