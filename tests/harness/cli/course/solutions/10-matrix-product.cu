// camber: exercise 10
// camber: multiply(in.a, in.b, out.c, columns, pitch.a, pitch.b, pitch.c) block=32x4 region=32x32 align=128 overhang=yes
// The block stages 32x32 elements of a and b at a time. Each thread computes 8 elements of a
// column, so that one element of b serves 8 products; a lane's load of 4 elements of a serves 4.
constexpr int side = 32;
constexpr int each = 8;

__global__ void multiply(const float* a, const float* b, float* c, int n, int pitch_a, int pitch_b,
                         int pitch_c) {
    __shared__ __align__(16) float tile_a[side][side];
    __shared__ __align__(16) float tile_b[side][side];
    const int x = threadIdx.x;
    const int column = blockIdx.x * side + x;
    const int first_row = blockIdx.y * side;
    float sum[each];
    for (int i = 0; i < each; ++i) sum[i] = 0.0f;
    for (int first = 0; first < n; first += side) {
        for (int y = threadIdx.y; y < side; y += blockDim.y) {
            const bool in_a = first_row + y < n && first + x < n;
            tile_a[y][x] = in_a ? a[(first_row + y) * pitch_a + first + x] : 0.0f;
            const bool in_b = first + y < n && column < n;
            tile_b[y][x] = in_b ? b[(first + y) * pitch_b + column] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < side; k += 4) {
            const float b0 = tile_b[k][x];
            const float b1 = tile_b[k + 1][x];
            const float b2 = tile_b[k + 2][x];
            const float b3 = tile_b[k + 3][x];
            for (int i = 0; i < each; ++i) {
                const float4 four = *(const float4*)&tile_a[threadIdx.y * each + i][k];
                sum[i] += four.x * b0 + four.y * b1 + four.z * b2 + four.w * b3;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < each; ++i) {
        const int row = first_row + threadIdx.y * each + i;
        if (row < n && column < n) c[row * pitch_c + column] = sum[i];
    }
}
