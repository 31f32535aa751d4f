// Two kernels; the second one has inline PTX and does not even compile.
// camber: reference copy_plain.cu
// camber: copy(in.a, out.b, columns, rows) block=32x8 overhang=yes
#include <cuda_fp16.h>

__device__ float doubled(float x) { return undeclared_function(x); }
__device__ float same(float x) { return x; }

__global__ void copy(const float* a, float* b, int columns, int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) b[y * columns + x] = same(a[y * columns + x]);
}

__global__ void broken(const float* a, float* b) {
    asm volatile("bar.sync 0;");
    b[0] = doubled(a[0]) + nothing;
}
