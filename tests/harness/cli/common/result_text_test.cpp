// Columns of the ranked table.
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/result_text.hpp"
#include "tests/catch.hpp"

namespace camber::table_test {

namespace {

using results::CaseRecord;

// A timed case of 10^9 cells per second whose algorithm must move 32 bytes per cell.
CaseRecord timed(const std::string& variant) {
    CaseRecord record;
    record.name = record.identity.variant = variant;
    record.identity.backend = Backend::cuda;
    record.real_time_ns = 1000;
    record.verification.emplace().status = Verification::Status::passed;
    results::Derived& derived = record.derived.emplace();
    derived.cells_per_second = 1e9;
    derived.application_bandwidth_bytes_per_second = 32e9;
    derived.share_of_copy = 0.16;
    derived.speedup_vs_baseline = 1;
    return record;
}

CaseRecord with_steps(const std::string& variant, double bytes, std::optional<double> share) {
    CaseRecord record = timed(variant);
    record.derived->step_bytes_per_cell = bytes;
    record.derived->step_share_of_copy = share;
    return record;
}

std::string table_of(const std::vector<CaseRecord>& cases) {
    results::Document document;
    document.cases = cases;
    return ranking(document);
}

TEST_CASE("the table shows what steps move where it is not what the algorithm must", "[table]") {
    const std::string text =
        table_of({with_steps("w/fused", 16, 0.08), with_steps("w/two", 32, 0.16),
                  with_steps("w/cpu", 32, std::nullopt), timed("w/old")});
    CHECK_THAT(text, contains("  of copy   steps  speedup  verified\n"));
    CHECK_THAT(text, contains(" 16.0 %   8.0 %    1.00x  yes\n"));
    CHECK_THAT(text, contains(" 16.0 %  16.0 %    1.00x  yes\n"));
    CHECK_THAT(text, contains(" 16.0 %       -    1.00x  yes\n"));
}

TEST_CASE("the table shows the share of the limit where counters tell it", "[table]") {
    CaseRecord bound = timed("w/bound");
    bound.derived->limit = "l2";
    bound.derived->share_of_limit = 0.912;
    const std::string text = table_of({bound, timed("w/uncounted")});
    CHECK_THAT(text, contains("  of copy   of limit  speedup  verified\n"));
    CHECK_THAT(text, contains(" 16.0 %  91.2 % L2    1.00x  yes\n"));
    CHECK_THAT(text, contains(" 16.0 %          -    1.00x  yes\n"));
    CHECK(table_of({timed("w/uncounted")}).find("of limit") == std::string::npos);
}

TEST_CASE("the table counts generations where only some of the cells are active", "[table]") {
    CaseRecord lava = timed("w/lava");
    lava.derived->generations_per_second = 2501.6;
    CHECK(table_of({lava}).find("gen/s") == std::string::npos);
    lava.final.emplace().account = {{"active_share", 0.02}};
    const std::string text = table_of({lava, timed("w/old")});
    CHECK_THAT(text, contains("time/gen  +-   gen/s  Gcell/s"));
    CHECK_THAT(text, contains("1.00 us   -  2501.6     1.00"));
    CHECK_THAT(text, contains("1.00 us   -       -     1.00"));
}

TEST_CASE("the table has no such column where steps move what the algorithm must", "[table]") {
    for (const auto& cases : {std::vector{timed("w/a"), timed("w/b")},
                              std::vector{with_steps("w/a", 32, 0.16), timed("w/b")}}) {
        const std::string text = table_of(cases);
        CHECK_THAT(text, contains("  of copy  speedup  verified\n"));
        CHECK_THAT(text, contains(" 16.0 %    1.00x  yes\n"));
    }
}

CaseRecord sampled(const std::string& variant, std::vector<double> samples) {
    CaseRecord record = timed(variant);
    record.samples.emplace().ns = samples;
    record.samples->statistics = summarize(samples, 1);
    record.real_time_ns = record.samples->statistics.median;
    return record;
}

TEST_CASE("the table tells how sure a time is, and what to do where it is not", "[table]") {
    const CaseRecord still = sampled("w/still", std::vector<double>(20, 1000));
    const CaseRecord noisy = sampled("w/noisy", {500, 600, 700, 800, 900, 1000});
    std::vector<double> two(12, 1100);
    two.insert(two.end(), 8, 1400);
    const CaseRecord bimodal = sampled("w/bimodal", two);
    const std::string text = table_of({still, noisy, bimodal});
    CHECK_THAT(text, contains("1.00 us   0.0 %"));
    CHECK_THAT(text, contains("noisy: w/noisy (+- ") && contains("--rounds 5"));
    CHECK_THAT(text, contains("two speeds: w/bimodal (40 % of its samples take 1.27x the time)"));
    CHECK(text.find("noisy: w/still") == std::string::npos);
    CHECK(table_of({still}).find("noisy") == std::string::npos);
    CHECK(table_of({still}).find("two speeds") == std::string::npos);

    results::Document document;
    document.cases = {still, noisy, bimodal};
    const auto first = [&](const char* order) {
        const std::string sorted = ranking(document, order);
        return sorted.substr(sorted.find('\n') + 1, 18);
    };
    CHECK_THAT(first("time"), contains("   1  w/noisy"));
    CHECK_THAT(first("name"), contains("   3  w/bimodal"));
    CHECK_THAT(first("spread"), contains("   1  w/noisy"));
}

TEST_CASE("of lava the table says which generations a sample covers", "[table]") {
    CaseRecord lava = sampled("w/lava", std::vector<double>(20, 1000));
    lava.identity.generations = 16;
    lava.samples->generations_per_sample = 40;
    lava.derived->generations_per_second = 2501.6;
    lava.final.emplace().account = {{"active_share", 0.02}};
    CHECK_THAT(table_of({lava}), contains("A sample computes 40 consecutive generations after "
                                          "generation 16"));
    lava.identity.from_start = true;
    lava.samples->generations_per_sample = 16;
    CHECK_THAT(table_of({lava}), contains("Every sample computes generations 1 to 16"));
}

TEST_CASE("the table says where statistics decided, and by which figures", "[table]") {
    CaseRecord by_statistics = timed("w/reordered");
    by_statistics.verification->method = Verification::Method::statistics;
    FlowDifference& difference = by_statistics.verification->statistics.emplace();
    difference.cells = {.differing_cells = 4521,
                        .jaccard = 0.9931,
                        .share_within_tenth = 0.629,
                        .largest_difference = 9.34};
    difference.mass_error = 2.2e-16;
    difference.event_fit = 0.25;
    by_statistics.verification->limits = FlowLimits{.mass_error = 1e-9, .jaccard = 0.98};
    CaseRecord by_cells = timed("w/canonical");
    by_cells.verification->method = Verification::Method::cells;
    by_cells.verification->statistics.emplace().event_fit = 0.25;
    FlowSpread& spread = by_cells.verification->spread.emplace();
    spread.runs = 5;
    spread.worst.cells = {.differing_cells = 3, .largest_difference = 1e-12};
    spread.worst.time_difference = 0;
    const std::string text = table_of({by_statistics, by_cells});
    CHECK_THAT(text, contains("1.00x  by statistics\n") && contains("1.00x  yes\n"));
    CHECK_THAT(text,
               contains("verified by statistics: w/reordered: Jaccard 0.9931 (at least 0.98), "
                        "62.9 % of cells within 10 %, largest difference 9.34 m, 4521 cells "
                        "differ, mass error 2.2e-16 (at most 1e-09)\n"));
    CHECK_THAT(text,
               contains("spread of 5 runs: w/canonical: Jaccard 1.0000, 100.0 % of cells within "
                        "10 %, largest difference 1e-12 m, 3 cells differ, masses by 0, times "
                        "by 0\n"));
    CHECK_THAT(text, contains("fit with the real event: 0.2500 (cells"));
    by_cells.verification->statistics->event_fit = 0.5;
    CHECK_THAT(table_of({by_statistics, by_cells}),
               contains("0.2500, w/reordered (") && contains("0.5000, w/canonical ("));
}

}  // namespace
}  // namespace camber::table_test
