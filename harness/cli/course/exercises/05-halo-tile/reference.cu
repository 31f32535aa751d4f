// Correct result of the exercise: the mean of the 5x5 cells around each cell. Cells beyond the edge
// are 0.
// camber: mean(in, out, columns, rows, pitch) block=16x16 halo=2 overhang=yes
__global__ void mean(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) sum += in[(row + dy) * pitch + column + dx];
    out[row * pitch + column] = sum / 25.0f;
}
