// camber: exercise 6
// camber: running_sum(in, out, columns, rows, pitch) block=64x4 align=128 overhang=yes
// A barrier separates the reads of a step from its writes.
constexpr int segment = 64;

__global__ void running_sum(const int* in, int* out, int columns, int rows, int pitch) {
    __shared__ int sums[4][segment];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int column = blockIdx.x * segment + x;
    const int row = blockIdx.y * blockDim.y + y;
    const bool inside = column < columns && row < rows;
    sums[y][x] = inside ? in[row * pitch + column] : 0;
    for (int distance = 1; distance < segment; distance *= 2) {
        __syncthreads();
        const int left = x >= distance ? sums[y][x - distance] : 0;
        __syncthreads();
        sums[y][x] += left;
    }
    if (inside) out[row * pitch + column] = sums[y][x];
}
