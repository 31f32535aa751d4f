// blur/packed/64x4/v2/align128: two cells a thread by one access, those beside them singly. The
// weights come in constant memory.
// camber: blur(in, out, columns, rows, pitch) block=64x4 cells=2x1 halo=1 align=128 constant=weights
__constant__ float weights[9];

__global__ void blur(const float* in, float* out, int columns, int rows, int pitch) {
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    float cells[3][4];
#pragma unroll
    for (int r = 0; r < 3; ++r) {
        const float* row = in + (y + r - 1) * pitch + x;
        const float2 own = *reinterpret_cast<const float2*>(row);
        cells[r][1] = own.x;
        cells[r][2] = own.y;
        cells[r][0] = row[-1];
        cells[r][3] = row[2];
    }
    float results[2];
    for (int c = 0; c < 2; ++c) {
        float sum = weights[0] * cells[0][c];
        for (int k = 1; k < 9; ++k) sum = fmaf(weights[k], cells[k / 3][c + k % 3], sum);
        results[c] = fabsf(sum);
    }
    *reinterpret_cast<float2*>(out + y * pitch + x) = make_float2(results[0], results[1]);
}
