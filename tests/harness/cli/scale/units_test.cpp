#include <omp.h>
#include <sched.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "analysis/scaling/series.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/scale/units.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/session.hpp"
#include "tests/catch.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/parallel_rows.hpp"

namespace scaling_points_test {

using namespace camber;

TEST_CASE("a series of multiprocessors goes up to all of them", "[run][scale]") {
    CHECK(usual_sm_counts(8, 8, 132) ==
          std::vector<int>{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 132});
    CHECK(usual_sm_counts(8, 8, 64) == std::vector<int>{8, 16, 24, 32, 48, 64});
    CHECK(usual_sm_counts(4, 2, 10) == std::vector<int>{4, 6, 8, 10});
}

TEST_CASE("a series of threads goes up to all cores", "[run][scale]") {
    CHECK(usual_thread_counts(1) == std::vector<int>{1});
    CHECK(usual_thread_counts(2) == std::vector<int>{1, 2});
    CHECK(usual_thread_counts(16) == std::vector<int>{1, 2, 3, 4, 6, 9, 13, 16});
}

TEST_CASE("a weak series' board grows as p does", "[run][scale]") {
    CHECK(weak_rows(2048, 8, 8) == 2048);
    CHECK(weak_rows(2048, 132, 8) == 33792);
    CHECK(weak_rows(100, 3, 1) == 300);
}

TEST_CASE("hardware threads of one core are one core", "[run][scale]") {
    const auto root = std::filesystem::temp_directory_path() / "camber-topology";
    const auto write = [&](int cpu, const char* siblings) {
        const auto folder =
            root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "topology";
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "thread_siblings_list") << siblings << "\n";
    };
    for (int cpu = 0; cpu < 1024; ++cpu) write(cpu, "0-1023");
    CHECK(cpu_cores(root).size() == 1);
    std::filesystem::remove_all(root);
    // If the system does not report cores, every logical CPU counts as one.
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    CHECK(cpu_cores(root).size() == static_cast<std::size_t>(CPU_COUNT(&allowed)));
}

TEST_CASE("timed threads stay on their cores, and are free afterwards", "[run][scale]") {
    const auto cores = cpu_cores();
    const int n = static_cast<int>(cores.size());
    const auto count_pinned = [&] {
        int pinned = 0;
#pragma omp parallel num_threads(n) reduction(+ : pinned)
        {
            cpu_set_t own;
            sched_getaffinity(0, sizeof own, &own);
            pinned += CPU_COUNT(&own) == 1 && CPU_ISSET(cores[omp_get_thread_num()], &own);
        }
        int in_rows = 0;
        std::mutex mutex;
        each_of_team(n, [&](int thread) {
            cpu_set_t own;
            sched_getaffinity(0, sizeof own, &own);
            const std::lock_guard lock(mutex);
            in_rows +=
                CPU_COUNT(&own) == 1 && CPU_ISSET(cores[static_cast<std::size_t>(thread)], &own);
        });
        CHECK(in_rows == pinned);
        return pinned;
    };
    {
        const PinnedThreads pinned(n, cores);
        CHECK(count_pinned() == n);
    }
    cpu_set_t after;
    sched_getaffinity(0, sizeof after, &after);
    CHECK(CPU_COUNT(&after) >= n);
    if (n > 1) CHECK(count_pinned() == 0);
}

}  // namespace scaling_points_test

namespace unit_list_test {

using namespace camber;

TEST_CASE("numbers of units are read in any order, each once", "[cli][scale]") {
    CHECK(parse_unit_list("16,8,16,132", 132) == std::vector<int>{8, 16, 132});
    for (const char* bad : {"", "8,", "0", "133", "8;16", "8.5", "-8"})
        CHECK_THROWS_WITH(parse_unit_list(bad, 132), contains("1 to 132"));
}

}  // namespace unit_list_test

