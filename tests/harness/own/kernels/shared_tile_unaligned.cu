// life/shared_tile/16x16/unaligned, written without a word of camber's. The block stages its cells and
// a ring around them; edge threads load the ring.
// camber: step(in, out, columns, rows, pitch) block=16x16 halo=1
__global__ void step(const unsigned* in, unsigned* out, int columns, int rows, int pitch) {
    __shared__ unsigned tile[18][18];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = blockIdx.x * 16 + tx;
    const int y = blockIdx.y * 16 + ty;
    // Tiles may extend past the halo; cells there are not used.
    auto load = [&](int r, int c) {
        const int row = int(blockIdx.y) * 16 - 1 + r;
        const int column = int(blockIdx.x) * 16 - 1 + c;
        return row <= rows && column <= columns ? in[row * pitch + column] : 0u;
    };
    tile[ty + 1][tx + 1] = load(ty + 1, tx + 1);
    if (tx == 0) {
        tile[ty + 1][0] = load(ty + 1, 0);
        tile[ty + 1][17] = load(ty + 1, 17);
    }
    if (ty == 0) {
        tile[0][tx + 1] = load(0, tx + 1);
        tile[17][tx + 1] = load(17, tx + 1);
    }
    if (tx == 0 && ty == 1) {
        tile[0][0] = load(0, 0);
        tile[0][17] = load(0, 17);
        tile[17][0] = load(17, 0);
        tile[17][17] = load(17, 17);
    }
    __syncthreads();
    if (x >= columns || y >= rows) return;
    unsigned sum = 0;
#pragma unroll
    for (int dy = 0; dy <= 2; ++dy)
#pragma unroll
        for (int dx = 0; dx <= 2; ++dx)
            if (dx != 1 || dy != 1) sum += tile[ty + dy][tx + dx];
    const unsigned self = tile[ty + 1][tx + 1];
    out[y * pitch + x] = (sum == 3) | ((sum == 2) & self);
}
