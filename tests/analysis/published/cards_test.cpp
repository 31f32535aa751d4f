// Results sorted by their GPU.
#include "analysis/published/cards.hpp"

#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace cards_test {

using namespace camber;
using namespace camber::published;
using published_test::document_of;

TEST_CASE("short names of GPUs", "[published]") {
    CHECK(short_name("NVIDIA H200") == "H200");
    CHECK(short_name("NVIDIA H100 80GB HBM3") == "H100");
    CHECK(short_name("NVIDIA H100 PCIe") == "H100 PCIe");
    CHECK(short_name("NVIDIA GeForce RTX 4090") == "RTX 4090");
    CHECK(short_name("NVIDIA A100-SXM4-40GB") == "A100-SXM4");
    CHECK(short_name("Fake GPU") == "Fake GPU");
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
