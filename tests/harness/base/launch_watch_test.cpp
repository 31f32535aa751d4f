// Work on a device that does not end is noticed, and only that.
#include "harness/base/launch_watch.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/catch.hpp"

namespace camber::launch_watch_test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

void sleep(int ms) {
    std::this_thread::sleep_for(milliseconds(ms));
}

// How long until the watch says so; at most 5 s.
milliseconds until(const std::atomic<bool>& overdue, Clock::time_point start) {
    while (!overdue && Clock::now() - start < milliseconds(5000)) sleep(1);
    return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
}

}  // namespace

TEST_CASE("a launch that does not end is overdue when its time is over", "[watch]") {
    std::atomic<bool> overdue = false;
    const LaunchWatch watch(0.2, [&] { overdue = true; });
    sleep(300);  // nothing is submitted
    CHECK_FALSE(overdue);
    const auto start = Clock::now();
    watch_launch();
    const auto taken = until(overdue, start);
    CHECK(overdue);
    CHECK(taken >= milliseconds(200));
    CHECK(taken < milliseconds(2000));
}

TEST_CASE("every launch gives the work more time, and a wait ends the watch", "[watch]") {
    std::atomic<bool> overdue = false;
    const LaunchWatch watch(0.4, [&] { overdue = true; });
    for (int i = 0; i < 10; ++i) {
        watch_launch();
        sleep(80);
    }
    { const WatchedWait wait; }
    sleep(600);  // the host computes
    CHECK_FALSE(overdue);
    watch_launch();
    CHECK(until(overdue, Clock::now()) < milliseconds(3000));
    CHECK(overdue);
}

TEST_CASE("a wait for a device is watched from its beginning", "[watch]") {
    std::atomic<bool> overdue = false;
    {
        const LaunchWatch watch(0.1, [&] { overdue = true; });
        // A queue that does not come back: the thread that waits for it never goes on.
        std::thread([] {
            watch_launch();
            sleep(50);
            const WatchedWait wait;
            sleep(100000);
        }).detach();
        until(overdue, Clock::now());
    }
    CHECK(overdue);
}

TEST_CASE("without a watch nothing is watched", "[watch]") {
    watch_launch();
    { const WatchedWait wait; }
    std::atomic<bool> overdue = false;
    const LaunchWatch watch(0.05, [&] { overdue = true; });
    sleep(200);
    CHECK_FALSE(overdue);
}

}  // namespace camber::launch_watch_test
