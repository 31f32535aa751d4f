// The blur, four cells a thread: its own come by one access of 16 bytes, those beside them from the
// neighbouring lanes; only the first and the last lane of a warp load one. Blocks must divide the board.
// camber: blur(in, out, columns, rows, pitch) block=32x8 cells=4x1 halo=1 align=128 overhang=no constant=weights
__constant__ float weights[9];

__global__ void blur(const float* in, float* out, int columns, int rows, int pitch) {
    const int lane = threadIdx.x % 32;
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    float sum[4] = {};
    for (int dy = -1; dy <= 1; ++dy) {
        const float* first = in + (row + dy) * pitch + column;
        const float4 own = *reinterpret_cast<const float4*>(first);
        float left = __shfl_up_sync(0xffffffffu, own.w, 1);
        float right = __shfl_down_sync(0xffffffffu, own.x, 1);
        if (lane == 0 || lane == 31) {
            const float beyond = first[lane == 0 ? -1 : 4];
            if (lane == 0) left = beyond;
            else right = beyond;
        }
        const float cells[6] = {left, own.x, own.y, own.z, own.w, right};
        for (int c = 0; c < 4; ++c)
            for (int dx = 0; dx < 3; ++dx)
                sum[c] = fmaf(weights[3 * (dy + 1) + dx], cells[c + dx], sum[c]);
    }
    float4* to = reinterpret_cast<float4*>(out + row * pitch + column);
    *to = make_float4(fabsf(sum[0]), fabsf(sum[1]), fabsf(sum[2]), fabsf(sum[3]));
}
