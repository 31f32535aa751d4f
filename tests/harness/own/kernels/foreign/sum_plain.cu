// The sum of a cell and its left neighbor in a tile of 16 x 16.
// camber: sum(in.a, out.b, columns) block=16x16 overhang=no
__global__ void sum(const float* a, float* b, int n) {
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    b[y * n + x] = a[y * n + x] + (threadIdx.x > 0 ? a[y * n + x - 1] : 0.0f);
}
