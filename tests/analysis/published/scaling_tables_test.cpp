#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/published/scaling_tables.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace scaling_tables_test {

// Measures recomputed from published scaling tables, and inconsistencies in the tables.

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
    // The ideal row, the cost row and these rows are not reported.
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

namespace one_place_test {

// One-unit entries of published tables compared with made-up one-GPU times.

using namespace camber;
using namespace camber::published;
using published_test::document_of;
using published_test::timed_case;

namespace {

const Table& table(const char* id) {
    return find_table(tables(), id);
}

constexpr Size million{1015015, 1};
const std::string plain = "sph/neighbour_list/float4/plain/b128";

// `ns`: time per iteration.
results::CaseRecord run_of(double ns, int iterations, Size size = million, double dp = 0.005) {
    results::CaseRecord record = timed_case(plain, size, {ns * iterations});
    record.identity.workload_parameters = {{"dp", {dp}}, {"scene", {0}}};
    record.samples->generations_per_sample = iterations;
    return record;
}

}  // namespace

TEST_CASE("tables print a rate and a time of one GPU", "[published]") {
    CHECK(printed_one_gpu(table("rustico-8.1")).rate->reading == 10304);
    CHECK(printed_one_gpu(table("rustico-8.1")).seconds->reading == 3641);
    CHECK_FALSE(printed_one_gpu(table("rustico-8.2")).rate);
    CHECK(printed_one_gpu(table("rustico-8.3")).seconds->reading == 8301);
    CHECK(printed_one_gpu(table("rustico-8.5")).rate->reading == 8770);
    CHECK_FALSE(printed_one_gpu(table("rustico-8.5")).seconds);
}

// Rate times time gives the number of iterations for the printed number of particles.
TEST_CASE("tables take as many iterations as their rates and times make", "[published]") {
    const auto iterations = [](const char* rates, const char* times, double particles) {
        const double made = *printed_one_gpu(table(rates)).rate->reading * 1e3 *
                            *printed_one_gpu(table(times)).seconds->reading / particles;
        for (const char* id : {rates, times}) {
            CAPTURE(id, made);
            CHECK(table(id).here.printed_iterations == Approx(made).margin(1));
        }
    };
    iterations("rustico-8.1", "rustico-8.1", 1e6);
    iterations("rustico-8.4", "rustico-8.2", 1.6e6);
    iterations("rustico-8.5", "rustico-8.3", 1.6e6);
}

TEST_CASE("the longest samples of the table's particles stand for one GPU", "[published]") {
    results::CaseRecord graph = run_of(1e6, 9000);
    graph.identity.submission = Submission::graph;
    results::CaseRecord failed = run_of(1e6, 9000);
    failed.status = results::Status::failed;
    results::CaseRecord host = run_of(1e6, 9000);
    host.identity.backend = Backend::simt;
    const std::vector documents{
        document_of("NVIDIA H200", {run_of(1e6, 20)}, "start.json"),
        document_of("NVIDIA H200",
                    {graph, failed, host, run_of(1e6, 9000, {23195, 1}, 0.02), run_of(2e6, 2000),
                     run_of(1e6, 2000, million, 0.0051)},
                    "moved.json"),
        document_of("NVIDIA H200", {run_of(4e6, 2000)}, "later.json")};
    const auto found = one_gpu(table("rustico-8.1"), documents);
    REQUIRE(found.size() == 1);
    CHECK(found[0].variant == plain);
    CHECK(found[0].origin == "moved.json");
    CHECK(found[0].iterations == 2000);
    // 1,015,015 particles in 2 ms.
    CHECK(found[0].rate == Approx(507507.5));
    CHECK(found[0].seconds.value() == Approx(37517 * 2e-3));
    CHECK(one_gpu(table("rustico-8.2"), documents).empty());
    CHECK(one_gpu(table("rustico-8.6"), documents).empty());
}

TEST_CASE("larger problems of today stand below the table's own", "[published]") {
    const std::vector documents{
        document_of("NVIDIA H200", {run_of(10e6, 200, {10081682, 1}, 0.00225), run_of(2e6, 2000)},
                    "both.json"),
        document_of("NVIDIA H200", {run_of(10e6, 200, {10081682, 1}, 0.0022)}, "other.json")};
    const auto found = one_gpu(table("rustico-8.1"), documents);
    REQUIRE(found.size() == 2);
    CHECK(found[0].particles == 1015015);
    CHECK(found[1].particles == 10081682);
    CHECK(found[1].rate == Approx(1008168.2));
    CHECK_FALSE(found[1].seconds);  // the printed iterations are for fewer particles
    const std::string page =
        reproduction_page(reproduce(table("rustico-8.1"), documents), PageFormat::markdown);
    CHECK_THAT(page,
               contains(" | 10081682 | 10000.0 us | 10304 | 1008168 | 97.8x | - | - | - | 200 "
                        "| both.json |"));
}

// Problem sizes that tables state agree with those that follow from their parameters.
TEST_CASE("particles of published tables are as many as they say", "[published][sph]") {
    const Workload& workload = *find_workload("sph");
    int checked = 0;
    for (const Table& one : tables()) {
        if (one.here.workload != "sph" || one.here.parameters.empty()) continue;
        std::vector<LargerProblem> problems{{one.here.size, {}}};
        problems.insert(problems.end(), one.here.larger.begin(), one.here.larger.end());
        for (const LargerProblem& problem : problems) {
            ParameterSet set(workload.facts().parameters);
            for (const auto* list : {&one.here.parameters, &problem.parameters})
                for (const std::string& text : *list)
                    set.set(text.substr(0, text.find('=')),
                            {std::stod(text.substr(text.find('=') + 1))});
            const Size size = workload.capabilities().parameter_start->size_for(set);
            CAPTURE(one.id, problem.size);
            CHECK(fmt::format("{}x{}", size.columns, size.rows) == problem.size);
            ++checked;
        }
    }
    CHECK(checked == 18);
}

TEST_CASE("a page has the printed entries of one GPU beside the measured ones", "[published]") {
    const auto page = [](std::vector<results::Document> documents) {
        return reproduction_page(reproduce(table("rustico-8.1"), std::move(documents)),
                                 PageFormat::markdown);
    };
    const std::string text = page({document_of("NVIDIA H200", {run_of(2e6, 2000)}, "moved.json")});
    CHECK_THAT(
        text,
        contains("| H200 | " + plain +
                 " | 1015015 | 2000.0 us | 10304 | 507508 | 49.3x | 3641 | 75.0 | 48.5x | 2000 "
                 "| moved.json |"));
    CHECK_THAT(text, contains("Seconds are of 37517 iterations"));
    CHECK_THAT(page({document_of("NVIDIA H200", {run_of(2e6, 20, {23195, 1}, 0.02)})}),
               contains("none of the results has times of 1015015 particles with scene=0, "
                        "dp=0.005 on one GPU"));
}

}  // namespace one_place_test
