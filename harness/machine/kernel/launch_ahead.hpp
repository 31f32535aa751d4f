// wait_for_launch_ahead(): for kernels that are launched early (LaunchShape::early), so that what a
// launch takes passes while the launch ahead is still at work. From here on that one has ended, and
// what it wrote is seen; and blocks of the launch that follows may begin. Every thread calls it
// before it touches memory. Other launches do not wait here. CUDA C++ Programming Guide,
// "Programmatic Dependent Launch and Synchronization"; PTX ISA, griddepcontrol.
#pragma once

#include "harness/base/target.hpp"

CAMBER_TARGET_BEGIN

CAMBER_DEVICE void wait_for_launch_ahead() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

CAMBER_TARGET_END
