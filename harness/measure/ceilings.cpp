#include "harness/measure/ceilings.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "harness/base/statistics.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/measure/ceiling_suite.hpp"

namespace camber {

namespace {

double copy_rate(Queue& queue) {
    const std::size_t bytes =
        std::min<std::size_t>(std::size_t{1} << 30, queue.limits().available_memory / 4);
    const Memory from(queue, bytes);
    const Memory to(queue, bytes);
    // Bytes that differ from cell to cell: constant data may travel faster. A piece of them is
    // made on the host and repeated.
    std::vector<std::byte> noise(std::min(bytes, std::size_t{1} << 20));
    for (std::size_t i = 0; i < noise.size(); ++i)
        noise[i] = static_cast<std::byte>(i * 2654435761u >> 13);
    queue.upload(from.get(), noise.size(), noise.data(), noise.size(), {noise.size(), 1});
    for (std::size_t done = noise.size(); done < bytes; done *= 2)
        queue.copy(static_cast<std::byte*>(from.get()) + done, from.get(),
                   std::min(done, bytes - done));

    constexpr int copies = 4;
    std::vector<double> seconds;
    for (int sample = 0; sample < 22; ++sample) {
        const double time = queue.time([&] {
            for (int i = 0; i < copies; ++i) queue.copy(to.get(), from.get(), bytes);
        });
        if (sample >= 2) seconds.push_back(time / copies);
    }
    return 2.0 * static_cast<double>(bytes) / median(seconds);
}

}  // namespace

Ceilings measure_ceilings(Queue& queue, const DeviceInfo* device) {
    if (!device) return {};
    // One after the other: the buffers of the first are free again before the suite allocates.
    const double copy = copy_rate(queue);
    constexpr int samples_per_figure = 3;  // the first row of a table waits for them
    Ceilings ceilings = measure_ceiling_suite(queue, *device, samples_per_figure);
    check_stop();  // some of the limits would be kept as if they were all
    ceilings.copy_bytes_per_second = copy;
    ceilings.measured = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(std::time(nullptr)));
    return ceilings;
}

}  // namespace camber
