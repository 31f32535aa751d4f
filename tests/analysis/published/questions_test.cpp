#include "analysis/published/questions.hpp"
#include "analysis/published/measured.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace cards_test {

// Grouping of results by GPU.

using namespace camber;
using namespace camber::published;
using published_test::document_of;

TEST_CASE("short names of GPUs", "[published]") {
    CHECK(short_card_name("NVIDIA H200") == "H200");
    CHECK(short_card_name("NVIDIA H100 80GB HBM3") == "H100");
    CHECK(short_card_name("NVIDIA H100 PCIe") == "H100 PCIe");
    CHECK(short_card_name("NVIDIA GeForce RTX 4090") == "RTX 4090");
    CHECK(short_card_name("NVIDIA A100-SXM4-40GB") == "A100-SXM4");
    CHECK(short_card_name("Fake GPU") == "Fake GPU");
}

TEST_CASE("documents are sorted by GPU, and those of the CPU stand with each", "[published]") {
    std::vector<results::Document> documents;
    documents.push_back(document_of("NVIDIA H200", {}, "a"));
    documents.push_back(document_of("", {}, "cpu"));
    documents.push_back(document_of("NVIDIA H100 80GB HBM3", {}, "b"));
    documents.push_back(document_of("NVIDIA H200", {}, "c"));
    const auto cards = by_card(std::move(documents));
    REQUIRE(cards.size() == 2);
    CHECK(cards[0].name == "H200");
    REQUIRE(cards[0].documents.size() == 3);
    CHECK(cards[0].documents[1].source == "c");
    CHECK(cards[0].documents[2].source == "cpu");
    CHECK(cards[1].name == "H100");
    CHECK(cards[1].documents.size() == 2);
}

TEST_CASE("GPUs of one short name keep their long ones", "[published]") {
    std::vector<results::Document> documents;
    documents.push_back(document_of("NVIDIA H100 80GB HBM3", {}));
    documents.push_back(document_of("NVIDIA H100 64GB HBM2", {}));
    const auto cards = by_card(std::move(documents));
    REQUIRE(cards.size() == 2);
    CHECK(cards[0].name == "NVIDIA H100 80GB HBM3");
    CHECK(cards[1].name == "NVIDIA H100 64GB HBM2");
}

TEST_CASE("results of the CPU alone have no card", "[published]") {
    CHECK(by_card({}).empty());
    std::vector<results::Document> documents;
    documents.push_back(document_of("", {}));
    const auto cards = by_card(std::move(documents));
    REQUIRE(cards.size() == 1);
    CHECK(cards[0].name.empty());
}

}  // namespace cards_test

