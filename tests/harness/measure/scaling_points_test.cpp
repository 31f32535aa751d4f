#include "harness/measure/scaling_points.hpp"

#include <omp.h>

#include <sched.h>
#include <mutex>

#include <filesystem>
#include <fstream>

#include "harness/base/error.hpp"
#include "harness/measure/pinned_threads.hpp"
#include "tests/catch.hpp"
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
    // Nothing told: as many cores as logical CPUs.
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
