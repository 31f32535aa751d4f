// camber: exercise 4
// camber: reference reference.cu
// camber: transpose(in, out, columns, rows, pitch) block=32x8 region=32x32 align=128 overhang=yes

// Each block transposes 32x32 cells through shared memory, so that global loads and stores run
// along rows.
constexpr int side = 32;

__global__ void transpose(const float* in, float* out, int columns, int rows, int pitch) {
    __shared__ float tile[side][side];
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < side; y += blockDim.y) {
        // The tile of the input is the mirror image of the tile of the output.
        const int column = blockIdx.y * side + x;
        const int row = blockIdx.x * side + y;
        if (column < columns && row < rows) tile[y][x] = in[row * pitch + column];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < side; y += blockDim.y) {
        const int column = blockIdx.x * side + x;
        const int row = blockIdx.y * side + y;
        if (column < columns && row < rows) out[row * pitch + column] = tile[x][y];
    }
}
