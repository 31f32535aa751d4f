// camber: exercise 7
// camber: smooth(in, out, columns, rows, pitch) block=32x4 cells=1x32 halo=2 align=128 overhang=yes
// Each thread goes down a column and keeps the last 5 cells in registers: one load for each cell.
constexpr int length = 32;

__global__ void smooth(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * length;
    if (column >= columns || first >= rows) return;
    float a = in[(first - 2) * pitch + column];
    float b = in[(first - 1) * pitch + column];
    float c = in[first * pitch + column];
    float d = in[(first + 1) * pitch + column];
    for (int row = first; row < first + length && row < rows; ++row) {
        const float e = in[(row + 2) * pitch + column];
        out[row * pitch + column] = 0.0625f * (a + e) + 0.25f * (b + d) + 0.375f * c;
        a = b;
        b = c;
        c = d;
        d = e;
    }
}
