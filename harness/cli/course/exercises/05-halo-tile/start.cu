// camber: exercise 5
// camber: reference reference.cu
// camber: mean(in, out, columns, rows, pitch) block=32x8 halo=2 align=128 overhang=yes

// Each thread averages the 5x5 cells around its own. A halo of 2 cells around the board (halo=2 in
// the line above) contains zeros, so that no test for the edge is needed.
__global__ void mean(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) sum += in[(row + dy) * pitch + column + dx];
    out[row * pitch + column] = sum / 25.0f;
}
