// CUDA C++ keywords and built-in functions for kernels compiled by the C++ compiler. Included
// before the kernel's own text, after interface.h.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>
#include <utility>

// CAMBER_WORD: a function that represents one instruction; its accesses are attributed to the
// caller.
#if __GNUC__ >= 12
    #define CAMBER_WORD \
        static inline __attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage))
    #define CAMBER_PART __attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage))
#else
    #define CAMBER_WORD static inline __attribute__((noinline, no_sanitize("thread")))
    #define CAMBER_PART __attribute__((noinline, no_sanitize("thread")))
#endif
#define CAMBER_HERE __builtin_return_address(0)

static const CamberHost* camber_host;

CAMBER_WORD void camber_touch(const volatile void* address, unsigned long size, int operation,
                              void* pc) {
    if (camber_host) camber_host->access(address, size, operation, pc);
}

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
// CUDA accepts `__shared__ alignas(16) float tile[64];`, and C++ no alignas at that position. Takes
// a number or a type.
template <class T>
constexpr size_t camber_align_of() {
    return alignof(T);
}
template <size_t bytes>
constexpr size_t camber_align_of() {
    return bytes;
}
#define alignas(...) __attribute__((aligned(camber_align_of<__VA_ARGS__>())))
// A CPU thread runs one block at a time, so that its thread-local copy is the block's copy.
#define __shared__ thread_local
#define __constant__ __attribute__((section(".camber_constant")))

// ---- vector types: one access each, however the compiler implements copies

#define CAMBER_VECTOR_COPIES(Vector)                                  \
    Vector() = default;                                               \
    CAMBER_PART Vector(const Vector& from) {                          \
        camber_touch(&from, sizeof from, 0, CAMBER_HERE);             \
        __builtin_memcpy((void*)this, &from, sizeof from);            \
    }                                                                 \
    CAMBER_PART Vector& operator=(const Vector& from) {               \
        camber_touch(&from, sizeof from, 0, CAMBER_HERE);             \
        camber_touch(this, sizeof from, 1, CAMBER_HERE);              \
        __builtin_memmove((void*)this, &from, sizeof from);           \
        return *this;                                                 \
    }
#define CAMBER_VECTORS(T, name, a2, a4)                                                       \
    struct name##1 {                                                                          \
        T x;                                                                                  \
    };                                                                                        \
    struct alignas(a2) name##2 {                                                              \
        T x, y;                                                                               \
        CAMBER_PART name##2(T x, T y) : x(x), y(y) {}                                         \
        CAMBER_VECTOR_COPIES(name##2)                                                         \
    };                                                                                        \
    struct name##3 {                                                                          \
        T x, y, z;                                                                            \
    };                                                                                        \
    struct alignas(a4) name##4 {                                                              \
        T x, y, z, w;                                                                         \
        CAMBER_PART name##4(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}                   \
        CAMBER_VECTOR_COPIES(name##4)                                                         \
    };                                                                                        \
    CAMBER_WORD name##1 make_##name##1(T x) { return {x}; }                                   \
    CAMBER_WORD name##2 make_##name##2(T x, T y) { return {x, y}; }                           \
    CAMBER_WORD name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                   \
    CAMBER_WORD name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

CAMBER_VECTORS(signed char, char, 2, 4)
CAMBER_VECTORS(unsigned char, uchar, 2, 4)
CAMBER_VECTORS(short, short, 4, 8)
CAMBER_VECTORS(unsigned short, ushort, 4, 8)
CAMBER_VECTORS(int, int, 8, 16)
CAMBER_VECTORS(unsigned, uint, 8, 16)
CAMBER_VECTORS(float, float, 8, 16)
CAMBER_VECTORS(long long, longlong, 16, 16)
CAMBER_VECTORS(unsigned long long, ulonglong, 16, 16)
CAMBER_VECTORS(double, double, 16, 16)

// 16-bit floating-point numbers: half.h
struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    CAMBER_PART dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    CAMBER_PART dim3(uint3 from) : x(from.x), y(from.y), z(from.z) {}
};