namespace study_on_test {

// Points of a scaling series of particles on simulated devices instead of GPUs. The computed
// results are verified, and the series can be analyzed once it has times.

using namespace camber;

namespace {

Study particles(std::vector<std::string> parameters, int generations) {
    RunOptions options;
    options.workload = "sph";
    options.backend = "simt";
    options.parameters = std::move(parameters);
    options.generations = generations;
    options.variants = {"neighbour_list/float4/read_only/b128"};
    return study_from(options);
}

Units places(std::vector<int> counts) {
    return {scaling::Unit::gpu, 1, std::move(counts)};
}

results::Document measured(const Study& study, const Units& units, scaling::Mode mode,
                           const GroupOptions& group) {
    results::ResultsFile results;
    for (const int count : units.counts) {
        SessionObserver silent;
        Session(study_on(study, units, count, mode, {{}, {}, group, {0, 0, 0}}), silent)
            .run(results, {"camber", "scale"});
    }
    return results.document();
}

// Sets made-up times, `ns` for each number of devices, because the executor's times are
// meaningless.
void time(results::Document& document, const std::vector<double>& ns) {
    REQUIRE(document.cases.size() == ns.size());
    for (std::size_t k = 0; k < ns.size(); ++k) {
        results::Samples& samples = document.cases[k].samples.emplace();
        samples.ns = {ns[k], ns[k] * 1.001, ns[k] * 0.999};
        samples.statistics = summarize(samples.ns, 1);
        samples.generations_per_sample = 1;
    }
}

void check_right(const results::Document& document) {
    for (const results::CaseRecord& record : document.cases) {
        CAPTURE(record.name, record.reason);
        CHECK(record.status == results::Status::ok);
        REQUIRE(record.verification);
        CHECK(record.verification->passed());
        CHECK(record.verification->differing_cells == 0);
        CHECK(record.identity.group.has_value() == (record.identity.scaling->units > 1));
    }
}

}  // namespace

TEST_CASE("one scene of particles is scaled over places", "[scale][sph][group]") {
    GroupOptions group;
    group.exchanges = {"stores"};
    group.balance = "improved";
    results::Document document = measured(particles({"dp=0.08", "rebuild=3"}, 12),
                                          places({1, 2, 3}), scaling::Mode::strong, group);
    check_right(document);
    time(document, {900, 500, 400});
    const auto series = scaling::series_of_results(document);
    REQUIRE(series.size() == 1);
    CHECK(series[0].columns == 876);
    CHECK(series[0].points.size() == 3);
    CHECK(document.cases[1].identity.group->exchange == "stores");
    CHECK(document.cases[1].identity.group->balancing->rule == "improved");
}

TEST_CASE("particles grow in number as places do", "[scale][sph][group]") {
    results::Document document =
        measured(particles({"dp=0.04"}, 2), places({1, 2}), scaling::Mode::weak, GroupOptions{});
    check_right(document);
    const std::int64_t alone = document.cases[0].identity.size.cells();
    for (const results::CaseRecord& record : document.cases) {
        const int count = record.identity.scaling->units;
        CAPTURE(count);
        const auto wanted = static_cast<double>(count * alone);
        CHECK(std::abs(static_cast<double>(record.identity.size.cells()) - wanted) <=
              0.01 * wanted);
    }
    CHECK(document.cases[1].identity.workload_parameters.at("dp")[0] < 0.04);
    time(document, {900, 950});
    const auto series = scaling::series_of_results(document);
    REQUIRE(series.size() == 1);
    CHECK(series[0].mode == scaling::Mode::weak);
    CHECK(series[0].columns == alone);
}

TEST_CASE("spacings give so many times the particles of a box", "[scale][sph]") {
    const Study study = particles({"dp=0.005"}, 1);
    const ParameterStart& start = *study.workload->capabilities().parameter_start;
    for (const int scene : {0, 1, 2})
        for (const double times : {2.0, 3.0, 8.0}) {
            ParameterSet set = study.problem.parameters;
            set.set("scene", {1.0 * scene});
            CAPTURE(scene, times);
            const auto before = static_cast<double>(start.size_for(set).cells());
            const auto after = static_cast<double>(start.size_for(start.grown(set, times)).cells());
            CHECK(std::abs(after / before / times - 1) <= 0.01);
        }
}

TEST_CASE("a series of particles that cannot grow is refused", "[scale][sph]") {
    // A cube with 25 particles per side has too few, and one with 26 has too many.
    const Study cube = particles({"dp=0.02", "scene=4"}, 1);
    CHECK_THROWS_WITH(study_on(cube, places({1, 2}), 2, scaling::Mode::weak, {{}, {}, {}, {0, 0}}),
                      "no spacing gives 2 times the 8000 particles of dp = 0.02 m within 1 %: give "
                      "a smaller dp");
    Study saved = particles({"dp=0.08"}, 1);
    saved.initial.input = "earlier.vtk";
    CHECK_THROWS_WITH(study_on(saved, places({1, 2}), 2, scaling::Mode::weak, {{}, {}, {}, {0, 0}}),
                      "--mode weak needs more particles on more units, and earlier.vtk has as many "
                      "as it has: leave out --input");
    Study ending = particles({"dp=0.08"}, 1);
    ending.problem.parameters.set("time", {0.1});
    CHECK_THROWS_WITH(
        study_on(ending, places({1, 2}), 2, scaling::Mode::weak, {{}, {}, {}, {0, 0}}),
        contains("with these parameters workload sph ends the run itself: give --generations"));
}

}  // namespace study_on_test
