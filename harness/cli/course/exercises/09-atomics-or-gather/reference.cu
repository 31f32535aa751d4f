// Correct result of the exercise, one step of a sandpile: a cell with 128 grains or more gives 32
// to each of its four neighbors. Grains that cross the edge are lost.
// camber: topple(in, out, columns, rows, pitch) block=16x16 overhang=yes out=zeros
__global__ void topple(const int* in, int* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const int grains = in[row * pitch + column];
    const bool topples = grains >= 128;
    atomicAdd(&out[row * pitch + column], topples ? grains - 128 : grains);
    if (!topples) return;
    if (column > 0) atomicAdd(&out[row * pitch + column - 1], 32);
    if (column < columns - 1) atomicAdd(&out[row * pitch + column + 1], 32);
    if (row > 0) atomicAdd(&out[(row - 1) * pitch + column], 32);
    if (row < rows - 1) atomicAdd(&out[(row + 1) * pitch + column], 32);
}
