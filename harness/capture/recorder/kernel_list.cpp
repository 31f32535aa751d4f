#include "harness/capture/recorder/recorder.hpp"

#include <algorithm>

namespace camber::capture {

namespace {

constexpr std::size_t most_durations = 100000;  // per kernel
constexpr std::size_t most_shapes = 1000;       // per kernel

Dimensions dimensions_of(const std::int32_t (&values)[3]) {
    return {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]),
            static_cast<std::uint32_t>(values[2])};
}

}  // namespace

double median_of(std::vector<float> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 != 0) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

void KernelList::add(const CuptiKernelRecord& record) {
    const double duration = static_cast<double>(record.end - record.start);
    const std::lock_guard lock(mutex_);
    Kernel& kernel = kernels_[record.name != nullptr ? record.name : ""];
    ++kernel.launches;
    kernel.total_ns += duration;
    if (kernel.durations.size() < most_durations)
        kernel.durations.push_back(static_cast<float>(duration));
    const Shape shape{dimensions_of(record.grid), dimensions_of(record.block),
                      static_cast<std::uint64_t>(record.dynamic_shared)};
    if (kernel.shapes.size() >= most_shapes && !kernel.shapes.contains(shape)) return;
    ShapeTimes& times = kernel.shapes[shape];
    std::tie(times.grid, times.block, times.shared_bytes) = shape;
    ++times.launches;
    times.total_ns += duration;
}

std::vector<KernelTimes> KernelList::kernels() const {
    const std::lock_guard lock(mutex_);
    std::vector<KernelTimes> all;
    for (const auto& [name, kernel] : kernels_) {
        KernelTimes times{name, kernel.launches, kernel.total_ns, median_of(kernel.durations), {}};
        for (const auto& [shape, of_shape] : kernel.shapes) times.shapes.push_back(of_shape);
        std::ranges::sort(times.shapes, std::ranges::greater(), &ShapeTimes::total_ns);
        all.push_back(std::move(times));
    }
    return all;
}

}  // namespace camber::capture
