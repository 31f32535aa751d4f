// blur/packed/64x4/v4/align128: four cells a thread, moved by loads and stores of 16 bytes.
// camber: blur(in, out, columns, rows, pitch) block=64x4 cells=4x1 halo=1 align=128 constant=w:weights
__constant__ float w[3][3];

__device__ __forceinline__ float4 four(const float* row) {
    return *reinterpret_cast<const float4*>(row);
}

__global__ void __launch_bounds__(256) blur(const float* __restrict__ in, float* __restrict__ out,
                                            int columns, int rows, int pitch) {
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    float results[4] = {};
    for (int r = 0; r < 3; ++r) {
        const float* row = in + (y + r - 1) * pitch + x;
        const float4 own = four(row);
        const float cells[6] = {row[-1], own.x, own.y, own.z, own.w, row[4]};
        for (int c = 0; c < 4; ++c)
            for (int k = 0; k < 3; ++k)
                results[c] = r == 0 && k == 0 ? w[0][0] * cells[c]
                                              : fmaf(w[r][k], cells[c + k], results[c]);
    }
    float4* to = reinterpret_cast<float4*>(out + y * pitch + x);
    *to = make_float4(fabsf(results[0]), fabsf(results[1]), fabsf(results[2]), fabsf(results[3]));
}
