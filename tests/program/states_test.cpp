// `camber run --states`: long runs of lava, timed from saved states.
#include <csignal>
#include <thread>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace states_test {

using namespace camber::cli_test;

namespace {

const Arguments eruption{"run",       "--quick",   "--workload",   "magflow", "--backend",
                         "cpu",       "--size",    "60x50",        "--density", "0",
                         "--param",   "pulse=30",  "--from-start", "--states-in", "states",
                         "--variant", "reference/active_list",     "--variant", "reference/serial",
                         "--out",     "r.json"};

}  // namespace

TEST_CASE("the sum over states agrees with the whole run", "[cli][portable][states]") {
    const TestFolder folder;
    const auto run = [&] {
        return run_program(with(eruption, {"--generations", "2400", "--states", "6", "--whole",
                                           "reference/active_list", "--reference-generations",
                                           "96"}),
                           folder.path());
    };
    // A shared machine is noisy, so up to three runs count: other tests bound the sum's own error.
    const auto agrees = [](const Json& results) {
        return std::ranges::all_of(results["benchmarks"], [](const Json& entry) {
            const Json& record = entry["camber"];
            if (!record.contains("end")) return true;
            const double ratio =
                record["summed"]["ns"].get<double>() / record["samples_ns"][0].get<double>();
            return ratio > 0.4 && ratio < 2.5;
        });
    };
    Outcome outcome = run();
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    for (int more = 0; more < 2 && !agrees(results_in(folder / "r.json")); ++more) outcome = run();
    const Json results = results_in(folder / "r.json");
    CHECK(agrees(results));
    CHECK(defects(results) == std::vector<std::string>{});
    REQUIRE(results["benchmarks"].size() == 2);
    for (const Json& entry : results["benchmarks"]) {
        const Json& record = entry["camber"];
        const Json& sum = record["summed"];
        CHECK(sum["states"].size() == 6);
        CHECK(record["generations_per_sample"] == 2400);
        CHECK(record["from_start"] == true);
        CHECK_THAT(sum["states_by"].get<std::string>(), contains("magflow/reference/active_list"));
    }
    CHECK_THAT(outcome.out, contains("sum over states") && contains("the first"));
}

TEST_CASE("an interrupted run leaves whole states, and goes on from them",
          "[cli][portable][states]") {
    const TestFolder folder;
    const Arguments longer = with(eruption, {"--generations", "60000", "--states", "12",
                                             "--reference-generations", "24"});
    Program program(longer, folder.path());
    const auto count = [&] {
        std::error_code ignored;
        int states = 0;
        for (const auto& entry : fs::directory_iterator(folder / "states", ignored))
            states += entry.path().extension() == ".state";
        return states;
    };
    while (program.running() && count() < 2)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (program.running()) program.send(SIGINT);
    program.wait();
    const int before = count();
    REQUIRE(before >= 2);
    // Each of them can be read: the next run refuses a damaged one.
    const Outcome outcome = run_program(longer, folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(count() == 13);
}

TEST_CASE("options of saved states that cannot be combined are refused", "[cli][states]") {
    const TestFolder folder;
    const auto refused = [&](const Arguments& arguments, const std::string& reason) {
        const Outcome outcome = run_program(arguments, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(reason));
    };
    const Arguments short_run{"run", "--workload", "magflow", "--backend", "cpu", "--size", "20x20"};
    refused(with(short_run, {"--states", "4"}), "add --from-start");
    refused(with(short_run, {"--from-start", "--whole", "*"}), "add --states 12");
    refused(with(short_run, {"--from-start", "--states", "4", "--generations", "80", "--intervals",
                             "2"}),
            "cannot be combined with --intervals");
    refused(with(short_run, {"--from-start", "--states", "4", "--generations", "7"}),
            "give fewer --states");
    refused(with(short_run, {"--from-start", "--states", "4", "--generations", "80",
                             "--reference-generations", "81"}),
            "more than the run has");
    refused(with(short_run, {"--from-start", "--states", "4", "--generations", "80", "--whole",
                             "halo/*"}),
            "names none of the chosen variants");
    refused({"run", "--workload", "life", "--backend", "cpu", "--size", "20x20", "--from-start",
             "--states", "2", "--generations", "8"},
            "leave out --states");
}

}  // namespace states_test
