#include "analysis/published/figures.hpp"

#include <algorithm>
#include <set>

#include "harness/base/error.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace figures_test {

// Published figures, and lines of results files beside them.

using namespace camber;
using namespace camber::published;
using published_test::document_of;
using published_test::timed_case;

namespace {

const PublishedFigure& figure(const std::string& id) {
    const auto found = std::ranges::find(figures(), id, &PublishedFigure::id);
    REQUIRE(found != figures().end());
    return *found;
}

results::CaseRecord summed(const std::string& variant, Size size, std::vector<double> steps_ns) {
    auto record = timed_case(variant, size, {1});
    results::SummedRun& run = record.summed.emplace();
    int generation = 100;
    for (const double ns : steps_ns) {
        run.states.push_back({generation, 10, {10 * ns, 10 * ns, 10 * ns}, {}});
        generation += 200;
    }
    record.identity.generations = generation;
    return record;
}

std::vector<double> ys(const MeasuredLine& line) {
    std::vector<double> values;
    for (const MeasuredPoint& point : line.points) values.push_back(point.y);
    return values;
}

}  // namespace

TEST_CASE("every published figure is drawn, or says what to measure", "[published]") {
    std::set<std::string> ids;
    for (const PublishedFigure& one : figures()) {
        CAPTURE(one.id);
        CHECK(ids.insert(one.id).second);
        CHECK_FALSE(one.says.empty());
        CHECK_FALSE(one.source.empty());
        CHECK((one.drawn != Drawn::nothing || !one.measure.empty()));
        const bool needs_lines = one.drawn != Drawn::nothing && one.drawn != Drawn::useful_threads &&
                                 one.drawn != Drawn::blocks && one.drawn != Drawn::thresholds;
        CHECK(one.lines.empty() != needs_lines);
        for (const StatedPoint& stated : one.stated) CHECK_FALSE(stated.note.empty());
    }
    CHECK(ids.contains("bilotta-figure-1"));
    CHECK(ids.contains("balasalle-figure-5.25"));
}

TEST_CASE("a figure over a run has the step times of saved states", "[published]") {
    const PublishedFigure& one = figure("bilotta-figure-1");
    const char* const box = "magflow/bounding_box/device/64x4/from32/align128";
    const auto other = summed(box, {764, 1638}, {9e3, 9e3, 9e3});
    auto document = document_of("NVIDIA H200", {summed(box, {382, 819}, {1e3, 2e3, 3e3}), other});
    document.context.date = "2026-01-02";
    auto older = document_of("NVIDIA H200", {summed(box, {382, 819}, {7e3, 7e3, 7e3})}, "old.json");
    older.context.date = "2026-01-01";
    const auto lines = measured_lines(one, {document, older});
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].name == "box on the device");
    CHECK(lines[0].device == "NVIDIA H200");
    CHECK(lines[0].basis == "made-up.json: 700 generations");
    CHECK(ys(lines[0]) == std::vector<double>{1, 2, 3});
    CHECK(lines[0].points[1].x == 300);
    // Cells with lava at the same generations, from any file.
    CHECK(measured_lines(figure("rustico-figure-6.4"), {document}).empty());
    for (const int generation : {100, 300, 500})
        older.context.run->activity.push_back({generation, generation / 10, {60}, 40});
    const auto by_lava = measured_lines(figure("rustico-figure-6.4"), {document, older});
    REQUIRE(by_lava.size() == 1);
    CHECK(by_lava[0].points[2].x == 50);
    CHECK(ys(by_lava[0]) == std::vector<double>{1, 2, 3});
}

