// camber: exercise 1
// camber: brighten(in, out, columns, rows, pitch) block=64x4 overhang=yes
// Adjacent lanes have adjacent cells.
__global__ void brighten(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    out[row * pitch + column] = 1.5f * in[row * pitch + column] + 0.25f;
}
