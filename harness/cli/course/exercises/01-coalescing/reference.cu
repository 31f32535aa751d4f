// Correct result of the exercise: every cell becomes 1.5 times its value plus 0.25.
// camber: brighten(in, out, columns, rows, pitch) block=16x16 overhang=yes
__global__ void brighten(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    out[row * pitch + column] = 1.5f * in[row * pitch + column] + 0.25f;
}
