// life/two_element/64x4/align128: a tile twice as wide as the block, two cells a thread, in dynamic
// shared memory of no stated length.
// camber: two_cells<64, 4>(in, out, columns, rows, pitch) block=64x4 cells=2x1 halo=1 align=128 shared=3120
template <int BX, int BY>
__global__ void two_cells(const unsigned* in, unsigned* out, int columns, int rows, int pitch) {
    extern __shared__ unsigned tile[];
    constexpr int width = 2 * BX + 2;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * 2 * BX;
    auto load = [&](int r, int c) {
        const int row = first_row - 1 + r;
        const int column = first_column - 1 + c;
        tile[r * width + c] = row <= rows && column <= columns ? in[row * pitch + column] : 0u;
    };
#pragma unroll
    for (int e = 0; e < 2; ++e) load(ty + 1, tx + 1 + e * BX);
    if (tx == 0) {
        load(ty + 1, 0);
        load(ty + 1, width - 1);
    }
    if (ty == 0)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            load(0, tx + 1 + e * BX);
            load(BY + 1, tx + 1 + e * BX);
        }
    if (tx == 0 && ty == 1) {
        load(0, 0);
        load(0, width - 1);
        load(BY + 1, 0);
        load(BY + 1, width - 1);
    }
    __syncthreads();
    const int y = first_row + ty;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
        const int x = first_column + tx + e * BX;
        if (x >= columns || y >= rows) continue;
        const unsigned* around = &tile[ty * width + tx + e * BX];
        unsigned sum = 0;
        for (int dy = 0; dy <= 2; ++dy)
            for (int dx = 0; dx <= 2; ++dx)
                if (dx != 1 || dy != 1) sum += around[dy * width + dx];
        out[y * pitch + x] = (sum == 3) | ((sum == 2) & around[width + 1]);
    }
}
