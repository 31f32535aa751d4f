// Minimum over the devices' numbers, on every path, in successive rounds.
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"

namespace camber::group_minimum_test {

namespace {

// `lag`: number of rounds by which the minimum lags behind the numbers.
template <class Number>
void check(ExchangePath path, int places, int lag = 0) {
    CAPTURE(name(path), places, sizeof(Number), lag);
    simt::HostQueue lead(1);
    Group group(lead, std::vector<int>(static_cast<std::size_t>(places), 0));
    std::vector<Memory> memory;
    std::vector<void*> numbers;
    for (int place = 0; place < places; ++place)
        numbers.push_back(memory.emplace_back(*group.at(place).middle, sizeof(Number)).get());
    const auto minimum =
        (lag > 0 ? make_lagged_minimum : make_group_minimum)(path, group, numbers, sizeof(Number));
    // begin() discards numbers in flight.
    for (int earlier = 0; earlier < 2; ++earlier) {
        minimum->begin();
        group.synchronize();
        minimum->take();
        minimum->take();
        group.synchronize();
    }
    minimum->begin();
    group.synchronize();
    // Each device has the minimum in turn, and numbers are distinct.
    constexpr int times = 12;
    std::vector<std::vector<Number>> found(times,
                                           std::vector<Number>(static_cast<std::size_t>(places)));
    const auto given = [&](int time, int place) {
        return static_cast<Number>(1000 * (times - time) + (place + time) % places);
    };
    for (int time = 0; time < times; ++time) {
        for (int place = 0; place < places; ++place) {
            const Number number = given(time, place);
            group.at(place).middle->fill(numbers[static_cast<std::size_t>(place)], 1,
                                         std::as_bytes(std::span(&number, 1)));
        }
        minimum->take();
        for (int place = 0; place < places; ++place)
            group.at(place).middle->start_download(
                &found[static_cast<std::size_t>(time)][static_cast<std::size_t>(place)],
                sizeof(Number), numbers[static_cast<std::size_t>(place)], sizeof(Number),
                {sizeof(Number), 1});
    }
    group.synchronize();
    for (int time = 0; time < times; ++time)
        for (const Number number : found[static_cast<std::size_t>(time)])
            CHECK(number == static_cast<Number>(1000 * (times - std::max(0, time - lag))));
}

}  // namespace

TEST_CASE("every place gets the least of all places' numbers", "[portable][group]") {
    for (const ExchangePath path : exchange_paths)
        for (const int places : {2, 3, 10}) {
            check<float>(path, places);
            check<double>(path, places);
        }
}

TEST_CASE("every place gets the least of the time before, and at first of its own",
          "[portable][group]") {
    for (const ExchangePath path : exchange_paths)
        for (const int places : {1, 2, 3, 10}) {
            check<float>(path, places, 1);
            check<double>(path, places, 1);
        }
}

}  // namespace camber::group_minimum_test
