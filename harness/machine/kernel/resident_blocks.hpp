// resident_blocks(): how many blocks of a kernel are resident at once on a queue's device: the most
// that a cooperative launch may have.
#pragma once

#include "harness/base/launch_shape.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/queue/queue.hpp"

#if CAMBER_ON_DEVICE

    #include "harness/machine/cuda/resident_blocks.hpp"

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
