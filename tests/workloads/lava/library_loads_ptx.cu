// Library functions that the lava models use in double, each in a kernel that itself loads one
// number.

#define KERNEL(function)                                         \
    extern "C" __global__ void function##_kernel(double* cell) { \
        cell[0] = function(cell[0]);                             \
    }

KERNEL(sin)
KERNEL(cos)
KERNEL(acos)
KERNEL(atan)
KERNEL(exp)
KERNEL(cbrt)
