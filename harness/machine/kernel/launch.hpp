// Kernel launches from host code: launch() starts a kernel on the device or on the SIMT executor,
// depending on which compiler reads this file. resident_blocks() returns the size limit of
// cooperative launches, and wait_for_launch_ahead() ends the head start of kernels that are
// launched early.
#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/queue/queue.hpp"

// launch(): starts a kernel on a queue, on the device or on the SIMT executor, by how this file is
// compiled.

#if CAMBER_ON_DEVICE

    #include "harness/machine/cuda/stream.hpp"

CAMBER_TARGET_BEGIN

// `queue` must be a cuda::Stream. Errors of the launch throw.
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

// resident_blocks(): how many blocks of a kernel are resident at once on a queue's device: the most
// that a cooperative launch may have.

#if CAMBER_ON_DEVICE

    #include "harness/machine/cuda/sm_partition.hpp"

CAMBER_TARGET_BEGIN

// Of `shape` block and dynamic shared memory count. 0 where not even one fits. Throws
// Error(unavailable) where CUDA fails.
template <class... Formal>
int resident_blocks(Queue&, void (*kernel)(Formal...), const LaunchShape& shape) {
    return cuda::resident_blocks(reinterpret_cast<const void*>(kernel), shape);
}

CAMBER_TARGET_END

#else

CAMBER_TARGET_BEGIN

// As if the executor were one multiprocessor, which holds 2048 threads (CUDA C++ Programming Guide,
// compute capability 9.0): few, so that what blocks do in turn is seen on small boards too.
template <class... Formal>
int resident_blocks(Queue&, void (*)(Formal...), const LaunchShape& shape) {
    constexpr unsigned resident_threads = 2048;
    return static_cast<int>(resident_threads / (shape.block.x * shape.block.y * shape.block.z));
}

CAMBER_TARGET_END

#endif

// wait_for_launch_ahead(): for kernels that are launched early (LaunchShape::early), so that what a
// launch takes passes while the launch ahead is still at work. From here on that one has ended, and
// what it wrote is seen; and blocks of the launch that follows may begin. Every thread calls it
// before it touches memory. Other launches do not wait here. CUDA C++ Programming Guide,
// "Programmatic Dependent Launch and Synchronization"; PTX ISA, griddepcontrol.
CAMBER_TARGET_BEGIN

CAMBER_DEVICE void wait_for_launch_ahead() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

CAMBER_TARGET_END