TEST_CASE("a figure of single kernels has their times at saved states", "[published]") {
    auto record = summed("magflow/published/64x3/l1/align128", {382, 819}, {9e3, 9e3, 9e3});
    double flux = 1e3;
    for (results::StateTimes& state : record.summed->states) {
        state.kernels = {{"flux", flux}, {"library", 2e3}, {"erupt", 1e3}};
        flux *= 3;
    }
    auto unclocked = document_of(
        "NVIDIA H200", {summed("magflow/published/64x3/l1/align128", {382, 819}, {9e3, 9e3, 9e3})});
    unclocked.context.date = "2026-01-03";
    const std::vector documents{document_of("NVIDIA H200", {record}), unclocked};
    const auto times = measured_lines(figure("bilotta-figure-1-kernels"), documents);
    REQUIRE(times.size() == 3);  // none for UpdateCells
    CHECK(times[0].name == "CalcFlux");
    CHECK(ys(times[0]) == std::vector<double>{1, 3, 9});
    CHECK(times[0].points[2].x == 500);
    CHECK(times[1].name == "MinimumScan");
    CHECK(times[2].name == "Erupt");
    const auto shares = measured_lines(figure("bilotta-figure-2-run"), documents);
    REQUIRE(shares.size() == 3);
    CHECK(ys(shares[0]) == std::vector<double>{25, 50, 75});
    CHECK(ys(shares[2]) == std::vector<double>{25, 100.0 / 6, 100.0 / 12});
}

TEST_CASE("a figure of useful threads has the activity of a run", "[published]") {
    auto document = document_of("", {timed_case("sciara_fv3/reference/active_list", {517, 378}, {1})});
    const PublishedFigure& one = figure("sciara-fv3-figure-threads");
    CHECK(measured_lines(one, {document}).empty());
    for (const int generation : {0, 10, 20, 30})
        document.context.run->activity.push_back({generation, generation, {60, 50}, 40});
    const auto lines = measured_lines(one, {document});
    REQUIRE(lines.size() == 4);
    CHECK(lines[1].name == "one box");
    CHECK(lines[1].device.empty());
    CHECK(ys(lines[1]).back() == 50);
    CHECK(lines[2].name == "up to 2 boxes");
    CHECK(ys(lines[3]) == std::vector<double>{25, 50, 75});
}

TEST_CASE("a figure over size compares times of one file", "[published]") {
    const PublishedFigure& one = figure("balasalle-figure-5.14");
    const auto file = [](const std::string& variant, double scale) {
        std::vector<results::CaseRecord> cases;
        for (const int side : {64, 128, 256}) {
            cases.push_back(timed_case(variant, {side, side}, {scale * side}));
            cases.back().identity.cell = "uint32";
        }
        return cases;
    };
    auto cases = file("life/two_element/64x4/align128", 3);
    const auto alone = document_of("GPU", cases);
    const auto base = document_of("GPU", file("life/shared_tile/64x4/align128", 4));
    CHECK(measured_lines(one, {alone, base}).empty());
    std::ranges::move(file("life/shared_tile/64x4/align128", 4), std::back_inserter(cases));
    const auto both = measured_lines(one, {document_of("GPU", cases)});
    REQUIRE(both.size() == 1);
    CHECK(ys(both[0]) == std::vector<double>{25, 25, 25});
    CHECK(both[0].points[2].x == 256);
    // Figures of a workload without results are left out of a report.
    const auto beside = figures_beside({document_of("GPU", cases)});
    CHECK(std::ranges::all_of(beside, [](const FigureBeside& each) {
        return each.figure->workload == "life";
    }));
    CHECK(beside.size() > 1);
    CHECK(figures_beside({alone}).empty());
}

TEST_CASE("a damaged figure is refused", "[published]") {
    const auto text = [](const std::string& draws, const std::string& stated) {
        return R"({"source": {"key": "A"}, "figures": [{"id": "f", "title": "t", "place": "p",
            "x": "x", "y": "y", "says": ["s"], "stated": [)" + stated + R"(], "draws": ")" + draws +
               R"(", "workload": "life"}]})";
    };
    const std::string level = R"({"name": "n", "note": "o", "y": 3})";
    CHECK(parse_figures(text("blocks", level), "a.json").at(0).stated.at(0).y == 3);
    CHECK(parse_figures(R"({"source": {"key": "A"}})", "a.json").empty());
    CHECK_THROWS_WITH(parse_figures(text("pictures", level), "a.json"),
                      "a.json, f: no published figures: /draws: 'pictures' is no quantity of a figure");
    CHECK_THROWS_WITH(parse_figures(text("blocks", R"({"name": "n", "note": "o"})"), "a.json"),
                      contains("'n' states neither x nor y"));
}

}  // namespace figures_test
