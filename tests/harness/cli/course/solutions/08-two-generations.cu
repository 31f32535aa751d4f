// camber: exercise 8
// camber: diffuse(in, out, columns, rows, pitch) block=32x8 region=32x32 halo=2 align=128 generations=2 overhang=yes
// The block stages 36x36 cells, computes the first generation of 34x34 cells and the second of its
// own 32x32. Cells beyond the board's edge remain 0 in between.
constexpr int side = 32;
constexpr int wide = side + 4;
constexpr int middle = side + 2;

__device__ float next(const float* cell, int pitch) {
    return 0.5f * cell[0] + 0.125f * (cell[-1] + cell[1] + cell[-pitch] + cell[pitch]);
}

__global__ void diffuse(const float* in, float* out, int columns, int rows, int pitch) {
    __shared__ float before[wide * wide];
    __shared__ float between[middle * middle];
    const int first_column = blockIdx.x * side;
    const int first_row = blockIdx.y * side;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;
    for (int i = thread; i < wide * wide; i += threads) {
        const int column = first_column - 2 + i % wide;
        const int row = first_row - 2 + i / wide;
        const bool exists = column < columns + 2 && row < rows + 2;
        before[i] = exists ? in[row * pitch + column] : 0.0f;
    }
    __syncthreads();
    for (int i = thread; i < middle * middle; i += threads) {
        const int x = i % middle;
        const int y = i / middle;
        const int column = first_column - 1 + x;
        const int row = first_row - 1 + y;
        const bool inside = column >= 0 && column < columns && row >= 0 && row < rows;
        between[i] = inside ? next(before + (y + 1) * wide + x + 1, wide) : 0.0f;
    }
    __syncthreads();
    const int column = first_column + threadIdx.x;
    if (column >= columns) return;
    for (int y = threadIdx.y; y < side; y += blockDim.y) {
        const int row = first_row + y;
        if (row >= rows) return;
        out[row * pitch + column] = next(between + (y + 1) * middle + threadIdx.x + 1, middle);
    }
}
