// Cost of neighbor lists over the rebuild period, from made-up times of kernels and runs.

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/published/questions.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "tests/analysis/published/made_up_results.hpp"
#include "tests/catch.hpp"

namespace list_periods_test {

using namespace camber;
using namespace camber::published;
using published_test::document_of;
using published_test::timed_case;

namespace {

constexpr Size particles{1015015, 1};

results::CaseRecord run_of(const std::string& variant, double rebuild, double ns) {
    results::CaseRecord record = timed_case(variant, particles, {ns});
    record.identity.from_start = true;
    record.identity.generations = 20;
    record.identity.workload_parameters["rebuild"] = {rebuild};
    return record;
}

results::KernelTime kernel(const char* name, std::size_t launches, double ns) {
    results::KernelTime time;
    time.name = name;
    time.statistics.n = launches;
    time.statistics.median = ns;
    return time;
}

// A case with ten iterations per list.
results::CaseRecord kernels_of(const std::string& variant, Size size, double building) {
    results::CaseRecord record = timed_case(variant, size, {100});
    record.identity.workload_parameters["rebuild"] = {10};
    auto& times = record.kernel_times.emplace();
    times.generations = 10;
    times.kernels = {kernel("hash", 1, 5),        kernel("library", 2, 10),
                     kernel("reorder", 1, 15),    kernel("neighbours", 1, building),
                     kernel("forces", 20, 100),   kernel("predictor", 10, 20),
                     kernel("corrector", 10, 20), kernel("library", 20, 5)};
    return record;
}

results::CaseRecord counted(const std::string& variant, double sectors, double hits) {
    results::CaseRecord record = timed_case(variant, {1000, 1}, {100});
    for (int launch = 0; launch < 2; ++launch)
        record.kernel_counters.push_back(
            {"forces",
             "",
             {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
              {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 100 * sectors},
              {"l1tex__t_sector_hit_rate.pct", hits},
              {"lts__t_sectors_op_read.sum", 7000}},
             {}});
    return record;
}

const char* const shuffled = "sph/neighbour_list_shuffled/float4/plain/b128";

}  // namespace

TEST_CASE("shares of kernels follow for every period from those of one", "[published]") {
    const std::vector documents{
        document_of("GPU", {kernels_of(published_particles, {500, 1}, 7),
                            kernels_of(published_particles, {1000, 1}, 260)}),
        document_of("GPU", {run_of(published_particles, 10, 300)})};
    const auto cost = list_cost(documents, published_particles);
    REQUIRE(cost);
    CHECK(cost->origin == "1000 particles (made-up.json)");
    CHECK(cost->period == 10);
    CHECK(cost->building == 260);
    CHECK(cost->sorting == 40);
    CHECK(cost->forces == 200);
    CHECK(cost->others == 50);
    CHECK(cost->iteration(1) == 550);
    CHECK(cost->iteration(10) == 280);
    CHECK(cost->building_share(1) == Approx(260.0 / 550));
    CHECK(cost->sorting_share(10) == Approx(4.0 / 280));
    CHECK(cost->forces_share(10) == Approx(200.0 / 280));
    CHECK_FALSE(list_cost(documents, shuffled));
}

TEST_CASE("times of whole runs are found by the period of their lists", "[published]") {
    const std::vector documents{
        document_of("GPU", {run_of(published_particles, 10, 300)}),
        document_of("GPU", {run_of(published_particles, 1, 600), run_of(shuffled, 1, 900)})};
    CHECK(run_times_by_period(documents, published_particles) ==
          std::map<int, double>{{1, 600}, {10, 300}});
    // For a conclusion on two rebuild periods of one variant, each time comes from its own run.
    const Table& table = find_table(tables(), "rustico-7.3");
    const Table* const one = &table;
    // The source's runs have tens of thousands of iterations.
    auto long_runs = documents;
    for (results::Document& document : long_runs)
        for (results::CaseRecord& record : document.cases) record.identity.generations = 37'517;
    const auto answers = questions(std::span(&one, 1), by_card(long_runs));
    const Question& question = answers[0].questions.front();
    CHECK(question.stated.parameters == std::vector<std::string>{"rebuild=10"});
    CHECK(question.stated.than_parameters == std::vector<std::string>{"rebuild=1"});
    CHECK(question.answers[0].measured.outcome == Outcome::holds);
    CHECK(*question.answers[0].measured.ratio == 2);
    CHECK_THAT(questions_text(answers, by_card(long_runs)), contains("\"rebuild=10\""));
    CHECK(questions(std::span(&one, 1), by_card(documents))[0].questions[0].answers[0].measured.outcome ==
          Outcome::short_run);
    const std::vector alone{documents[0]};
    CHECK(
        questions(std::span(&one, 1), by_card(alone))[0].questions[0].answers[0].measured.outcome ==
        Outcome::undecided);
}

TEST_CASE("what loads of Forces find is read off counters", "[published]") {
    const std::vector documents{
        document_of("GPU", {counted(published_particles, 14, 85), counted(shuffled, 12, 13)}),
        document_of("GPU", {run_of(published_particles, 10, 300), run_of(shuffled, 10, 750),
                            run_of(published_particles, 1, 500)})};
    const auto loads = forces_loads(documents);
    REQUIRE(loads.size() == 2);
    CHECK(loads[0].variant == published_particles);
    CHECK(loads[0].sectors_per_request == 14);
    CHECK(loads[0].l1_hit_percent == 85);
    CHECK(loads[0].l2_sectors == 7);
    CHECK(loads[0].times_slower == 1);
    CHECK(loads[1].times_slower == 2.5);
}

TEST_CASE("the page of questions says which periods were measured", "[published]") {
    const Table* const table = &find_table(tables(), "rustico-7.3");
    const auto page = [&](std::vector<results::CaseRecord> runs) {
        runs.push_back(kernels_of(published_particles, {1000, 1}, 260));
        std::vector<results::Document> documents{document_of("NVIDIA H200", std::move(runs))};
        return questions_page(by_card(std::move(documents)), PageFormat::markdown,
                              std::span(&table, 1));
    };
    const std::string some = page({run_of(published_particles, 10, 300)});
    CHECK_THAT(some, contains("BuildNeibs takes about 50 % with a list in every iteration"));
    CHECK_THAT(some, contains("| 1 | 47.3 % | 7.3 % | 36.4 % | 1.00x | not measured |"));
    CHECK_THAT(some, contains("whose lists are shared by 1, 5, 20 iterations"));
    CHECK_THAT(some, contains("sph-rebuild1"));
    const std::string all =
        page({run_of(published_particles, 1, 600), run_of(published_particles, 5, 400),
              run_of(published_particles, 10, 300), run_of(published_particles, 20, 250)});
    CHECK_THAT(all, contains("| 10, as timed | 9.3 % | 1.4 % | 71.4 % | 1.96x | 2.00x |"));
    CHECK_THAT(all, !contains("No file has times"));
    // The page has no such part if there are no particles.
    CHECK_THAT(questions_page({}, PageFormat::markdown, std::span(&table, 1)),
               !contains("BuildNeibs"));
}

}  // namespace list_periods_test
