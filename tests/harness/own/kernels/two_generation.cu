// life/two_generation/16x16/align128: two generations a launch, from tile to tile.
// camber: step(in, out, columns, rows, pitch) block=16x16 halo=2 align=128 generations=2
template <int Width>
__device__ unsigned next(const unsigned (*tile)[Width], int r, int c) {
    const unsigned sum = tile[r - 1][c - 1] + tile[r - 1][c] + tile[r - 1][c + 1] +
                         tile[r][c - 1] + tile[r][c + 1] + tile[r + 1][c - 1] + tile[r + 1][c] +
                         tile[r + 1][c + 1];
    const unsigned self = tile[r][c];
    return (sum == 3) | ((sum == 2) & self);
}

template <int Ring, class F>
__device__ void each_cell(const F& f) {
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    f(ty + Ring, tx + Ring);
    if (tx == 0)
        for (int d = 0; d < Ring; ++d) {
            f(ty + Ring, d);
            f(ty + Ring, 16 + Ring + d);
        }
    if (ty == 0)
        for (int d = 0; d < Ring; ++d) {
            f(d, tx + Ring);
            f(16 + Ring + d, tx + Ring);
        }
    if (tx == 0 && ty == 1)
        for (int a = 0; a < Ring; ++a)
            for (int b = 0; b < Ring; ++b) {
                f(a, b);
                f(a, 16 + Ring + b);
                f(16 + Ring + a, b);
                f(16 + Ring + a, 16 + Ring + b);
            }
}

__global__ void step(const unsigned* in, unsigned* out, int columns, int rows, int pitch) {
    __shared__ unsigned even[20][20];
    __shared__ unsigned odd[18][18];
    const int first_row = blockIdx.y * 16;
    const int first_column = blockIdx.x * 16;
    each_cell<2>([&](int r, int c) {
        const int row = first_row - 2 + r;
        const int column = first_column - 2 + c;
        even[r][c] = row < rows + 2 && column < columns + 2 ? in[row * pitch + column] : 0u;
    });
    __syncthreads();
    each_cell<1>([&](int r, int c) {
        const unsigned value = next(even, r + 1, c + 1);
        const int row = first_row - 1 + r;
        const int column = first_column - 1 + c;
        const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
        odd[r][c] = inside ? value : 0u;
    });
    __syncthreads();
    const int x = first_column + threadIdx.x;
    const int y = first_row + threadIdx.y;
    if (x < columns && y < rows) out[y * pitch + x] = next(odd, threadIdx.y + 1, threadIdx.x + 1);
}
