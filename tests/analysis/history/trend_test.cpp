// Series of cases over commits, and the base with which a gate compares.
#include <string>
#include <vector>

#include "analysis/history/trend.hpp"
#include "tests/analysis/compare/plain_document.hpp"
#include "tests/catch.hpp"

namespace camber::trend_test {

namespace {

using namespace compare_test;
using comparison::Effect;
using history::Commit;
using history::MachineTrend;
using history::TrendBuilder;

Commit commit(int number) {
    return {std::string(39, 'a') + std::to_string(number), false, 1000 + number, "commit", ""};
}

Document timed(double center) {
    return document_of({{center, center * 1.001, center * 0.999, center, center * 1.002},
                        {center * 1.001, center, center, center * 0.999, center}});
}

Document with_sectors(double sectors) {
    return with(
        [&](CaseRecord& record) { record.model->quantities["global_load_sectors"] = sectors; });
}

MachineTrend trend_of(const std::vector<Document>& documents, double threshold = 0.03) {
    TrendBuilder builder({"M", "M"}, threshold);
    int number = 0;
    for (const Document& document : documents) builder.add(commit(number++), {document});
    return builder.finish();
}

const history::QuantityTrend& series(const MachineTrend& trend, const std::string& quantity) {
    for (const auto& one : trend.cases.at(0).quantities)
        if (one.quantity == quantity) return one;
    FAIL("no series " << quantity);
    throw 0;
}

}  // namespace

TEST_CASE("every difference of a deterministic quantity is a change with its direction",
          "[history]") {
    const MachineTrend trend =
        trend_of({with_sectors(4000), with_sectors(4000), with_sectors(4001), with_sectors(3000)});
    REQUIRE(trend.cases.size() == 1);
    const auto& changes = trend.cases[0].changes;
    REQUIRE(changes.size() == 2);
    CHECK(changes[0].commit == 2);
    CHECK(changes[0].change.effect == Effect::regression);
    CHECK(changes[1].commit == 3);
    CHECK(changes[1].change.effect == Effect::improvement);
    CHECK(series(trend, "global_load_sectors").varies);
    CHECK_FALSE(series(trend, "global_load_requests").varies);
    CHECK(series(trend, "global_load_sectors").values ==
          std::vector<std::optional<double>>{4000, 4000, 4001, 3000});
}

TEST_CASE("a case that a commit lacks leaves a gap, and is compared with the commit before it",
          "[history]") {
    Document other = plain();
    other.cases[0].name = "another";
    const MachineTrend trend = trend_of({with_sectors(10), other, with_sectors(12)});
    REQUIRE(trend.cases.size() == 2);
    CHECK(trend.cases[0].changes.size() == 1);
    CHECK(trend.cases[0].changes[0].commit == 2);
    CHECK(series(trend, "global_load_sectors").values ==
          std::vector<std::optional<double>>{10, std::nullopt, 12});
}

TEST_CASE("times change at a change point, with the medians before and after", "[history]") {
    std::vector<Document> documents;
    for (int k = 0; k < 6; ++k) documents.push_back(timed(100 + 0.1 * k));
    for (int k = 0; k < 6; ++k) documents.push_back(timed(120 + 0.1 * k));
    const MachineTrend trend = trend_of(documents);
    const auto& one = trend.cases.at(0);
    REQUIRE(one.time_changes.size() == 1);
    CHECK(one.time_changes[0].commit == 6);
    CHECK(one.time_changes[0].ratio() == Approx(1.2).epsilon(0.01));
    CHECK(one.times.size() == 12);
    CHECK(one.times[0].processes == 2);
    CHECK(one.times[0].low_ns <= one.times[0].ns);
    CHECK(one.times[0].high_ns >= one.times[0].ns);
}

TEST_CASE("the last file of a commit with a case counts", "[history]") {
    TrendBuilder builder({"M", "M"}, 0.03);
    Document extra = with_sectors(7);
    add_case(extra, "second");
    builder.add(commit(0), {with_sectors(5), extra});
    const MachineTrend trend = builder.finish();
    CHECK(trend.commits.size() == 1);
    CHECK(trend.cases.size() == 2);
    CHECK(*series(trend, "global_load_sectors").values[0] == 7);

    const Document whole = history::merged({with_sectors(5), extra}, "both");
    CHECK(whole.source == "both");
    CHECK(whole.cases.size() == 2);
    CHECK(whole.cases[0].model->quantities.at("global_load_sectors") == 7);
}

TEST_CASE("another compiler or driver is noted, and makes registers information", "[history]") {
    Document newer = with([](CaseRecord& record) { record.kernels[0].registers = 30; });
    newer.context.run->compiler = "GNU 13";
    newer.context.run->driver_version = "590.1";
    const MachineTrend trend = trend_of({plain(), newer});
    REQUIRE(trend.environment.size() == 2);
    CHECK_THAT(trend.environment[0], contains("driver 580.1 -> 590.1"));
    CHECK_THAT(trend.environment[1], contains("compiler GNU 12.2.0, nvcc 13.0.88 -> GNU 13"));
    REQUIRE(trend.cases[0].changes.size() == 1);
    CHECK(trend.cases[0].changes[0].change.effect == Effect::information);
}

TEST_CASE("a failed case is an event of its commit", "[history]") {
    const MachineTrend trend = trend_of({plain(), with([](CaseRecord& record) {
                                             record.status = results::Status::failed;
                                             record.reason = "wrong";
                                         })});
    REQUIRE(trend.cases[0].failures.size() == 1);
    CHECK(trend.cases[0].failures[0].first == 1);
    CHECK(trend.cases[0].failures[0].second == "wrong");
    CHECK(trend.cases[0].changed());
}

TEST_CASE("the base of a gate pools the times of the commits before", "[history][gate]") {
    std::vector<Document> earlier;
    for (int k = 0; k < 4; ++k) earlier.push_back(timed(100 + 0.2 * k));
    const Document base = history::gate_base(earlier, timed(100), 0.03);
    REQUIRE(base.cases.size() == 1);
    CHECK(comparison::timing_of(base.cases[0])->series.processes.size() == 8);
    comparison::GateRules rules;
    CHECK(compared(base, timed(100.3), rules).exit_code() == ExitCode::success);
    CHECK(compared(base, timed(110), rules).counts.slower == 1);
    CHECK(compared(base, timed(90), rules).counts.faster == 1);
}

TEST_CASE("times before the last change point are not pooled", "[history][gate]") {
    std::vector<Document> earlier;  // from new to old
    for (int k = 0; k < 5; ++k) earlier.push_back(timed(80 + 0.1 * k));
    for (int k = 0; k < 5; ++k) earlier.push_back(timed(100 + 0.1 * k));
    const Document base = history::gate_base(earlier, timed(80), 0.03);
    CHECK(comparison::timing_of(base.cases[0])->series.processes.size() == 10);
    // A return to the old time is a regression.
    CHECK(compared(base, timed(100), {}).counts.slower == 1);
}

TEST_CASE("deterministic quantities of the base are those of the newest commit",
          "[history][gate]") {
    const std::vector<Document> earlier{with_sectors(10), with_sectors(12)};
    const Document base = history::gate_base(earlier, with_sectors(11), 0.03);
    CHECK(compared(base, with_sectors(11), {}).exit_code() == ExitCode::regression);
    CHECK(compared(base, with_sectors(10), {}).exit_code() == ExitCode::success);
}

TEST_CASE("a case that only older commits have is compared, and not missed", "[history][gate]") {
    Document old = with_sectors(10);
    add_case(old, "old case");
    add_case(old, "removed long ago");
    Document judged = with_sectors(10);
    add_case(judged, "old case").model->quantities["global_load_sectors"] = 11;
    const Document base = history::gate_base({with_sectors(10), old}, judged, 0.03);
    CHECK(base.cases.size() == 2);
    const auto comparison = compared(base, judged, {});
    CHECK(comparison.counts.missing == 0);
    CHECK(comparison.counts.more == 1);
    // A case of the newest commit is missed.
    CHECK(compared(history::gate_base({old}, with_sectors(10), 0.03), with_sectors(10), {})
              .counts.missing == 2);
}

TEST_CASE("times measured with another seed are not pooled", "[history][gate]") {
    Document other = timed(100);
    other.cases[0].identity.seed = 2;
    const Document base = history::gate_base({timed(100), other}, timed(100), 0.03);
    CHECK(comparison::timing_of(base.cases[0])->series.processes.size() == 2);
}

TEST_CASE("times are written in UTC and read with any offset", "[history]") {
    using history::seconds_of;
    CHECK(history::utc_text(0) == "1970-01-01T00:00:00Z");
    CHECK(seconds_of("1970-01-01T00:00:00Z") == 0);
    CHECK(seconds_of("1970-01-01T01:00:00+0100") == 0);
    CHECK(seconds_of("1969-12-31T22:30:00-01:30") == 0);
    CHECK(seconds_of(history::utc_text(1796000000)) == 1796000000);
    for (const char* text :
         {"", "yesterday", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00:00*0100"})
        CHECK_FALSE(seconds_of(text));
}

}  // namespace camber::trend_test
