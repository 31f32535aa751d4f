// CUDA's short vector types and its functions for the bytes of a word, for the host's compiler.
// Kernels on the executor use them as on the device.
#pragma once

#include "harness/base/target.hpp"

// CUDA's short vectors for the executor: one access of 8 or 16 bytes, aligned as on the device.
// They are declared in camber's namespace, where kernels find them before those of CUDA's headers.
CAMBER_TARGET_BEGIN

template <class T>
struct alignas(2 * sizeof(T)) Vector2 {
    T x, y;
    friend bool operator==(const Vector2&, const Vector2&) = default;
};

template <class T>
struct alignas(4 * sizeof(T)) Vector4 {
    T x, y, z, w;
    friend bool operator==(const Vector4&, const Vector4&) = default;
};

using uchar2 = Vector2<unsigned char>;
using uchar4 = Vector4<unsigned char>;
using int2 = Vector2<int>;
using int4 = Vector4<int>;
using uint2 = Vector2<unsigned>;
using uint4 = Vector4<unsigned>;
using float2 = Vector2<float>;
using float4 = Vector4<float>;
using double2 = Vector2<double>;

inline uchar2 make_uchar2(unsigned char x, unsigned char y) {
    return {x, y};
}
inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
    return {x, y, z, w};
}
inline int2 make_int2(int x, int y) {
    return {x, y};
}
inline int4 make_int4(int x, int y, int z, int w) {
    return {x, y, z, w};
}
inline uint2 make_uint2(unsigned x, unsigned y) {
    return {x, y};
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
    return {x, y, z, w};
}
inline float2 make_float2(float x, float y) {
    return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}
inline double2 make_double2(double x, double y) {
    return {x, y};
}

CAMBER_TARGET_END

// CUDA C++ functions on the bytes of a word, for the host's compiler. Only kernel sources that use
// them include this.

// CUDA Math API: byte i of the result is the byte of (x, y), numbered from the lowest byte of x,
// that is selected by the three lowest bits of nibble i. The fourth bit, which would replicate the
// sign, is not supported.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

// Dot product of four bytes with four bytes, added to a sum.
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int i = 0; i < 4; ++i) sum += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return sum;
}
