// camber: exercise 10
// camber: reference reference.cu
// camber: multiply(in.a, in.b, out.c, columns, pitch.a, pitch.b, pitch.c) block=32x8 region=32x32 align=128 overhang=yes

// The block computes 32x32 elements of c = a * b, for square matrices of n rows, from tiles of both
// in shared memory.
constexpr int side = 32;

__global__ void multiply(const float* a, const float* b, float* c, int n, int pitch_a, int pitch_b,
                         int pitch_c) {
    __shared__ float tile_a[side][side];
    __shared__ float tile_b[side][side];
    const int x = threadIdx.x;
    const int column = blockIdx.x * side + x;
    const int first_row = blockIdx.y * side;
    float sum[side / 8];  // of rows threadIdx.y, threadIdx.y + 8, ...
    for (int i = 0; i < side / 8; ++i) sum[i] = 0.0f;
    for (int first = 0; first < n; first += side) {
        for (int y = threadIdx.y; y < side; y += 8) {
            const bool in_a = first_row + y < n && first + x < n;
            tile_a[y][x] = in_a ? a[(first_row + y) * pitch_a + first + x] : 0.0f;
            const bool in_b = first + y < n && column < n;
            tile_b[y][x] = in_b ? b[(first + y) * pitch_b + column] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < side / 8; ++i)
            for (int k = 0; k < side; ++k)
                sum[i] += tile_a[threadIdx.y + 8 * i][k] * tile_b[k][x];
        __syncthreads();
    }
    for (int i = 0; i < side / 8; ++i) {
        const int row = first_row + threadIdx.y + 8 * i;
        if (row < n && column < n) c[row * pitch_c + column] = sum[i];
    }
}
