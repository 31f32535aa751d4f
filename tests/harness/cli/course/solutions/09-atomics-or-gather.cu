// camber: exercise 9
// camber: topple(in, out, columns, rows, pitch) block=32x8 halo=1 align=128 overhang=yes
// Each cell gathers what its neighbors give; halo cells contain 0 and give nothing.
__device__ int given(int grains) {
    return grains >= 128 ? 32 : 0;
}

__global__ void topple(const int* in, int* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const int* const cell = in + row * pitch + column;
    const int grains = cell[0];
    out[row * pitch + column] = (grains >= 128 ? grains - 128 : grains) + given(cell[-1]) +
                                given(cell[1]) + given(cell[-pitch]) + given(cell[pitch]);
}
