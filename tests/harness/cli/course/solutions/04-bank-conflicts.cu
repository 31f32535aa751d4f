// camber: exercise 4
// camber: transpose(in, out, columns, rows, pitch) block=32x8 region=32x32 align=128 overhang=yes
// A padded row of 33 elements puts the elements of a column into different banks.
constexpr int side = 32;

__global__ void transpose(const float* in, float* out, int columns, int rows, int pitch) {
    __shared__ float tile[side][side + 1];
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
