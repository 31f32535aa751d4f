#include "harness/measure/wall_clock.hpp"

#include <chrono>
#include <thread>

#include "tests/catch.hpp"

namespace camber::wall_clock_test {
namespace {

using namespace std::chrono_literals;
using results::WallTime;

double sum(const WallTime& wall) {
    double seconds = 0;
    for (const results::WallTimePart& part : results::wall_time_parts)
        seconds += wall.*part.seconds;
    return seconds;
}

TEST_CASE("time goes to the innermost span, and the parts make the total", "[wall_clock]") {
    WallClock clock;
    std::this_thread::sleep_for(20ms);
    clock.turn_to(&WallTime::other);
    {
        const WallClock::Span outer(clock, &WallTime::verification);
        std::this_thread::sleep_for(20ms);
        {
            const WallClock::Span inner(clock, &WallTime::samples);
            std::this_thread::sleep_for(40ms);
        }
        CHECK(clock.read().samples >= 0.04);
        std::this_thread::sleep_for(20ms);
    }
    const WallTime wall = clock.read();
    CHECK(wall.opening >= 0.02);
    CHECK(wall.verification >= 0.04);
    CHECK(wall.samples >= 0.04);
    CHECK(wall.counters == 0);
    CHECK(wall.total >= 0.1);
    CHECK(sum(wall) == Approx(wall.total).epsilon(1e-3));

    WallTime twice = wall;
    twice += wall;
    CHECK(twice.total == Approx(2 * wall.total));
    CHECK(sum(twice) == Approx(twice.total).epsilon(1e-3));
}

}  // namespace
}  // namespace camber::wall_clock_test
