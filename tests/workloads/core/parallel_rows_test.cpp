// Distribution of rows over threads: each row is computed once, and waiting threads yield their
// cores.
#include "workloads/core/parallel_rows.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/catch.hpp"

namespace camber::parallel_rows_test {
namespace {

using namespace std::chrono_literals;

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

TEST_CASE("every row is done once, in blocks of equal size", "[parallel_rows]") {
    for (const int threads : {1, 2, 3, 7})
        for (const int rows : {0, 1, 2, 6, 7, 100}) {
            std::vector<int> visits(static_cast<std::size_t>(rows));
            std::mutex mutex;
            std::vector<int> sizes;
            parallel_rows(threads, rows, [&](int first, int last) {
                for (int row = first; row < last; ++row) ++visits[static_cast<std::size_t>(row)];
                const std::lock_guard lock(mutex);
                sizes.push_back(last - first);
            });
            INFO(threads << " threads, " << rows << " rows");
            CHECK(visits == std::vector<int>(static_cast<std::size_t>(rows), 1));
            CHECK(static_cast<int>(sizes.size()) == std::min(threads, rows));
            for (const int size : sizes) CHECK(std::abs(size * threads - rows) < 2 * threads);
        }
}

TEST_CASE("a team's threads stay the same", "[parallel_rows]") {
    constexpr int threads = 4;
    const auto team = [] {
        std::vector<std::thread::id> ids(threads);
        each_of_team(threads, [&](int thread) {
            ids[static_cast<std::size_t>(thread)] = std::this_thread::get_id();
        });
        return ids;
    };
    const auto ids = team();
    CHECK(ids.front() == std::this_thread::get_id());
    CHECK(std::set(ids.begin(), ids.end()).size() == threads);
    for (int again = 0; again < 100; ++again) CHECK(team() == ids);
    std::mutex mutex;
    std::set<std::thread::id> seen;
    parallel_rows(threads, threads, [&](int, int) {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
    });
    for (const std::thread::id id : seen) CHECK(std::ranges::find(ids, id) != ids.end());
}

// Sets the scheduling policy of thread 1 in a team of two.
void set_policy(int policy) {
    each_of_team(2, [&](int thread) {
        const sched_param none{};
        if (thread == 1) sched_setscheduler(0, policy, &none);
    });
}

TEST_CASE("on a busy machine nobody waits for a thread that has not begun", "[parallel_rows]") {
    set_policy(SCHED_IDLE);  // runs only when no other process needs the core
    std::atomic<bool> done{false};
    std::vector<std::thread> others;
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
        others.emplace_back([&] {
            while (!done) {
            }
        });
    std::atomic<int> blocks{0};
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < 100; ++call) parallel_rows(2, 2, [&](int, int) { ++blocks; });
    // If the caller computes all rows, this takes a fraction of a millisecond; waiting for the
    // thread would take a minute.
    CHECK(std::chrono::steady_clock::now() - start < 15s);
    done = true;
    for (std::thread& thread : others) thread.join();
    CHECK(blocks == 200);
    set_policy(SCHED_OTHER);
}

TEST_CASE("what a block throws arrives, and the team goes on", "[parallel_rows]") {
    for (const int faulty : {0, 1, 2}) {
        CHECK_THROWS_AS(parallel_rows(3, 3,
                                      [&](int first, int) {
                                          if (first == faulty) throw std::runtime_error("row");
                                      }),
                        std::runtime_error);
        int done = 0;
        parallel_rows(3, 3, [&](int first, int) {
            if (first == 2) done = first;
        });
        CHECK(done == 2);
    }
}

TEST_CASE("threads that wait leave their cores to others", "[parallel_rows]") {
    // A spinning barrier would use three cores for as long as the fourth thread sleeps.
    parallel_rows(4, 4, [](int, int) {});
    const double before = cpu_seconds();
    parallel_rows(4, 4, [](int first, int) {
        if (first == 3) std::this_thread::sleep_for(400ms);
    });
    std::this_thread::sleep_for(200ms);
    CHECK(cpu_seconds() - before < 0.2);
}

TEST_CASE("a small board takes fewer threads", "[parallel_rows]") {
    CHECK(worthwhile_threads(1, 16) == 1);
    CHECK(worthwhile_threads(64 * 64, 16) == 1);
    CHECK(worthwhile_threads(256 * 256, 16) == 4);
    CHECK(worthwhile_threads(16384LL * 16384, 16) == 16);
    CHECK(worthwhile_threads(16384LL * 16384, 1) == 1);
}

}  // namespace
}  // namespace camber::parallel_rows_test