// ---- thread indices

CAMBER_WORD uint3 camber_index(int which) {
    const unsigned(&index)[3] = camber_host->thread()[which];
    return {index[0], index[1], index[2]};
}
#define threadIdx (camber_index(0))
#define blockIdx (camber_index(1))
#define blockDim (camber_index(2))
#define gridDim (camber_index(3))
#define warpSize 32

// ---- barriers

CAMBER_WORD void __syncthreads() {
    camber_host->block_barrier(CAMBER_HERE);
}
CAMBER_WORD void __syncwarp(unsigned mask = 0xffffffffu) {
    camber_host->exchange(0, mask, 0, 0, CAMBER_HERE);
}
CAMBER_WORD void __threadfence() {}
CAMBER_WORD void __threadfence_block() {}
CAMBER_WORD void __threadfence_system() {}
CAMBER_WORD void __trap() {
    camber_host->trap(CAMBER_HERE);
}

template <class T>
CAMBER_WORD T camber_shuffle(unsigned mask, T value, int source, void* pc) {
    static_assert(sizeof(T) <= 8, "a shuffle moves 8 bytes at most");
    unsigned long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = camber_host->exchange(1, mask, bits, source, pc);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
CAMBER_WORD int camber_segment(int width) {
    return camber_host->lane() / width * width;
}
// CUDA C++ Programming Guide, "Warp Shuffle Functions": a source outside the segment yields the
// caller's own value; __shfl_sync takes the source modulo the width.
template <class T>
CAMBER_WORD T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    return camber_shuffle(mask, value, camber_segment(width) + (source & (width - 1)),
                          CAMBER_HERE);
}
template <class T>
CAMBER_WORD T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const int lane = camber_host->lane(), source = lane - (int)delta;
    return camber_shuffle(mask, value, source < camber_segment(width) ? lane : source, CAMBER_HERE);
}
template <class T>
CAMBER_WORD T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    const int lane = camber_host->lane(), source = lane + (int)delta;
    return camber_shuffle(mask, value, source >= camber_segment(width) + width ? lane : source,
                          CAMBER_HERE);
}
template <class T>
CAMBER_WORD T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
    const int lane = camber_host->lane(), source = lane ^ bits;
    return camber_shuffle(mask, value, source >= camber_segment(width) + width ? lane : source,
                          CAMBER_HERE);
}
CAMBER_WORD unsigned __ballot_sync(unsigned mask, int predicate) {
    return (unsigned)camber_host->exchange(2, mask, predicate != 0, 0, CAMBER_HERE);
}
CAMBER_WORD int __any_sync(unsigned mask, int predicate) {
    return camber_host->exchange(2, mask, predicate != 0, 0, CAMBER_HERE) != 0;
}
CAMBER_WORD int __all_sync(unsigned mask, int predicate) {
    return camber_host->exchange(2, mask, predicate != 0, 0, CAMBER_HERE) ==
           (mask & camber_host->existing_lanes());
}

// ---- memory

#define CAMBER_LOAD(name)                                  \
    template <class T>                                     \
    CAMBER_WORD T name(const T* from) {                    \
        camber_touch(from, sizeof(T), 0, CAMBER_HERE);     \
        T value;                                           \
        __builtin_memcpy((void*)&value, from, sizeof(T));  \
        return value;                                      \
    }
#define CAMBER_STORE(name)                                                  \
    template <class T>                                                      \
    CAMBER_WORD void name(T* to, std::remove_const_t<T> value) {            \
        camber_touch(to, sizeof(T), 1, CAMBER_HERE);                        \
        __builtin_memcpy((void*)to, &value, sizeof(T));                     \
    }
CAMBER_LOAD(__ldg)
CAMBER_LOAD(__ldca)
CAMBER_LOAD(__ldcg)
CAMBER_LOAD(__ldcs)
CAMBER_LOAD(__ldlu)
CAMBER_LOAD(__ldcv)
CAMBER_STORE(__stwb)
CAMBER_STORE(__stcg)
CAMBER_STORE(__stcs)
CAMBER_STORE(__stwt)

