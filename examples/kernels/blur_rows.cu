// The blur, four cells of ROWS rows a thread: two rows more pass through registers, and the cells beside
// a thread's own come from the warp's other lanes. Blocks must divide the board.
// camber: blur<ROWS>(in, out, columns, rows, pitch) block=32x4 cells=4xROWS halo=1 align=128 overhang=no constant=weights
#define ROWS 4

__constant__ float weights[9];

template <int Rows>
__global__ void blur(const float* in, float* out, int columns, int rows, int pitch) {
    const int lane = threadIdx.x % 32;
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * Rows;

    float cells[Rows + 2][6];
#pragma unroll
    for (int r = 0; r < Rows + 2; ++r) {
        const float* first = in + (row + r - 1) * pitch + column;
        const float4 own = *reinterpret_cast<const float4*>(first);
        cells[r][1] = own.x;
        cells[r][2] = own.y;
        cells[r][3] = own.z;
        cells[r][4] = own.w;
        cells[r][0] = __shfl_up_sync(0xffffffffu, own.w, 1);
        cells[r][5] = __shfl_down_sync(0xffffffffu, own.x, 1);
        // The first and the last lane have no neighbour on one side: one load serves both.
        if (lane == 0 || lane == 31) {
            const float beyond = first[lane == 0 ? -1 : 4];
            cells[r][lane == 0 ? 0 : 5] = beyond;
        }
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        float sum[4];
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            sum[c] = 0;
#pragma unroll
            for (int k = 0; k < 9; ++k)
                sum[c] = fmaf(weights[k], cells[r + k / 3][c + k % 3], sum[c]);
        }
        float4* to = reinterpret_cast<float4*>(out + (row + r) * pitch + column);
        *to = make_float4(fabsf(sum[0]), fabsf(sum[1]), fabsf(sum[2]), fabsf(sum[3]));
    }
}
