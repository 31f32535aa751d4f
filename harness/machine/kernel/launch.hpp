// Kernel launches from host code: launch() starts a kernel on the device or on the SIMT executor,
// depending on which compiler reads this file. resident_blocks() returns the maximum size of
// cooperative launches, and wait_for_launch_ahead() synchronizes kernels that are launched early.
#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/queue/queue.hpp"

// launch(): starts a kernel on a queue, on the device or on the SIMT executor, depending on how
// this file is compiled

#if CAMBER_ON_DEVICE

    #include "harness/machine/cuda/stream.hpp"

CAMBER_TARGET_BEGIN

// `queue` must be a cuda::Stream. Throws launch errors.
template <class... Formal, class... Actual>
void launch(Queue& queue, const char* kernel_name, const LaunchShape& shape,
            void (*kernel)(Formal...), const Actual&... arguments) {
    auto& stream = static_cast<cuda::Stream&>(queue);
    std::tuple<std::remove_cv_t<Formal>...> values(arguments...);
    std::apply(
        [&](auto&... value) {
            void* pointers[] = {&value..., nullptr};
            stream.launch(kernel_name, reinterpret_cast<const void*>(kernel), shape, pointers);
        },
        values);
}

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/host_queue.hpp"

CAMBER_TARGET_BEGIN

// `queue` must be a simt::HostQueue.
template <class... Formal, class... Actual>
void launch(Queue& queue, const char* kernel_name, const LaunchShape& shape,
            void (*kernel)(Formal...), const Actual&... arguments) {
    const std::tuple<std::remove_cv_t<Formal>...> values(arguments...);
    static_cast<simt::HostQueue&>(queue).launch(kernel_name, shape,
                                                [=] { std::apply(kernel, values); });
}

CAMBER_TARGET_END

#endif

// resident_blocks(): number of blocks of a kernel that are resident on a queue's device at the same
// time, which is the maximum for a cooperative launch

#if CAMBER_ON_DEVICE

    #include "harness/machine/cuda/sm_partition.hpp"

CAMBER_TARGET_BEGIN

// Only the block size and dynamic shared memory of `shape` matter. 0 if no block fits. Throws
// Error(unavailable) if CUDA fails.
template <class... Formal>
int resident_blocks(Queue&, void (*kernel)(Formal...), const LaunchShape& shape) {
    return cuda::resident_blocks(reinterpret_cast<const void*>(kernel), shape);
}

CAMBER_TARGET_END

#else

CAMBER_TARGET_BEGIN

// Treats the executor as a single SM with 2048 threads (CUDA C++ Programming Guide, compute
// capability 9.0): a small number, so that persistent blocks process several tiles on small boards,
// too.
template <class... Formal>
int resident_blocks(Queue&, void (*)(Formal...), const LaunchShape& shape) {
    constexpr unsigned resident_threads = 2048;
    return static_cast<int>(resident_threads / (shape.block.x * shape.block.y * shape.block.z));
}

CAMBER_TARGET_END

#endif

// wait_for_launch_ahead(): for kernels that are launched early (LaunchShape::early), so that launch
// latency overlaps with the previous launch. Returns once the previous launch has ended and its
// writes are visible, and allows blocks of the following launch to start. Every thread calls it
// before it accesses memory. In other launches it returns immediately. CUDA C++ Programming Guide,
// "Programmatic Dependent Launch and Synchronization"; PTX ISA, griddepcontrol.
CAMBER_TARGET_BEGIN

CAMBER_DEVICE void wait_for_launch_ahead() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

CAMBER_TARGET_END
