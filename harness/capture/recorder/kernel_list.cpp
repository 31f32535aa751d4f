// CUPTI's reports of kernels: their times, and the launches that the program requests.
#include "harness/capture/recorder/recorder.hpp"

#include <algorithm>
#include <cstring>

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

RequestedLaunch requested(std::uint32_t call, const CuptiCall& data) {
    RequestedLaunch launch;
    const auto add = [&](std::uint32_t id, int value) {
        CuLaunchAttribute& attribute = launch.attributes.emplace_back();
        attribute.id = id;
        std::memcpy(attribute.value, &value, sizeof value);
    };
    if (call == cupti_launch_ex || call == cupti_launch_ex_per_thread) {
        const auto& ex = *static_cast<const CuptiLaunchExParameters*>(data.parameters);
        launch.function = ex.function;
        std::copy_n(ex.config->grid, 3, launch.grid.begin());
        std::copy_n(ex.config->block, 3, launch.block.begin());
        launch.shared_bytes = ex.config->shared_bytes;
        launch.stream = ex.config->stream;
        launch.arguments = ex.arguments;
        launch.extra = ex.extra;
        launch.attributes.assign(ex.config->attributes,
                                 ex.config->attributes + ex.config->attribute_count);
    } else {
        const auto& plain = *static_cast<const CuptiLaunchParameters*>(data.parameters);
        launch.function = plain.function;
        std::copy_n(plain.grid, 3, launch.grid.begin());
        std::copy_n(plain.block, 3, launch.block.begin());
        launch.shared_bytes = plain.shared_bytes;
        launch.stream = plain.stream;
        launch.arguments = plain.arguments;
        if (call == cupti_launch || call == cupti_launch_per_thread)
            launch.extra = plain.extra;
        else
            add(cu_attribute_cooperative, 1);
    }
    const bool per_thread = call == cupti_launch_per_thread || call == cupti_launch_ex_per_thread ||
                            call == cupti_launch_cooperative_per_thread;
    if (per_thread && launch.stream == nullptr)
        launch.stream = reinterpret_cast<CuStream>(2);  // CU_STREAM_PER_THREAD
    return launch;
}

CuFunction function_in(std::uint32_t call, const CuptiCall& data) {
    return call == cupti_launch_ex || call == cupti_launch_ex_per_thread
               ? static_cast<const CuptiLaunchExParameters*>(data.parameters)->function
               : static_cast<const CuptiLaunchParameters*>(data.parameters)->function;
}

}  // namespace camber::capture
