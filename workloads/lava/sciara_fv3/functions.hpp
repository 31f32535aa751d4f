// Elementary functions in the precision of their argument.
#pragma once

#include <cmath>

#include "workloads/core/arithmetic.hpp"

namespace camber::sciara_fv3 {

CAMBER_HD inline float exponential(float x) {
    return ::expf(x);
}
CAMBER_HD inline double exponential(double x) {
    return ::exp(x);
}
CAMBER_HD inline float sine(float x) {
    return ::sinf(x);
}
CAMBER_HD inline double sine(double x) {
    return ::sin(x);
}
CAMBER_HD inline float cosine(float x) {
    return ::cosf(x);
}
CAMBER_HD inline double cosine(double x) {
    return ::cos(x);
}
CAMBER_HD inline float arc_tangent(float x) {
    return ::atanf(x);
}
CAMBER_HD inline double arc_tangent(double x) {
    return ::atan(x);
}
CAMBER_HD inline float arc_cosine(float x) {
    return ::acosf(x);
}
CAMBER_HD inline double arc_cosine(double x) {
    return ::acos(x);
}

}  // namespace camber::sciara_fv3
