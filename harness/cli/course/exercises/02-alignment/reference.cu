// Correct result of the exercise: every cell becomes 2 times its value minus 1.
// camber: stretch(in, out, columns, rows, pitch) block=16x16 overhang=yes
__global__ void stretch(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    out[row * pitch + column] = 2.0f * in[row * pitch + column] - 1.0f;
}
