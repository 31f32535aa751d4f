// camber: exercise 2
// camber: stretch(in, out, columns, rows, pitch) block=32x8 cells=4x1 align=128 overhang=yes
// Four cells with one load; the last cells of a row one by one.
__global__ void stretch(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const float* const from = in + row * pitch + column;
    float* const to = out + row * pitch + column;
    if (column + 4 <= columns) {
        const float4 cells = *(const float4*)from;
        *(float4*)to = make_float4(2.0f * cells.x - 1.0f, 2.0f * cells.y - 1.0f,
                                   2.0f * cells.z - 1.0f, 2.0f * cells.w - 1.0f);
        return;
    }
    for (int i = 0; column + i < columns; ++i) to[i] = 2.0f * from[i] - 1.0f;
}
