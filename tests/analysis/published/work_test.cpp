#include "analysis/published/work.hpp"
#include "analysis/published/measured.hpp"
#include "analysis/published/questions.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace work_test {

// Work of both columns of a published table, and verdicts that depend on it.

using namespace camber;
using namespace camber::published;
using published_test::document_of;
using published_test::timed_case;

namespace {

const char* const rows = "magflow/published/64x1/align128";
const char* const columns = "magflow/published/1x64/align128";

results::CaseRecord eruption(const std::string& variant, double ns, int steps) {
    auto record = timed_case(variant, {382, 819}, {ns, ns * 1.001, ns * 0.999});
    record.identity.from_start = true;
    record.identity.generations = steps;
    record.final.emplace().account = {{"active_share", 0.02}, {"time", 1.8e6}};
    return record;
}

results::Document eruption_document(int steps, const std::string& input,
                                    const std::string& source = "made-up.json") {
    auto document =
        document_of("NVIDIA H200", {eruption(rows, 100, steps), eruption(columns, 900, steps)},
                    source);
    document.context.run->command = {"camber", "run"};
    if (!input.empty()) {
        document.context.run->command.push_back("--input");
        document.context.run->command.push_back(input);
    }
    return document;
}

const Table& table() {
    return find_table(tables(), "magflow-5");
}

// First conclusion about these two variants.
Judged judged(const std::vector<results::Document>& documents) {
    MeasuredTable times(table(), documents);
    const auto all = conclusions(
        table(),
        [&](const Statement& stated) {
            const auto pair = times.both(stated);
            return std::pair(pair.faster, pair.than);
        },
        [&](const Statement& stated) { return times.basis(stated); });
    const auto found = std::ranges::find_if(all, [](const Conclusion& one) {
        return one.stated.faster == rows && one.stated.than == columns;
    });
    REQUIRE(found != all.end());
    return found->measured;
}

}  // namespace

