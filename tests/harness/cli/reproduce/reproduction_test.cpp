// Selection of the measured times for a published table, and the remarks if there are none.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "tests/catch.hpp"

namespace reproduction_test {

using namespace camber;

namespace {

const std::string shared_memory = "water_flow/first_rows/two_kernels/16x16/w19/align128";
const std::string global_memory = "water_flow/halo/two_kernels/16x16/align128";

results::CaseRecord timed(const std::string& variant, double nanoseconds, int side = 1024) {
    results::CaseRecord record;
    record.name = fmt::format("{}/{}x{}", variant, side, side);
    record.identity.variant = variant;
    record.identity.backend = Backend::cuda;
    record.identity.cache = CacheState::hot;
    record.identity.submission = Submission::stream;
    record.identity.size = {side, side};
    record.identity.cell = "float32";
    record.samples.emplace().ns = {nanoseconds, nanoseconds, nanoseconds};
    return record;
}

results::Document results_of(std::vector<results::CaseRecord> cases,
                             const std::string& source = "a") {
    results::Document document;
    document.source = source;
    document.context.run.emplace().gpu.emplace().name = "GPU";
    document.cases = std::move(cases);
    return document;
}

std::optional<double> ratio(const std::vector<results::Document>& from) {
    return reproduce(published::find_table(published::tables(), "topa-3"), from)
        .cards.front()
        .ratios.front()
        .measured.ratio;
}

}  // namespace

TEST_CASE("ratios are of times of one size and one file", "[published]") {
    const auto both =
        results_of({timed(global_memory, 300, 2048), timed(shared_memory, 200, 2048)}, "b");
    CHECK(ratio({both}) == 1.5);
    // The global variant at another size is not comparable.
    CHECK_FALSE(ratio({results_of({timed(global_memory, 300), timed(shared_memory, 200, 2048)})})
                    .has_value());
    CHECK_FALSE(ratio({results_of({timed(global_memory, 300)}, "x"),
                       results_of({timed(shared_memory, 200)}, "y")})
                    .has_value());
    // The file with both variants is used, whatever its position.
    const std::vector<results::Document> three{results_of({timed(global_memory, 1)}), both,
                                               results_of({timed(shared_memory, 1)})};
    CHECK(ratio(three) == 1.5);
    CHECK(reproduce(published::find_table(published::tables(), "topa-3"), three)
              .cards.front()
              .measured_on == std::vector<std::string>{"GPU, 2048x2048 (b)"});
}

TEST_CASE("times that say nothing of the published kernels are left out", "[published]") {
    const auto changed = [](auto change) {
        auto other = timed(shared_memory, 200);
        change(other.identity);
        return other;
    };
    for (const auto& other :
         {changed([](results::Identity& of) { of.backend = Backend::simt; }),
          changed([](results::Identity& of) { of.cache = CacheState::cold; }),
          changed([](results::Identity& of) { of.submission = Submission::graph; })}) {
        const auto made = reproduce(published::find_table(published::tables(), "topa-3"),
                                    std::vector{results_of({other})});
        CHECK_FALSE(made.cards.front().ratios.front().measured.ratio.has_value());
        REQUIRE(made.remarks.size() == 1);
        CHECK_THAT(made.remarks[0], contains("none of the results"));
    }
}

TEST_CASE("a variant that failed is named with its reason", "[published]") {
    auto failed = timed(shared_memory, 200);
    failed.status = results::Status::failed;
    failed.reason = "7 cells differ";
    failed.samples.reset();
    const auto made = reproduce(published::find_table(published::tables(), "topa-3"),
                                std::vector{results_of({timed(global_memory, 300), failed})});
    REQUIRE(made.remarks.size() == 1);
    CHECK_THAT(made.remarks[0], contains("failed: 7 cells differ (a)"));
    CHECK(made.cards.front().conclusions.front().measured.outcome == published::Outcome::undecided);
}

TEST_CASE("the page shows ratios first, then the conclusions", "[published]") {
    const auto made =
        reproduce(published::find_table(published::tables(), "topa-3"),
                  std::vector{results_of({timed(global_memory, 300), timed(shared_memory, 200)})});
    const std::string page = reproduction_page(made, PageFormat::table);
    const auto ratios = page.find("measured on GPU, 1024x1024 (a)");
    const auto conclusion = page.find("holds");
    REQUIRE(ratios != std::string::npos);
    REQUIRE(conclusion != std::string::npos);
    CHECK(ratios < conclusion);
    CHECK_THAT(page, contains("1.50x"));
    CHECK_THAT(page, contains("at least 4.00x"));
    const auto json = nlohmann::json::parse(reproductions_text({made}));
    CHECK(json["cards"][0]["ratios"][0]["measured"] == 1.5);
    CHECK(json["cards"][0]["conclusions"][0]["fate"] == "holds");
    CHECK_THAT(reproduction_page(made, PageFormat::markdown),
               contains("| holds | 1.50x | 1.50 to 1.50 |"));
    CHECK(json["cards"][0]["conclusions"][0]["interval"] == nlohmann::json({1.5, 1.5}));
}

TEST_CASE("predicted and measured speedups stand side by side", "[published]") {
    const auto made = reproduce(published::find_table(published::tables(), "rustico-6.1"),
                                std::vector<results::Document>());
    const std::string page = reproduction_page(made, PageFormat::markdown);
    CHECK_THAT(page, contains("| S predicted |"));
    CHECK_THAT(page, contains("| 1.8018 |"));
    CHECK_THAT(page, contains("standard error of 0.1 %"));
}

}  // namespace reproduction_test
