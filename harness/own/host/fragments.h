// mma.h for kernels compiled by the C++ compiler: tensor-core fragments of 16x16x16 products as
// loops. Every lane keeps whole input tiles and computes its own 8 numbers of the accumulator. The
// recorded accesses are those of the lanes' own elements (PTX ISA, "Matrix Fragments for
// mma.m16n8k16").
#ifndef CAMBER_FRAGMENTS
#define CAMBER_FRAGMENTS
#include <cuda_fp16.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

// By reference, because copies of 16-bit numbers are recorded.
CAMBER_WORD double camber_number(const float& x) { return x; }
CAMBER_WORD double camber_number(const __half& x) { return camber_short_value(x.camber_bits, 10); }
CAMBER_WORD double camber_number(const __nv_bfloat16& x) {
    return camber_short_value(x.camber_bits, 7);
}
template <class T>
CAMBER_WORD void camber_move(T* to, const T* from) {
    __builtin_memcpy((void*)to, from, sizeof(T));
}

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
    static_assert(m == 16 && n == 16 && k == 16,
                  "camber's executor knows wmma fragments of 16x16x16 only");
    T camber_tile[16][16];  // by row and column
};
template <int m, int n, int k, class T>
struct fragment<accumulator, m, n, k, T, void> {
    static_assert(m == 16 && n == 16 && k == 16,
                  "camber's executor knows wmma fragments of 16x16x16 only");
    static constexpr int num_elements = 8;
    T x[8];
};

// Row and column of a lane's element: pairs of columns, then rows 8 apart, then columns 8 apart.
CAMBER_WORD int camber_row(int lane, int i) { return lane / 4 + (i / 2 % 2) * 8; }
CAMBER_WORD int camber_column(int lane, int i) { return lane % 4 * 2 + i % 2 + i / 4 * 8; }

template <int m, int n, int k, class T>
CAMBER_WORD void fill_fragment(fragment<accumulator, m, n, k, T>& to, std::common_type_t<T> value) {
    for (int i = 0; i < 8; ++i) to.x[i] = value;
}
template <class Use, int m, int n, int k, class T, class Layout>
CAMBER_WORD void fill_fragment(fragment<Use, m, n, k, T, Layout>& to, std::common_type_t<T> value) {
    for (int r = 0; r < 16; ++r)
        for (int c = 0; c < 16; ++c) to.camber_tile[r][c] = value;
}

// Records the accesses of the lane's own elements: pairs of adjacent numbers in one instruction.
template <class T>
CAMBER_WORD void camber_touch_tile(const T* tile, unsigned stride, bool across, int operation,
                                   void* pc) {
    const int lane = camber_host->lane();
    for (int i = 0; i < 8; i += across ? 1 : 2) {
        const int r = camber_row(lane, i), c = camber_column(lane, i);
        const T* const at = across ? tile + c * stride + r : tile + r * stride + c;
        camber_host->piece(at, (across ? 1 : 2) * sizeof(T), operation, pc, (unsigned)i);
    }
}

template <class Use, int m, int n, int k, class T, class Layout>
CAMBER_WORD void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& to, const T* from,
                                  unsigned stride) {
    camber_host->exchange(0, 0xffffffffu, 0, 0, CAMBER_HERE);
    constexpr bool by_columns = std::is_same<Layout, col_major>::value;
    // Pairs of adjacent numbers in either layout: on an H200 (nvcc 13.0) a lane loads 32 bits at a
    // time, and the warp transposes the tile in registers if necessary.
    camber_touch_tile(from, stride, false, 0, CAMBER_HERE);
    for (int r = 0; r < 16; ++r)
        for (int c = 0; c < 16; ++c)
            camber_move(&to.camber_tile[r][c],
                        by_columns ? from + c * stride + r : from + r * stride + c);
}
template <int m, int n, int k, class T>
CAMBER_WORD void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from,
                                  unsigned stride, layout_t layout) {
    camber_host->exchange(0, 0xffffffffu, 0, 0, CAMBER_HERE);
    const bool across = layout == mem_col_major;
    camber_touch_tile(from, stride, across, 0, CAMBER_HERE);
    const int lane = camber_host->lane();
    for (int i = 0; i < 8; ++i) {
        const int r = camber_row(lane, i), c = camber_column(lane, i);
        camber_move(&to.x[i], across ? from + c * stride + r : from + r * stride + c);
    }
}
template <int m, int n, int k, class T>
CAMBER_WORD void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from,
                                   unsigned stride, layout_t layout) {
    camber_host->exchange(0, 0xffffffffu, 0, 0, CAMBER_HERE);
    const bool across = layout == mem_col_major;
    camber_touch_tile(to, stride, across, 1, CAMBER_HERE);
    const int lane = camber_host->lane();
    for (int i = 0; i < 8; ++i) {
        const int r = camber_row(lane, i), c = camber_column(lane, i);
        camber_move(across ? to + c * stride + r : to + r * stride + c, &from.x[i]);
    }
}
// Products are exact in double; the sum is rounded once, a GPU rounds it differently.
template <int m, int n, int k, class D, class A, class LayoutA, class B, class LayoutB, class C>
CAMBER_WORD void mma_sync(fragment<accumulator, m, n, k, D>& d,
                          const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                          const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                          const fragment<accumulator, m, n, k, C>& c) {
    camber_host->exchange(0, 0xffffffffu, 0, 0, CAMBER_HERE);
    const int lane = camber_host->lane();
    for (int i = 0; i < 8; ++i) {
        const int row = camber_row(lane, i), column = camber_column(lane, i);
        double sum = camber_number(c.x[i]);
        for (int s = 0; s < 16; ++s)
            sum += camber_number(a.camber_tile[row][s]) * camber_number(b.camber_tile[s][column]);
        d.x[i] = (D)(float)sum;
    }
}

}  // namespace wmma
}  // namespace nvcuda

#endif