TEST_CASE("a verdict needs a tenth of the source's steps and its ground", "[published]") {
    CHECK(judged({eruption_document(2'000'000, "data/etna2001/")}).outcome == Outcome::holds);
    CHECK(judged({eruption_document(190'000, "etna2001")}).outcome == Outcome::holds);
    const Judged brief = judged({eruption_document(189'999, "etna2001")});
    CHECK(brief.outcome == Outcome::short_run);
    CHECK(brief.ratio.has_value());
    CHECK(judged({eruption_document(2'000'000, "")}).outcome == Outcome::other_ground);
    CHECK(judged({eruption_document(4'000, "")}).outcome == Outcome::short_run);
    // The folder of another eruption; a name without a year may be any.
    CHECK(judged({eruption_document(2'000'000, "etna2006")}).outcome == Outcome::other_ground);
    CHECK(judged({eruption_document(2'000'000, "data/etna2001-at-19-percent")}).outcome ==
          Outcome::holds);
    CHECK(judged({eruption_document(2'000'000, "data/1-20011-7/etna")}).outcome == Outcome::holds);
}

TEST_CASE("one short run of two withholds the verdict", "[published]") {
    const Table& plane = find_table(tables(), "sciara-fv3-1");
    const char* const variant = "sciara_fv3/global/six_kernels/16x16";
    const auto file = [&](const std::string& cell, int steps, double ns) {
        auto record = timed_case(variant, {517, 378}, {ns, ns, ns});
        record.identity.cell = cell;
        record.identity.generations = steps;
        auto document = document_of("NVIDIA H200", {record}, cell + ".json");
        document.context.run->command = {"camber", "run", "--input", "etna2006"};
        return document;
    };
    const Statement stated{.text = "float is faster than double", .faster = variant,
                           .than = variant, .cell = "float32", .than_cell = "float64",
                           .size = "517x378", .source_card = "", .printed = {}};
    const auto basis = [&](int float_steps, int double_steps) {
        const std::vector documents{file("float32", float_steps, 1), file("float64", double_steps, 2)};
        MeasuredTable times(plane, documents);
        const auto pair = times.both(stated);
        REQUIRE(pair.faster != nullptr);
        REQUIRE(pair.than != nullptr);
        return times.basis(stated);
    };
    CHECK(basis(370'000, 370'000) == Basis::same);
    CHECK(basis(4'000, 370'000) == Basis::short_run);
    CHECK(basis(370'000, 4'000) == Basis::short_run);
}

TEST_CASE("a run from a developed state is at the source's stage", "[published]") {
    const Table& bore = find_table(tables(), "rustico-8.3");
    MeasuredWork work{"a file", {1643232, 1}, "", 1'200, 0.01, {}, 1643232};
    CHECK(basis_of(bore, &work) == Basis::short_run);
    work.begin = 22'000;
    CHECK(basis_of(bore, &work) == Basis::same);
    const std::vector<WorkRow> rows = work_rows(bore, {work});
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].work == "generated, from step 22,000 on");
    CHECK(rows[1].verdict.empty());
}

TEST_CASE("whole runs are preferred to short ones", "[published]") {
    const auto brief = eruption_document(4'000, "etna2001", "brief.json");
    const auto whole = eruption_document(2'000'000, "etna2001", "whole.json");
    for (const auto& documents : {std::vector{brief, whole}, std::vector{whole, brief}}) {
        MeasuredTable times(table(), documents);
        CHECK_THAT(times.times("float32").work.origin, contains("whole.json"));
        CHECK(judged(documents).outcome == Outcome::holds);
    }
}

TEST_CASE("a whole run is preferred to a short one of more variants", "[published]") {
    const auto brief = eruption_document(4'000, "etna2001", "brief.json");
    auto whole = eruption_document(2'000'000, "etna2001", "whole.json");
    whole.cases.erase(whole.cases.begin() + 1);
    const std::vector documents{brief, whole};
    MeasuredTable times(table(), documents);
    CHECK_THAT(times.times("float32").work.origin, contains("whole.json"));
    // A statement about both variants has only the short run.
    CHECK(judged(documents).outcome == Outcome::short_run);
}

TEST_CASE("the work of a case is read from its results", "[published]") {
    const auto document = eruption_document(4'000, "/data/etna2001/");
    const MeasuredWork work = work_of(document, document.cases[0]);
    CHECK(work.origin == "NVIDIA H200, 382x819 (made-up.json)");
    CHECK(work.input == "etna2001");
    CHECK(work.steps == 4'000);
    CHECK(work.active_share == 0.02);
    CHECK(work.seconds == 1.8e6);
    // Samples of a visit continue one another.
    auto going_on = document.cases[0];
    going_on.identity.from_start = false;
    going_on.samples->generations_per_sample = 5'000;
    CHECK(work_of(document, going_on).steps == 15'000);
    going_on.samples->visits = {{0, 0, 1, ""}, {0, 1, 2, ""}};
    CHECK(work_of(document, going_on).steps == 10'000);
    going_on.samples->generations_per_sample = 10;
    CHECK(work_of(document, going_on).steps == 4'000);
    // A constant time step gives the simulated time.
    going_on.final.reset();
    going_on.identity.workload_parameters = {{"clock", {120}}};
    CHECK(work_of(document, going_on).seconds == 480'000);
}

TEST_CASE("a source without steps is compared by its simulated time", "[published]") {
    const Table& resumed = find_table(tables(), "rustico-6.1");
    MeasuredWork work{"a file", {1910, 4095}, "etna2001", 40, 13.8, {}, {}};
    CHECK(basis_of(resumed, &work) == Basis::short_run);
    work.seconds = 17'280;
    CHECK(basis_of(resumed, &work) == Basis::same);
    CHECK(basis_of(resumed, nullptr) == Basis::same);
    // A steady workload's step costs the same at any time.
    const Table& life = find_table(tables(), "balasalle-life");
    const MeasuredWork one_step{"a file", {1600, 1600}, "", 1, {}, {}, {}};
    CHECK(basis_of(life, &one_step) == Basis::same);
}

TEST_CASE("a factor beyond 2 of the printed one stands in the verdict", "[published]") {
    const auto text = [](double ratio, std::optional<double> printed, const char* bound = "") {
        const Judged measured{outcome_of(ratio, std::nullopt), ratio, std::nullopt};
        return verdict_text(measured, Entry{"as printed", printed, bound, ""});
    };
    CHECK(text(24, 51.2) == "holds, 24x for a printed 51x");
    CHECK(text(26, 51.2) == "holds");
    CHECK(text(103, 51.2) == "holds, 103x for a printed 51x");
    CHECK(text(1.02, 3.64) == "no difference, 1.02x for a printed 3.6x");
    CHECK(text(0.5, 1.5) == "reversed, 0.50x for a printed 1.50x");
    CHECK(text(24, std::nullopt) == "holds");
    // A bound permits what is on its side.
    CHECK(text(9, 2, "at least") == "holds");
    CHECK(text(1.1, 3, "at least") == "holds, 1.10x for a printed at least 3.0x");
    CHECK(text(1.1, 3, "at most") == "holds");
    CHECK(verdict_text({Outcome::short_run, 24, std::nullopt}, Entry{"51.2", 51.2, "", ""}) ==
          "short run");
    CHECK(verdict_text(Judged(), std::nullopt) == "not decidable");
}

TEST_CASE("both columns' work stands on the pages", "[published]") {
    std::vector<results::Document> documents{eruption_document(4'000, "etna2001")};
    const auto cards = by_card(documents);
    const std::string page = reproduction_page(reproduce(table(), cards), PageFormat::markdown);
    CHECK_THAT(page, contains("## Work of the source, and of the measured runs"));
    CHECK_THAT(page, contains("| published | whole eruption of Etna 2001, 382x819 | not stated | "
                              "about 1.9 million"));
    CHECK_THAT(page, contains("Published: whole eruption of Etna 2001, 382x819: steps: 86.2/s for"));
    CHECK_THAT(page, contains("| etna2001 | 2 % (6,257 of 312,858) | 4,000 | 20.8 days | short "
                              "run |"));
    CHECK_THAT(page, contains("Short run: the measured run covers less than a tenth"));
    const Table* const one = &table();
    const std::string questions = questions_page(cards, PageFormat::markdown, std::span(&one, 1));
    CHECK_THAT(questions, contains("short run: 9.00x"));
    CHECK_THAT(questions, contains("0 hold, 0 reversed, 0 no difference"));
    CHECK_THAT(questions, contains("**Work of both columns: magflow-5**"));
}

TEST_CASE("every measured table states the work of its source", "[published]") {
    for (const Table& one : tables()) {
        INFO(one.id);
        if (wants_times(one) || wants_series(one) || wants_one_gpu(one) ||
            !one.conclusions.empty())
            CHECK_FALSE(one.works.empty());
        for (const Work& work : one.works) {
            CHECK(work.steps.has_value());
            CHECK(work.seconds.has_value());
            CHECK(work.active.has_value());
        }
    }
}

TEST_CASE("a table whose work is not in the file is refused", "[published]") {
    const char* const text = R"({"format": 1, "source": {"key": "A"}, "tables": [{"id": "t",
        "title": "a", "place": "b", "hardware": ["c"], "conditions": "d",
        "columns": [{"name": "e"}], "rows": [{"name": "f", "values": ["1"]}],
        "works": ["missing"]}]})";
    CHECK_THROWS_WITH(parse_tables(text, "made-up.json"),
                      "made-up.json, t: no published tables: /works: the file has no work "
                      "'missing'");
}

}  // namespace work_test
