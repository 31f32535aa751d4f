// The same from a tile in shared memory: each pixel of a block and its border is loaded once.
// camber: sharpen(in.image, out.sharp, columns, rows, pitch.image, 0.5) block=32x8 overhang=yes halo=1 align=128
__global__ void sharpen(const float* image, float* sharp, int columns, int rows, int pitch,
                        float strength) {
    __shared__ float tile[10][34];
    const int first_column = blockIdx.x * 32 - 1;
    const int first_row = blockIdx.y * 8 - 1;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 10 * 34; k += 256) {
        const int row = first_row + k / 34;
        const int column = first_column + k % 34;
        tile[k / 34][k % 34] = row <= rows && column <= columns ? image[row * pitch + column] : 0;
    }
    __syncthreads();
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const int x = threadIdx.x + 1;
    const int y = threadIdx.y + 1;
    const float around = tile[y - 1][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y + 1][x];
    sharp[row * pitch + column] = tile[y][x] + strength * (4 * tile[y][x] - around);
}
