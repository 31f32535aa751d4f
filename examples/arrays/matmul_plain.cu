// One thread for each element of the product.
// camber: matmul(in.a, in.b, out.c, shape.a[0], shape.b[1], shape.a[1]) block=16x16 grid=(shape.b[1]/16)x(shape.a[0]/16)
// camber: shape a=64x96 b=96x128 c=(shape.a[0])x(shape.b[1])
#include <cuda_fp16.h>

__global__ void matmul(const __half* a, const __half* b, float* c, int m, int n, int k) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += __half2float(a[row * k + i]) * __half2float(b[i * n + column]);
    c[row * n + column] = sum;
}
