// camber: exercise 1
// camber: reference reference.cu
// camber: brighten(in, out, columns, rows, pitch) block=8x32 cells=32x1 overhang=yes

// Each thread brightens 32 adjacent cells of a row.
constexpr int cells_per_thread = 32;

__global__ void brighten(const float* in, float* out, int columns, int rows, int pitch) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * cells_per_thread;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    for (int i = 0; i < cells_per_thread; ++i) {
        const int column = first + i;
        if (column >= columns) break;
        const float cell = in[row * pitch + column];
        out[row * pitch + column] = 1.5f * cell + 0.25f;
    }
}
