// cuda_fp16.h and cuda_bf16.h for kernels compiled by the C++ compiler: 16-bit floating-point
// numbers in software. Every operation computes in double and rounds once, to nearest even. Written
// as the text of both headers.
#ifndef CAMBER_HALF
#define CAMBER_HALF

CAMBER_WORD unsigned short camber_short_float(double value, int fraction) {
    const unsigned infinity = 0x7fffu >> fraction << fraction;
    const unsigned sign = __builtin_signbit(value) ? 0x8000u : 0u;
    if (value != value) return (unsigned short)0x7fffu;
    if (__builtin_isinf(value)) return (unsigned short)(sign | infinity);
    if (value == 0) return (unsigned short)sign;
    const int least = 2 - (1 << (14 - fraction));  // exponent of the smallest normal number
    int exponent = ilogb(value);
    if (exponent < least) exponent = least;
    const double steps = nearbyint(ldexp(fabs(value), fraction - exponent));
    const double bits = ldexp((double)(exponent - least), fraction) + steps;
    return (unsigned short)(sign | (bits >= infinity ? infinity : (unsigned)bits));
}
CAMBER_WORD double camber_short_value(unsigned short bits, int fraction) {
    const int most = (1 << (15 - fraction)) - 1, field = bits >> fraction & most;
    const int rest = bits & ((1 << fraction) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (field == most) return rest == 0 ? sign * HUGE_VAL : (double)NAN;
    const int exponent = (field > 0 ? field : 1) + 1 - (1 << (14 - fraction));
    return sign * ldexp((double)(rest + (field > 0 ? 1 << fraction : 0)), exponent - fraction);
}
// Sum rounded to odd, so that a second rounding to fewer digits is correct.
CAMBER_WORD double camber_odd_sum(double a, double b) {
    double sum = a + b;
    const double part = sum - a, error = (a - (sum - part)) + (b - part);
    if (error == 0 || error != error || __builtin_isinf(sum)) return sum;
    unsigned long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if ((bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : -1;
    __builtin_memcpy(&sum, &bits, sizeof bits);
    return sum;
}

// A change in place reads and writes its target.
#define CAMBER_SHORT_CHANGE(Name, sign)                  \
    CAMBER_WORD Name& operator sign##=(Name& a, Name b) { \
        camber_touch(&a, sizeof a, 0, CAMBER_HERE);      \
        camber_touch(&a, sizeof a, 1, CAMBER_HERE);      \
        Name old;                                        \
        __builtin_memcpy((void*)&old, &a, sizeof a);     \
        const Name next = old sign b;                    \
        __builtin_memcpy((void*)&a, &next, sizeof a);    \
        return a;                                        \
    }

// A type, its vector of two, and the functions that have the same name for both types. `digits`:
// bits of the fraction.
#define CAMBER_SHORT_FLOAT(Name, Name2, digits)                                                   \
    struct Name {                                                                                 \
        unsigned short camber_bits;                                                               \
        CAMBER_VECTOR_COPIES(Name)                                                                \
        CAMBER_PART Name(float x) : camber_bits(camber_short_float(x, digits)) {}                 \
        CAMBER_PART Name(double x) : camber_bits(camber_short_float(x, digits)) {}                \
        CAMBER_PART Name(int x) : camber_bits(camber_short_float(x, digits)) {}                   \
        CAMBER_PART Name(unsigned x) : camber_bits(camber_short_float(x, digits)) {}              \
        CAMBER_PART Name(short x) : camber_bits(camber_short_float(x, digits)) {}                 \
        CAMBER_PART Name(unsigned short x) : camber_bits(camber_short_float(x, digits)) {}        \
        CAMBER_PART Name(long x) : camber_bits(camber_short_float((double)x, digits)) {}          \
        CAMBER_PART Name(long long x) : camber_bits(camber_short_float((double)x, digits)) {}     \
        CAMBER_PART operator float() const {                                                      \
            camber_touch(this, 2, 0, CAMBER_HERE);                                                \
            return (float)camber_short_value(camber_bits, digits);                                \
        }                                                                                         \
    };                                                                                            \
    CAMBER_WORD double camber_double(Name x) { return camber_short_value(x.camber_bits, digits); }\
    CAMBER_WORD Name camber_bits_as(unsigned short bits, Name*) {                                 \
        Name x;                                                                                   \
        x.camber_bits = bits;                                                                     \
        return x;                                                                                 \
    }                                                                                             \
    CAMBER_WORD Name operator+(Name a, Name b) { return camber_double(a) + camber_double(b); }    \
    CAMBER_WORD Name operator-(Name a, Name b) { return camber_double(a) - camber_double(b); }    \
    CAMBER_WORD Name operator*(Name a, Name b) { return camber_double(a) * camber_double(b); }    \
    CAMBER_WORD Name operator/(Name a, Name b) { return camber_double(a) / camber_double(b); }    \
    CAMBER_WORD Name operator-(Name a) { return -camber_double(a); }                              \
    CAMBER_WORD bool operator==(Name a, Name b) { return camber_double(a) == camber_double(b); }  \
    CAMBER_WORD bool operator!=(Name a, Name b) { return camber_double(a) != camber_double(b); }  \
    CAMBER_WORD bool operator<(Name a, Name b) { return camber_double(a) < camber_double(b); }    \
    CAMBER_WORD bool operator>(Name a, Name b) { return camber_double(a) > camber_double(b); }    \
    CAMBER_WORD bool operator<=(Name a, Name b) { return camber_double(a) <= camber_double(b); }  \
    CAMBER_WORD bool operator>=(Name a, Name b) { return camber_double(a) >= camber_double(b); }  \
    CAMBER_SHORT_CHANGE(Name, +)                                                                  \
    CAMBER_SHORT_CHANGE(Name, -)                                                                  \
    CAMBER_SHORT_CHANGE(Name, *)                                                                  \
    CAMBER_SHORT_CHANGE(Name, /)                                                                  \
    CAMBER_WORD Name __hadd(Name a, Name b) { return a + b; }                                     \
    CAMBER_WORD Name __hsub(Name a, Name b) { return a - b; }                                     \
    CAMBER_WORD Name __hmul(Name a, Name b) { return a * b; }                                     \
    CAMBER_WORD Name __hdiv(Name a, Name b) { return a / b; }                                     \
    CAMBER_WORD Name __hadd_rn(Name a, Name b) { return a + b; }                                  \
    CAMBER_WORD Name __hsub_rn(Name a, Name b) { return a - b; }                                  \
    CAMBER_WORD Name __hmul_rn(Name a, Name b) { return a * b; }                                  \
    CAMBER_WORD Name __hneg(Name a) { return -a; }                                                \
    CAMBER_WORD Name __habs(Name a) { return fabs(camber_double(a)); }                            \
    CAMBER_WORD Name __hfma(Name a, Name b, Name c) {                                             \
        return camber_odd_sum(camber_double(a) * camber_double(b), camber_double(c));             \
    }                                                                                             \
    CAMBER_WORD Name __hmin(Name a, Name b) { return fmin(camber_double(a), camber_double(b)); }  \
    CAMBER_WORD Name __hmax(Name a, Name b) { return fmax(camber_double(a), camber_double(b)); }  \
    CAMBER_WORD bool __heq(Name a, Name b) { return a == b; }                                     \
    CAMBER_WORD bool __hne(Name a, Name b) { return a != b; }                                     \
    CAMBER_WORD bool __hlt(Name a, Name b) { return a < b; }                                      \
    CAMBER_WORD bool __hle(Name a, Name b) { return a <= b; }                                     \
    CAMBER_WORD bool __hgt(Name a, Name b) { return a > b; }                                      \
    CAMBER_WORD bool __hge(Name a, Name b) { return a >= b; }                                     \
    CAMBER_WORD bool __hisnan(Name a) { return camber_double(a) != camber_double(a); }            \
    CAMBER_WORD int __hisinf(Name a) { return __builtin_isinf_sign(camber_double(a)); }           \
    CAMBER_WORD Name hexp(Name a) { return exp(camber_double(a)); }                               \
    CAMBER_WORD Name hexp2(Name a) { return exp2(camber_double(a)); }                             \
    CAMBER_WORD Name hlog(Name a) { return log(camber_double(a)); }                               \
    CAMBER_WORD Name hlog2(Name a) { return log2(camber_double(a)); }                             \
    CAMBER_WORD Name hsqrt(Name a) { return sqrt(camber_double(a)); }                             \
    CAMBER_WORD Name hrsqrt(Name a) { return 1 / sqrt(camber_double(a)); }                        \
    CAMBER_WORD Name hrcp(Name a) { return 1 / camber_double(a); }                                \
    CAMBER_WORD Name hsin(Name a) { return sin(camber_double(a)); }                               \
    CAMBER_WORD Name hcos(Name a) { return cos(camber_double(a)); }                               \
    CAMBER_WORD Name hfloor(Name a) { return floor(camber_double(a)); }                           \
    CAMBER_WORD Name hceil(Name a) { return ceil(camber_double(a)); }                             \
    CAMBER_WORD Name htrunc(Name a) { return trunc(camber_double(a)); }                           \
    CAMBER_WORD Name hrint(Name a) { return nearbyint(camber_double(a)); }                        \
    struct alignas(4) Name2 {                                                                     \
        Name x, y;                                                                                \
        CAMBER_VECTOR_COPIES(Name2)                                                               \
        CAMBER_PART Name2(Name x, Name y) : x(x), y(y) {}                                         \
    };                                                                                            \
    CAMBER_WORD Name2 operator+(Name2 a, Name2 b) { return {a.x + b.x, a.y + b.y}; }              \
    CAMBER_WORD Name2 operator-(Name2 a, Name2 b) { return {a.x - b.x, a.y - b.y}; }              \
    CAMBER_WORD Name2 operator*(Name2 a, Name2 b) { return {a.x * b.x, a.y * b.y}; }              \
    CAMBER_WORD Name2 operator/(Name2 a, Name2 b) { return {a.x / b.x, a.y / b.y}; }              \
    CAMBER_WORD Name2 operator-(Name2 a) { return {-a.x, -a.y}; }                                 \
    CAMBER_SHORT_CHANGE(Name2, +)                                                                 \
    CAMBER_SHORT_CHANGE(Name2, -)                                                                 \
    CAMBER_SHORT_CHANGE(Name2, *)                                                                 \
    CAMBER_WORD Name2 __hadd2(Name2 a, Name2 b) { return a + b; }                                 \
    CAMBER_WORD Name2 __hsub2(Name2 a, Name2 b) { return a - b; }                                 \
    CAMBER_WORD Name2 __hmul2(Name2 a, Name2 b) { return a * b; }                                 \
    CAMBER_WORD Name2 __h2div(Name2 a, Name2 b) { return a / b; }                                 \
    CAMBER_WORD Name2 __hneg2(Name2 a) { return -a; }                                             \
    CAMBER_WORD Name2 __habs2(Name2 a) { return {__habs(a.x), __habs(a.y)}; }                     \
    CAMBER_WORD Name2 __hfma2(Name2 a, Name2 b, Name2 c) {                                        \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                    \
    }                                                                                             \
    CAMBER_WORD Name2 __hmin2(Name2 a, Name2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }  \
    CAMBER_WORD Name2 __hmax2(Name2 a, Name2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }  \
    CAMBER_WORD Name2 h2exp(Name2 a) { return {hexp(a.x), hexp(a.y)}; }                           \
    CAMBER_WORD Name2 h2sqrt(Name2 a) { return {hsqrt(a.x), hsqrt(a.y)}; }                        \
    CAMBER_WORD Name2 h2rcp(Name2 a) { return {hrcp(a.x), hrcp(a.y)}; }                           \
    CAMBER_WORD bool __hbeq2(Name2 a, Name2 b) { return a.x == b.x && a.y == b.y; }

// Atomic additions of one number or of a vector, by the bits.
#define CAMBER_SHORT_ATOMIC(Name, Bits)                                                 \
    CAMBER_WORD Name atomicAdd(Name* cell, Name value) {                                \
        camber_touch(cell, sizeof(Name), 2, CAMBER_HERE);                               \
        Bits before, after;                                                             \
        Name old;                                                                       \
        __atomic_load((Bits*)cell, &before, __ATOMIC_RELAXED);                          \
        do {                                                                            \
            __builtin_memcpy((void*)&old, &before, sizeof old);                         \
            const Name next = old + value;                                              \
            __builtin_memcpy(&after, &next, sizeof after);                              \
        } while (!__atomic_compare_exchange((Bits*)cell, &before, &after, 0,            \
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED));       \
        return old;                                                                     \
    }

CAMBER_SHORT_FLOAT(__half, __half2, 10)
CAMBER_SHORT_FLOAT(__nv_bfloat16, __nv_bfloat162, 7)
CAMBER_SHORT_ATOMIC(__half, unsigned short)
CAMBER_SHORT_ATOMIC(__half2, unsigned)
CAMBER_SHORT_ATOMIC(__nv_bfloat16, unsigned short)
CAMBER_SHORT_ATOMIC(__nv_bfloat162, unsigned)
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Conversions, whose names differ between the two types.
#define CAMBER_SHORT_CONVERSIONS(Name, Name2, name, low, high, pair)                              \
    CAMBER_WORD Name __float2##name(float x) { return x; }                                        \
    CAMBER_WORD Name __float2##name##_rn(float x) { return x; }                                   \
    CAMBER_WORD Name __double2##name(double x) { return x; }                                      \
    CAMBER_WORD Name __int2##name##_rn(int x) { return x; }                                       \
    CAMBER_WORD Name __uint2##name##_rn(unsigned x) { return x; }                                 \
    CAMBER_WORD Name __short2##name##_rn(short x) { return x; }                                   \
    CAMBER_WORD Name __ushort2##name##_rn(unsigned short x) { return x; }                         \
    CAMBER_WORD float __##name##2float(Name x) { return (float)camber_double(x); }                \
    CAMBER_WORD int __##name##2int_rn(Name x) { return (int)nearbyint(camber_double(x)); }        \
    CAMBER_WORD int __##name##2int_rz(Name x) { return (int)camber_double(x); }                   \
    CAMBER_WORD unsigned __##name##2uint_rn(Name x) {                                             \
        return (unsigned)nearbyint(camber_double(x));                                             \
    }                                                                                             \
    CAMBER_WORD unsigned __##name##2uint_rz(Name x) { return (unsigned)camber_double(x); }        \
    CAMBER_WORD unsigned short __##name##_as_ushort(Name x) { return x.camber_bits; }             \
    CAMBER_WORD short __##name##_as_short(Name x) { return (short)x.camber_bits; }                \
    CAMBER_WORD Name __ushort_as_##name(unsigned short x) {                                       \
        return camber_bits_as(x, (Name*)0);                                                       \
    }                                                                                             \
    CAMBER_WORD Name __short_as_##name(short x) {                                                 \
        return camber_bits_as((unsigned short)x, (Name*)0);                                       \
    }                                                                                             \
    CAMBER_WORD Name2 __float2##pair##_rn(float x) { return {Name(x), Name(x)}; }                 \
    CAMBER_WORD Name2 __floats2##pair##_rn(float x, float y) { return {Name(x), Name(y)}; }       \
    CAMBER_WORD Name2 __##name##2##pair(Name x) { return {x, x}; }                                \
    CAMBER_WORD Name low(Name2 a) { return a.x; }                                                 \
    CAMBER_WORD Name high(Name2 a) { return a.y; }                                                \
    CAMBER_WORD float __low2float(Name2 a) { return (float)camber_double(a.x); }                  \
    CAMBER_WORD float __high2float(Name2 a) { return (float)camber_double(a.y); }                 \
    CAMBER_WORD Name2 __halves2##pair(Name x, Name y) { return {x, y}; }
CAMBER_SHORT_CONVERSIONS(__half, __half2, half, __low2half, __high2half, half2)
CAMBER_SHORT_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, __low2bfloat16, __high2bfloat16,
                         bfloat162)
CAMBER_WORD float2 __half22float2(__half2 a) {
    return {(float)camber_double(a.x), (float)camber_double(a.y)};
}
CAMBER_WORD float2 __bfloat1622float2(__nv_bfloat162 a) {
    return {(float)camber_double(a.x), (float)camber_double(a.y)};
}
CAMBER_WORD __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
CAMBER_WORD __nv_bfloat162 __float22bfloat162_rn(float2 a) {
    return {__nv_bfloat16(a.x), __nv_bfloat16(a.y)};
}
CAMBER_WORD __half2 make_half2(__half x, __half y) { return {x, y}; }
CAMBER_WORD __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
CAMBER_WORD __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }

#endif
