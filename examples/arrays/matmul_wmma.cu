// A warp for each 16x16 tile of the product, on tensor cores.
// camber: matmul(in.a, in.b, out.c, shape.a[0], shape.b[1], shape.a[1]) block=32x4 grid=(shape.b[1]/16)x(shape.a[0]/64)
// camber: reference matmul_plain.cu
#include <mma.h>
using namespace nvcuda;

__global__ void matmul(const __half* a, const __half* b, float* c, int m, int n, int k) {
    const int column = blockIdx.x * 16;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(left, a + row * k + i, k);
        wmma::load_matrix_sync(right, b + i * n + column, n);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
