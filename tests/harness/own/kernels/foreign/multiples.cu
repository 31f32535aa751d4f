// For boards of 32 x 8 blocks alone: there is no test for the edge.
// camber: reference copy_plain.cu
// camber: copy_rows(in.a, out.b, columns) block=32x8
__global__ void copy_rows(const float* a, float* b, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    b[y * n + x] = a[y * n + x];
}
