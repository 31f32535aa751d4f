// launch(): starts a kernel on a queue, on the device or on the SIMT executor, by how this file is
// compiled.
#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "harness/base/launch_shape.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/queue/queue.hpp"

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
