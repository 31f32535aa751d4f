// camber: exercise 5
// camber: mean(in, out, columns, rows, pitch) block=32x8 region=32x32 halo=2 align=128 overhang=yes
// The block stages 36x36 cells, its own and a halo of 2, and reads neighbors from the tile.
constexpr int side = 32;
constexpr int wide = side + 4;

__global__ void mean(const float* in, float* out, int columns, int rows, int pitch) {
    __shared__ float tile[wide * wide];
    const int first_column = blockIdx.x * side - 2;
    const int first_row = blockIdx.y * side - 2;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = thread; i < wide * wide; i += blockDim.x * blockDim.y) {
        const int column = first_column + i % wide;
        const int row = first_row + i / wide;
        if (column < columns + 2 && row < rows + 2) tile[i] = in[row * pitch + column];
    }
    __syncthreads();
    const int column = blockIdx.x * side + threadIdx.x;
    if (column >= columns) return;
    for (int y = threadIdx.y; y < side; y += blockDim.y) {
        const int row = blockIdx.y * side + y;
        if (row >= rows) return;
        float sum = 0.0f;
        for (int dy = 0; dy < 5; ++dy)
            for (int dx = 0; dx < 5; ++dx) sum += tile[(y + dy) * wide + threadIdx.x + dx];
        out[row * pitch + column] = sum / 25.0f;
    }
}
