// camber: exercise 7
// camber: reference reference.cu
// camber: smooth(in, out, columns, rows, pitch) block=32x8 halo=2 align=128 overhang=yes

// Each thread loads the 5 cells above, at and below its own. A halo of 2 cells around the board
// contains zeros.
__global__ void smooth(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float* const cell = in + row * pitch + column;
    const float a = cell[-2 * pitch];
    const float b = cell[-pitch];
    const float c = cell[0];
    const float d = cell[pitch];
    const float e = cell[2 * pitch];
    out[row * pitch + column] = 0.0625f * (a + e) + 0.25f * (b + d) + 0.375f * c;
}