namespace questions_test {

// Outcome of conclusions on two made-up GPUs, and the times used for them.

using namespace camber;
using namespace camber::published;
using published_test::document_of;
using published_test::timed_case;

namespace {

const char* const global = "water_flow/halo/two_kernels/16x16/align128";
const char* const shared = "water_flow/first_rows/two_kernels/16x16/w19/align128";

const Table& topa() {
    return find_table(tables(), "topa-3");
}

std::map<std::string, double> counted(double l1_sectors, double wavefronts) {
    return {{"dram__bytes_read.sum", 1e6},
            {"dram__bytes_write.sum", 1e6},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", l1_sectors},
            {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", l1_sectors / 4},
            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefronts}};
}

std::vector<Card> two_cards() {
    std::vector<results::Document> documents;
    documents.push_back(
        document_of("NVIDIA H200", {timed_case(global, {64, 64}, {100}, counted(134e3, 0)),
                                    timed_case(shared, {64, 64}, {80}, counted(100e3, 50e3))}));
    documents.push_back(
        document_of("NVIDIA H100 80GB HBM3",
                    {timed_case(global, {64, 64}, {100}), timed_case(shared, {64, 64}, {120})}));
    return by_card(std::move(documents));
}

}  // namespace

TEST_CASE("conclusions on two cards, with the reasons that counters give", "[published]") {
    const Table* const table = &topa();
    const auto all = questions(std::span(&table, 1), two_cards());
    REQUIRE(all.size() == 1);
    CHECK(all[0].source == "Topa and Mlocek 2013");
    REQUIRE_FALSE(all[0].questions.empty());
    const Question& question = all[0].questions.front();
    CHECK(question.table == "topa-3");
    REQUIRE(question.answers.size() == 2);
    CHECK(question.answers[0].measured.outcome == Outcome::holds);
    CHECK(question.answers[0].origin == "NVIDIA H200, 64x64 (made-up.json)");
    CHECK_THAT(question.answers[0].reason, contains("halo has 34 % more sectors at L1"));
    CHECK_THAT(question.answers[0].reason, contains("no wavefronts of shared memory"));
    CHECK_THAT(question.answers[0].reason, contains("both move the same bytes of DRAM"));
    CHECK(question.answers[1].measured.outcome == Outcome::reversed);
    CHECK(question.answers[1].reason == "no counters");
    CHECK(all[0].tallies[0].hold == 1);
    CHECK(all[0].tallies[1].reversed == 1);
}

TEST_CASE("counters of another file say on which board they were counted", "[published]") {
    const Table* const table = &topa();
    std::vector<results::Document> documents;
    documents.push_back(document_of(
        "GPU", {timed_case(global, {512, 512}, {100}), timed_case(shared, {512, 512}, {120})}));
    documents.push_back(document_of("GPU",
                                    {timed_case(global, {64, 64}, {100}, counted(134e3, 0)),
                                     timed_case(shared, {64, 64}, {80}, counted(100e3, 50e3))},
                                    "counters.json"));
    const auto all = questions(std::span(&table, 1), by_card(std::move(documents)));
    const Answer& answer = all[0].questions.front().answers[0];
    CHECK_THAT(answer.origin, contains("512x512"));
    // The measured times decide which variant is the slower one.
    CHECK_THAT(answer.reason, contains("w19 has wavefronts of shared memory"));
    CHECK_THAT(answer.reason, contains("(counted on 64x64)"));
}

TEST_CASE("a statement turns over where its outcomes differ", "[published]") {
    const Judged holds{Outcome::holds, 1.25, Interval{1.2, 1.3}};
    const Judged reversed{Outcome::reversed, 0.8, Interval{0.7, 0.9}};
    CHECK(turn_over("It is faster", {"H200", "H100"}, {holds, reversed}) ==
          "It is faster: holds on the H200 (1.25x), reversed on the H100 (0.80x)");
    CHECK(turn_over("It is faster", {"H200", "H100"}, {holds, holds}).empty());
    CHECK(turn_over("It is faster", {"H200", "H100"}, {holds, Judged()}).empty());
    CHECK(ratio_text(holds) == "1.25x (1.20 to 1.30)");
    CHECK(ratio_text(Judged()) == "-");
}

TEST_CASE("the page of questions has a table per source, and what turns over", "[published]") {
    const Table* const table = &topa();
    const std::string page =
        questions_page(two_cards(), PageFormat::markdown, std::span(&table, 1));
    CHECK_THAT(page, contains("## Topa and Mlocek 2013"));
    CHECK_THAT(page, contains("| table | conclusion | published | H200 | H100 | why |"));
    CHECK_THAT(page, contains("holds: 1.25x (1.25 to 1.25)"));
    CHECK_THAT(page, contains("reversed: 0.83x"));
    CHECK_THAT(page, contains("H100: no counters"));
    CHECK_THAT(page, contains("## What turns over between the cards"));
    // Every source with conclusions appears, measured or not.
    const std::string all = questions_page(two_cards(), PageFormat::table);
    for (const Table& one : tables())
        if (!one.conclusions.empty()) CHECK_THAT(all, contains(one.source));
    CHECK_THAT(all, contains("not decidable"));
}

TEST_CASE("times come from the table's size, then from the largest board", "[published]") {
    const std::string& size = topa().here.size;
    REQUIRE(size == "4096x4096");
    const auto origin = [](std::vector<results::CaseRecord> cases) {
        const std::vector<results::Document> documents{document_of("GPU", std::move(cases))};
        MeasuredTable times(topa(), documents);
        return times.times("float32").work.origin;
    };
    const auto both = [](Size size) {
        return std::vector{timed_case(global, size, {100}), timed_case(shared, size, {80})};
    };
    std::vector<results::CaseRecord> cases = both({64, 64});
    const auto add = [&](const std::vector<results::CaseRecord>& more) {
        cases.insert(cases.end(), more.begin(), more.end());
    };
    add(both({512, 512}));
    CHECK_THAT(origin(cases), contains("512x512"));
    add(both({4096, 4096}));
    add(both({16384, 16384}));
    CHECK_THAT(origin(cases), contains("4096x4096"));
    // The number of the table's variants takes precedence over the table's size.
    CHECK_THAT(
        origin({timed_case(global, {4096, 4096}, {100}), both({64, 64})[0], both({64, 64})[1]}),
        contains("64x64"));
}

TEST_CASE("times of parts of a GPU, of cold caches and of boards of a torus are not taken",
          "[published]") {
    auto part = timed_case(global, {64, 64}, {100});
    part.identity.scaling.emplace();
    auto cold = timed_case(global, {64, 64}, {100});
    cold.identity.cache = CacheState::cold;
    const std::vector<results::Document> none{document_of("GPU", {part, cold})};
    CHECK(MeasuredTable(topa(), none).times("").work.origin.empty());
    auto torus = timed_case(global, {64, 64}, {100});
    torus.identity.boundary = Boundary::torus;
    const std::vector<results::Document> both{
        document_of("GPU", {torus}, "torus.json"),
        document_of("GPU", {timed_case(global, {32, 32}, {100})}, "dead.json")};
    CHECK_THAT(MeasuredTable(topa(), both).times("").work.origin, contains("dead.json"));
}

TEST_CASE("the CPU's times stand beside a GPU's on the same board", "[published]") {
    const auto reference = [](Size size) {
        auto record = timed_case("water_flow/reference/serial", size, {25000});
        record.identity.backend = Backend::cpu;
        return record;
    };
    const std::vector<results::Document> documents{
        document_of("GPU", {timed_case(shared, {64, 64}, {100})}),
        document_of("", {reference({32, 32}), reference({64, 64})})};
    MeasuredTable times(topa(), documents);
    const auto pair = times.both({"", shared, "water_flow/reference/serial", "", "", "", {}, {}});
    REQUIRE(pair.than);
    CHECK(*judge(pair.faster, pair.than).ratio == 250);
    const std::vector<results::Document> other{documents[0],
                                               document_of("", {reference({32, 32})})};
    MeasuredTable small(topa(), other);
    CHECK_FALSE(small.both({"", shared, "water_flow/reference/serial", "", "", "", {}, {}}).than);
}

}  // namespace questions_test