template <class T, class F>
CAMBER_WORD T camber_update(T* cell, F next, void* pc) {
    camber_touch(cell, sizeof(T), 2, pc);
    T before, after;
    __atomic_load(cell, &before, __ATOMIC_RELAXED);
    do after = next(before);
    while (!__atomic_compare_exchange(cell, &before, &after, 0, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
    return before;
}
template <class T, int what>
struct camber_change {
    T value, expected;
    CAMBER_PART T operator()(T before) const {
        if constexpr (what == 'm') return value < before ? value : before;
        if constexpr (what == 'M') return before < value ? value : before;
        if constexpr (what == 'x') return value;
        if constexpr (what == 'c') return before == expected ? value : before;
        if constexpr (what == 'i') return before >= value ? T(0) : T(before + 1);
        if constexpr (what == 'd') return before == 0 || before > value ? value : T(before - 1);
        if constexpr (std::is_integral<T>::value) {
            if constexpr (what == '|') return before | value;
            if constexpr (what == '&') return before & value;
            if constexpr (what == '^') return before ^ value;
        }
        if constexpr (what == '-') return before - value;
        return before + value;
    }
};
#define CAMBER_ATOMIC(name, what)                                                          \
    template <class T>                                                                     \
    CAMBER_WORD T name(T* cell, std::remove_cv_t<T> value) {                               \
        return camber_update(cell, camber_change<T, what>{value, value}, CAMBER_HERE);     \
    }                                                                                      \
    template <class T>                                                                     \
    CAMBER_WORD T name##_block(T* cell, std::remove_cv_t<T> value) {                       \
        return camber_update(cell, camber_change<T, what>{value, value}, CAMBER_HERE);     \
    }
CAMBER_ATOMIC(atomicAdd, '+')
CAMBER_ATOMIC(atomicSub, '-')
CAMBER_ATOMIC(atomicMin, 'm')
CAMBER_ATOMIC(atomicMax, 'M')
CAMBER_ATOMIC(atomicExch, 'x')
CAMBER_ATOMIC(atomicInc, 'i')
CAMBER_ATOMIC(atomicDec, 'd')
CAMBER_ATOMIC(atomicOr, '|')
CAMBER_ATOMIC(atomicAnd, '&')
CAMBER_ATOMIC(atomicXor, '^')
template <class T>
CAMBER_WORD T atomicCAS(T* cell, std::remove_cv_t<T> expected, std::remove_cv_t<T> value) {
    return camber_update(cell, camber_change<T, 'c'>{value, expected}, CAMBER_HERE);
}

typedef unsigned long long cudaTextureObject_t;
template <class T>
CAMBER_WORD T tex2D(cudaTextureObject_t texture, float x, float y) {
    T value;
    camber_host->fetch(texture, (long)floorf(y), (long)floorf(x), sizeof value, &value,
                       CAMBER_HERE);
    return value;
}
template <class T>
CAMBER_WORD T tex1Dfetch(cudaTextureObject_t texture, int index) {
    T value;
    camber_host->fetch(texture, -1, index, sizeof value, &value, CAMBER_HERE);
    return value;
}

CAMBER_WORD void* camber_copy(void* to, const void* from, size_t bytes) {
    camber_host->range(from, bytes, 0, CAMBER_HERE);
    camber_host->range(to, bytes, 1, CAMBER_HERE);
    return memmove(to, from, bytes);
}
CAMBER_WORD void* camber_set(void* to, int value, size_t bytes) {
    camber_host->range(to, bytes, 1, CAMBER_HERE);
    return memset(to, value, bytes);
}
#define memcpy camber_copy
#define memmove camber_copy
#define memset camber_set

// ---- arithmetic

#define CAMBER_MIN_MAX(T)                                       \
    CAMBER_WORD T min(T a, T b) { return b < a ? b : a; }       \
    CAMBER_WORD T max(T a, T b) { return a < b ? b : a; }
CAMBER_MIN_MAX(int)
CAMBER_MIN_MAX(unsigned)
CAMBER_MIN_MAX(long)
CAMBER_MIN_MAX(unsigned long)
CAMBER_MIN_MAX(long long)
CAMBER_MIN_MAX(unsigned long long)
#define CAMBER_REAL_MIN_MAX(A, B, T, suffix)                             \
    CAMBER_WORD T min(A a, B b) { return fmin##suffix((T)a, (T)b); }     \
    CAMBER_WORD T max(A a, B b) { return fmax##suffix((T)a, (T)b); }
CAMBER_REAL_MIN_MAX(float, float, float, f)
CAMBER_REAL_MIN_MAX(double, double, double, )
CAMBER_REAL_MIN_MAX(float, double, double, )
CAMBER_REAL_MIN_MAX(double, float, double, )
CAMBER_WORD unsigned min(int a, unsigned b) {
    return min((unsigned)a, b);
}
CAMBER_WORD unsigned min(unsigned a, int b) {
    return min(a, (unsigned)b);
}
CAMBER_WORD unsigned max(int a, unsigned b) {
    return max((unsigned)a, b);
}
CAMBER_WORD unsigned max(unsigned a, int b) {
    return max(a, (unsigned)b);
}

CAMBER_WORD float rsqrtf(float x) { return 1.0f / sqrtf(x); }
CAMBER_WORD double rsqrt(double x) { return 1.0 / sqrt(x); }
CAMBER_WORD float rcbrtf(float x) { return 1.0f / cbrtf(x); }
CAMBER_WORD float __fadd_rn(float a, float b) { return a + b; }
CAMBER_WORD float __fsub_rn(float a, float b) { return a - b; }
CAMBER_WORD float __fmul_rn(float a, float b) { return a * b; }
CAMBER_WORD float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
CAMBER_WORD float __fdiv_rn(float a, float b) { return a / b; }
CAMBER_WORD float __fdividef(float a, float b) { return a / b; }
CAMBER_WORD float __frcp_rn(float x) { return 1.0f / x; }
CAMBER_WORD float __fsqrt_rn(float x) { return sqrtf(x); }
CAMBER_WORD float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
CAMBER_WORD double __dadd_rn(double a, double b) { return a + b; }
CAMBER_WORD double __dmul_rn(double a, double b) { return a * b; }
CAMBER_WORD double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
// The C library has functions of these names already.
#define __expf expf
#define __logf logf
#define __powf powf
#define __sinf sinf
#define __cosf cosf
CAMBER_WORD float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
CAMBER_WORD int __mul24(int a, int b) { return a * b; }
CAMBER_WORD unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
CAMBER_WORD int __popc(unsigned x) { return __builtin_popcount(x); }
CAMBER_WORD int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CAMBER_WORD int __ffs(int x) { return __builtin_ffs(x); }
CAMBER_WORD int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
CAMBER_WORD unsigned __brev(unsigned x) {
    unsigned y = 0;
    for (int i = 0; i < 32; ++i) y |= (x >> i & 1u) << (31 - i);
    return y;
}
template <class To, class From>
CAMBER_WORD To camber_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
CAMBER_WORD int __float_as_int(float x) { return camber_bits<int>(x); }
CAMBER_WORD unsigned __float_as_uint(float x) { return camber_bits<unsigned>(x); }
CAMBER_WORD float __int_as_float(int x) { return camber_bits<float>(x); }
CAMBER_WORD float __uint_as_float(unsigned x) { return camber_bits<float>(x); }
CAMBER_WORD long long __double_as_longlong(double x) { return camber_bits<long long>(x); }
CAMBER_WORD double __longlong_as_double(long long x) { return camber_bits<double>(x); }
CAMBER_WORD float __int2float_rn(int x) { return (float)x; }
CAMBER_WORD float __uint2float_rn(unsigned x) { return (float)x; }
CAMBER_WORD int __float2int_rz(float x) { return (int)x; }
CAMBER_WORD int __float2int_rd(float x) { return (int)floorf(x); }
CAMBER_WORD int __float2int_rn(float x) { return (int)rintf(x); }
