// Arithmetic with bitwise equal results in every kernel and on both targets.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"

namespace camber {

template <class T>
CAMBER_HD constexpr T larger(T a, T b) {
    return a < b ? b : a;
}
template <class T>
CAMBER_HD constexpr T smaller(T a, T b) {
    return b < a ? b : a;
}

// Product rounded before any addition. nvcc would contract a product and a following sum into one
// fused multiply-add if it sees both, so kernels that split a step differently would differ in the
// last bit.
CAMBER_HD inline float rounded_product(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}
CAMBER_HD inline double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

CAMBER_HD inline float square_root(float x) {
    return ::sqrtf(x);
}
CAMBER_HD inline double square_root(double x) {
    return ::sqrt(x);
}
CAMBER_HD inline float cube_root(float x) {
    return ::cbrtf(x);
}
CAMBER_HD inline double cube_root(double x) {
    return ::cbrt(x);
}

}  // namespace camber
