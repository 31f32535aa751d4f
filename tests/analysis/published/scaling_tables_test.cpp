// What is recomputed from published scaling tables, and what in them contradicts itself.
#include "analysis/published/scaling_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tests/catch.hpp"

namespace scaling_tables_test {

using namespace camber;
using namespace camber::published;

namespace {

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += sentence + "\n";
    return text;
}

std::string findings(const char* id) {
    return joined(inconsistencies(find_table(tables(), id), tables()));
}

std::vector<double> fractions(const char* id, const char* series, bool from_rates) {
    std::vector<double> e;
    for (const auto& point :
         scaling_series(find_table(tables(), id), series, from_rates).analysis.points)
        if (point.karp_flatt) e.push_back(*point.karp_flatt);
    return e;
}

void check(const std::vector<double>& values, const std::vector<double>& expected) {
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        CHECK(values[i] == Approx(expected[i]).margin(5.1e-5));
}

}  // namespace

TEST_CASE("the printed fractions of Table 6.1 are reproduced to their digits", "[published]") {
    const auto e = fractions("rustico-6.1", "MAGFLOW", false);
    const char* printed[] = {"0.076", "0.106", "0.130", "0.147", "0.176"};
    REQUIRE(e.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(fmt::format("{:.3f}", e[i]) == printed[i]);
    // Neither the ideal row nor the cost row nor these are reported.
    CHECK(findings("rustico-6.1").find("the table's own values give") == std::string::npos);
    CHECK(findings("rustico-8.1").find("the table's own values give") == std::string::npos);
}

TEST_CASE("serial fractions from published times and from rates", "[published]") {
    check(fractions("rustico-8.2", "load balancing off", false),
          {0.0543, 0.0381, 0.0472, 0.0661, 0.0638});
    check(fractions("rustico-8.2", "load balancing on", false),
          {0.0462, 0.0510, 0.0434, 0.0463, 0.0428});
    check(fractions("rustico-8.3", "load balancing off", false),
          {0.3822, 0.3094, 0.2340, 0.1778, 0.1581});
    check(fractions("rustico-8.3", "load balancing on", false),
          {0.0370, 0.0488, 0.0507, 0.0485, 0.0533});
    check(fractions("rustico-8.4", "load balancing off", true),
          {0.0420, 0.0383, 0.0444, 0.0635, 0.0626});
    check(fractions("rustico-8.4", "load balancing on", true),
          {0.0296, 0.0504, 0.0431, 0.0429, 0.0419});
    check(fractions("rustico-8.5", "load balancing off", true),
          {0.3797, 0.3083, 0.2330, 0.1773, 0.1577});
    check(fractions("rustico-8.5", "load balancing on", true),
          {0.0354, 0.0455, 0.0495, 0.0479, 0.0521});
}

TEST_CASE("Table 6.1: the theoretical maximum is exceeded", "[published]") {
    const std::string text = findings("rustico-6.1");
    CHECK_THAT(text, contains("At p = 2 the measured S = 1.8582 exceeds that maximum of 1.8018"));
    CHECK_THAT(text, contains("At p = 3 the measured S = 2.4732 exceeds that maximum of 2.4590"));
    CHECK(text.find("At p = 4 the measured") == std::string::npos);
}

TEST_CASE("Table 6.1: the stated overhead does not fit", "[published]") {
    const std::string text = findings("rustico-6.1");
    CHECK_THAT(text, contains("predicts costs of 1150 1725 2300 2875 3450 s"));
    // 1398.75 is printed as 1399, 548.5 as 549.
    CHECK_THAT(text, contains("1021 1399 1687 2104 s"));
    CHECK_THAT(text, contains("0.0238 T p, or 0.0304 T (p - 1)"));
    CHECK_THAT(text, contains("from 0.0382 T to 0.0290 T"));
}

TEST_CASE("Table 6.1: the largest worthwhile number of GPUs", "[published]") {
    const std::string text = findings("rustico-6.1");
    CHECK_THAT(text, contains("T(6) = 4500 s is less than T(5) = 4562 s"));
    CHECK_THAT(text, contains("0.0290 is below the ideal gain 0.0333"));
    CHECK_THAT(text, contains("gives 6, fastest at p = 6.4 (extrapolated)"));
    CHECK_THAT(text, contains("4 devices (conclusions)"));
    CHECK_THAT(text, contains("Karp-Flatt at p = 1 is printed as 0, but it is undefined"));
}

TEST_CASE("Table 4.1: of which time the gain is a share", "[published]") {
    CHECK_THAT(findings("rustico-4.1"), contains("1.8 % is of T(1); of T(7) it is 12.5 %"));
}

TEST_CASE("Table 8.1: the missing digit, the falling marginal cost, the extrapolation",
          "[published]") {
    const std::string text = findings("rustico-8.1");
    CHECK_THAT(text, contains("'19,71'"));
    CHECK_THAT(text, contains("S = 1.913 against 1.932 by time"));
    CHECK_THAT(text, contains("from 0.0177 T to 0.0083 T"));
    CHECK_THAT(text, contains("(c = 0.0081) gives 11 (extrapolated), fastest at p = 11.0"));
    CHECK_THAT(text, contains("The increments are 65 52 45 24 30 s"));
}

TEST_CASE("Table 8.2: gains of load balancing in the text and in the table", "[published]") {
    const std::string text = findings("rustico-8.2");
    CHECK_THAT(text, contains("The table gives -6.3 %, -8.0 %"));
    CHECK_THAT(text, contains("The table gives +2.4 %"));
    CHECK(findings("rustico-8.3").empty());
    CHECK(findings("rustico-8.4").empty());
    CHECK(findings("rustico-8.5").empty());
}

TEST_CASE("Tables 8.6 and 8.7 come from rounded speedups", "[published]") {
    const std::string dam = findings("rustico-8.6");
    const std::string bore = findings("rustico-8.7");
    // 19 of 20 entries; the exception would need S = 3.6.
    CHECK_THAT(dam, contains("LB off: 5 of 5 entries follow"));
    CHECK_THAT(dam, contains("LB on: 4 of 5 entries follow"));
    CHECK_THAT(dam, contains("not p = 4 (S = 3.54)"));
    CHECK_THAT(bore, contains("LB off: 5 of 5 entries follow"));
    CHECK_THAT(bore, contains("LB on: 5 of 5 entries follow"));
    CHECK_THAT(bore, contains("by times 0.0370 0.0488 0.0507 0.0485 0.0533"));
}

TEST_CASE("MAGFLOW's speedups follow from its rates, not from its run times", "[published]") {
    // 51.22, 29.02, 1.48 and 98.54, 48.74, 1.81 by rates.
    const std::string text = findings("magflow-3");
    CHECK(text.find("Table 2") == std::string::npos);
    CHECK_THAT(text, contains("10 m is printed as 1 1.5 29 51.2, Table 4"));
    CHECK_THAT(text, contains("gives 1.00 1.50 26.30 43.30"));
    CHECK_THAT(text, contains("gives 1.00 2.08 54.02 101.88"));
}

TEST_CASE("verdicts on the published tables", "[published]") {
    using scaling::Verdict;
    const std::map<std::string, std::vector<Verdict>> expected{
        {"rustico-6.1", {Verdict::per_unit_cost}},
        {"rustico-8.1", {Verdict::per_unit_cost}},
        {"rustico-8.2", {Verdict::unresolved, Verdict::serial_part}},
        {"rustico-8.3", {Verdict::imbalance, Verdict::serial_part}},
    };
    for (const auto& [id, verdicts] : expected) {
        INFO(id);
        const auto all = scaling_series(find_table(tables(), id));
        REQUIRE(all.size() == verdicts.size());
        for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].analysis.verdict == verdicts[i]);
    }
}

}  // namespace scaling_tables_test
