// Correct result of the exercise: the transposed board.
// camber: transpose(in, out, columns, rows, pitch) block=16x16 overhang=yes
__global__ void transpose(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    out[row * pitch + column] = in[column * pitch + row];
}
