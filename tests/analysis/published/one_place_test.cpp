// What one GPU takes beside the printed entries of one, from made-up results.
#include "analysis/published/one_place.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/cli/reproduce/page.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace one_place_test {

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

// `ns`: of an iteration.
results::CaseRecord run_of(double ns, int iterations, Size size = million, double dp = 0.005) {
    results::CaseRecord record = timed_case(plain, size, {ns * iterations});
    record.identity.workload_parameters = {{"dp", {dp}}, {"scene", {0}}};
    record.samples->generations_per_sample = iterations;
    return record;
}

}  // namespace

TEST_CASE("tables print a rate and a time of one GPU", "[published]") {
    CHECK(printed_place(table("rustico-8.1")).rate->reading == 10304);
    CHECK(printed_place(table("rustico-8.1")).seconds->reading == 3641);
    CHECK_FALSE(printed_place(table("rustico-8.2")).rate);
    CHECK(printed_place(table("rustico-8.3")).seconds->reading == 8301);
    CHECK(printed_place(table("rustico-8.5")).rate->reading == 8770);
    CHECK_FALSE(printed_place(table("rustico-8.5")).seconds);
}

// A rate times its time is iterations of the printed number of particles.
TEST_CASE("tables take as many iterations as their rates and times make", "[published]") {
    const auto iterations = [](const char* rates, const char* times, double particles) {
        const double made = *printed_place(table(rates)).rate->reading * 1e3 *
                            *printed_place(table(times)).seconds->reading / particles;
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
    const auto found = one_place(table("rustico-8.1"), documents);
    REQUIRE(found.size() == 1);
    CHECK(found[0].variant == plain);
    CHECK(found[0].origin == "moved.json");
    CHECK(found[0].iterations == 2000);
    // 1,015,015 particles in 2 ms.
    CHECK(found[0].rate == Approx(507507.5));
    CHECK(found[0].seconds.value() == Approx(37517 * 2e-3));
    CHECK(one_place(table("rustico-8.2"), documents).empty());
    CHECK(one_place(table("rustico-8.6"), documents).empty());
}

TEST_CASE("larger problems of today stand below the table's own", "[published]") {
    const std::vector documents{
        document_of("NVIDIA H200", {run_of(10e6, 200, {10081682, 1}, 0.00225), run_of(2e6, 2000)},
                    "both.json"),
        document_of("NVIDIA H200", {run_of(10e6, 200, {10081682, 1}, 0.0022)}, "other.json")};
    const auto found = one_place(table("rustico-8.1"), documents);
    REQUIRE(found.size() == 2);
    CHECK(found[0].particles == 1015015);
    CHECK(found[1].particles == 10081682);
    CHECK(found[1].rate == Approx(1008168.2));
    CHECK_FALSE(found[1].seconds);  // printed iterations are of fewer
    const std::string page =
        reproduction_page(reproduce(table("rustico-8.1"), documents), PageFormat::markdown);
    CHECK_THAT(page,
               contains(" | 10081682 | 10000.0 us | 10304 | 1008168 | 97.8x | - | - | - | 200 "
                        "| both.json |"));
}

// What tables say of a problem's size is what its parameters give.
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
            const Size size = parameter_start(workload)->size_for(set);
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
