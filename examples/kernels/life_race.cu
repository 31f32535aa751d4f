// The Game of Life on tiles in shared memory, with a fault: threads read the tile before all of it is
// there.
// camber: step(in, out, columns, rows, pitch) block=16x16 overhang=yes halo=1 align=128
__global__ void step(const unsigned* in, unsigned* out, int columns, int rows, int pitch) {
    __shared__ unsigned tile[18][18];
    const int first_column = blockIdx.x * 16 - 1;
    const int first_row = blockIdx.y * 16 - 1;
    for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
        const int r = first_row + k / 18;
        const int c = first_column + k % 18;
        tile[k / 18][k % 18] = r <= rows && c <= columns ? in[r * pitch + c] : 0;
    }
    // __syncthreads() belongs here.
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    if (column >= columns || row >= rows) return;
    unsigned neighbours = 0;
    for (int dy = 0; dy <= 2; ++dy)
        for (int dx = 0; dx <= 2; ++dx)
            if (dx != 1 || dy != 1) neighbours += tile[threadIdx.y + dy][threadIdx.x + dx];
    const unsigned self = tile[threadIdx.y + 1][threadIdx.x + 1];
    out[row * pitch + column] = neighbours == 3 || (neighbours == 2 && self);
}
