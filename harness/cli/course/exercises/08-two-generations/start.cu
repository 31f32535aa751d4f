// camber: exercise 8
// camber: reference reference.cu
// camber: diffuse(in, out, columns, rows, pitch) block=32x8 halo=1 align=128 generations=1 overhang=yes

// One generation of heat diffusion for each launch. Cells beyond the edge are always 0.
__device__ float next(float cell, float left, float right, float above, float below) {
    return 0.5f * cell + 0.125f * (left + right + above + below);
}

__global__ void diffuse(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float* const cell = in + row * pitch + column;
    out[row * pitch + column] = next(cell[0], cell[-1], cell[1], cell[-pitch], cell[pitch]);
}
