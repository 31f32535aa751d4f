// Correct result of the exercise: one generation of heat diffusion. Cells beyond the edge are
// always 0.
// camber: diffuse(in, out, columns, rows, pitch) block=16x16 halo=1 overhang=yes
__global__ void diffuse(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float* const cell = in + row * pitch + column;
    out[row * pitch + column] =
        0.5f * cell[0] + 0.125f * (cell[-1] + cell[1] + cell[-pitch] + cell[pitch]);
}
