// Correct result of the exercise: running sums along each row, which start anew every 64 cells.
// camber: running_sum(in, out, columns, rows, pitch) block=16x16 overhang=yes
__global__ void running_sum(const int* in, int* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    int sum = 0;
    for (int x = column / 64 * 64; x <= column; ++x) sum += in[row * pitch + x];
    out[row * pitch + column] = sum;
}
