// Predicted times on the sources' cards, compared with printed values.
#include "tests/catch.hpp"
#include "tests/program/reproduce_pages.hpp"

namespace reproduce_predict_test {

namespace {

using namespace camber::cli_test;

const std::string life_of_h200 = (source_folder / "results/h200/life.json").string();

}  // namespace

TEST_CASE("times on the card of the source are predicted beside the printed orders",
          "[cli][portable]") {
    const Json life = reproduced_json({"balasalle-life", "--predict"})["predicted"][0];
    CHECK(life["card"] == "NVIDIA GeForce GTX 285, published figures");
    CHECK(life["size"] == "1600x1600");
    CHECK(life["times"].size() == 14);
    // The source's text states about 100 ms for the 100 generations of the first kernels.
    for (const Json& time : life["times"]) {
        CHECK(time["low"] < time["seconds"]);
        CHECK(time["seconds"] < time["high"]);
        if (time["variant"] == "life/halo/16x16/unaligned") {
            CHECK(time["binds"] == "DRAM");
            CHECK(time["seconds"] > 0.5e-3);
            CHECK(time["seconds"] < 2e-3);
        }
    }
    REQUIRE(life["pairs"].size() == 7 + 18);
    for (const Json& pair : life["pairs"]) {
        CHECK(pair["interval"][0] <= pair["predicted"]);
        CHECK(pair["predicted"] <= pair["interval"][1]);
        const std::string text = pair["text"];
        // The transaction rules of compute capability 1.3 do not distinguish these alignments.
        if (text == "Alignment to 128 bytes is faster than to 64")
            CHECK(pair["model"] == "contradicts it");
        if (text == "Two elements per thread are faster than one, on square blocks")
            CHECK(pair["predicted"] > 1);
        if (text ==
            "Two generations per launch, conventional, are slower than two elements, rectangular")
            CHECK(pair["model"] == "explains it");
        if (text == "A halo is faster than conditions at the edges")
            CHECK(pair["predicted"] < 1);  // the model predicts the opposite
    }
    CHECK(life["kendalls_tau"] > 0.3);
    CHECK(life["kendalls_tau"] < 1);
    CHECK(life["notes"].size() == 5);

    const std::string water = reproduced({"balasalle-6.1", "--predict", "--size", "96x96"});
    CHECK_THAT(water, contains("GeForce 770M"));
    CHECK_THAT(water, contains("five_passes has no predicted time: it is no kernel for GPUs"));
    // Two workloads: the orders between their kernels are predicted, too.
    CHECK_THAT(water, contains("The model explains 0 of 1 published orders"));
    CHECK_THAT(water, contains("cannot tell    3.64x"));
    CHECK_THAT(water, !contains("not decidable"));
}

TEST_CASE("each card that a table's statements are about has predicted times", "[cli][portable]") {
    const Json cards =
        reproduced_json({"magflow-5", "--predict", "--size", "128x192"})["predicted"];
    REQUIRE(cards.size() == 2);
    CHECK(cards[0]["card"] == "NVIDIA GeForce GTX 280, published figures");
    CHECK(cards[1]["card"] == "NVIDIA GeForce GTX 480, published figures");
    for (const Json& card : cards) {
        CHECK(card["pairs"].size() == 3 + 2);  // pairs of the printed column, and of the text
        for (const Json& pair : card["pairs"]) CHECK(pair["predicted"].is_number());
        CHECK(card["pairs"][0]["model"] == "cannot tell");  // 64x1 against 8x8
    }
}

TEST_CASE("predicted and measured times stand on one page", "[cli][portable]") {
    const std::string text =
        reproduced({"balasalle-life", "--predict", "--from", life_of_h200, "--size", "800x800"});
    CHECK_THAT(text, contains("measured on NVIDIA H200"));
    CHECK_THAT(text, contains("published figures, 800x800"));
    CHECK_THAT(text, contains("reversed"));
}

TEST_CASE("tables without a card of their source have no predicted times", "[cli]") {
    CHECK_THAT(reproduced({"magflow-7", "--predict"}), contains("no predicted times"));
    const Outcome all = reproduce({"--predict"});
    CHECK(all.exit_code == 2);
    CHECK_THAT(all.err, contains("--predict needs a TABLE"));
    const Outcome questions =
        reproduce({"--questions", "--from", life_of_h200, "balasalle-life", "--predict"});
    CHECK(questions.exit_code == 2);
    const Outcome generations = reproduce({"balasalle-life", "--predict", "--generations", "3"});
    CHECK(generations.exit_code == 2);
    CHECK_THAT(generations.err, contains("--generations says how to measure"));
}

}  // namespace reproduce_predict_test
