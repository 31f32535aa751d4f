// blur/row_stream/32x4/v4/r2/align128: two rows of four cells a thread, from rows in registers; the
// cells beside them come from the warp's other lanes.
// camber: blur(in, out, columns, rows, pitch, weights[0], weights[1], weights[4]) block=32x4 cells=4x2 halo=1 align=128
__global__ void blur(const float* in, float* out, int columns, int rows, int pitch, float corner,
                     float side, float centre) {
    const int lane = threadIdx.x % 32;
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
    float cells[4][6];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        const float* row = in + (y + r - 1) * pitch + x;
        const float4 own = *reinterpret_cast<const float4*>(row);
        cells[r][1] = own.x;
        cells[r][2] = own.y;
        cells[r][3] = own.z;
        cells[r][4] = own.w;
        const float before = __shfl_up_sync(0xffffffffu, own.w, 1);
        const float after = __shfl_down_sync(0xffffffffu, own.x, 1);
        const bool first = lane == 0;
        const bool last = lane == 31;
        const float beyond = first || last ? row[first ? -1 : 4] : 0.0f;
        cells[r][0] = first ? beyond : before;
        cells[r][5] = last ? beyond : after;
    }
    const float w[9] = {corner, side, corner, side, centre, side, corner, side, corner};
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        float results[4];
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            float sum = w[0] * cells[r][c];
            for (int k = 1; k < 9; ++k) sum = fmaf(w[k], cells[r + k / 3][c + k % 3], sum);
            results[c] = fabsf(sum);
        }
        *reinterpret_cast<float4*>(out + (y + r) * pitch + x) =
            make_float4(results[0], results[1], results[2], results[3]);
    }
}
