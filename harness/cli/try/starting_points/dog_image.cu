// The difference of two blurs of one image, plain and slow: a thread per cell, every neighbor from
// global memory.
//
// The line below describes the launch. The arguments of the kernel are, in order: the image and the
// result, both pointing at cell (0, 0); pitch counts elements from row to row. Each thread of a
// block of 32 x 8 computes one cell. A halo of one cell of 0 surrounds the image, and rows begin at
// multiples of 128 bytes. The __constant__ arrays get the workload's weights.
//
// camber: difference(in, out, columns, rows, pitch) block=32x8 overhang=yes halo=1 align=128 constant=wide constant=narrow
__constant__ float wide[9];
__constant__ float narrow[9];

__global__ void difference(const float* image, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    float more = 0;
    float less = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const float cell = image[(row + dy) * pitch + column + dx];
            const int k = 3 * (dy + 1) + dx + 1;
            more = fmaf(wide[k], cell, more);
            less = fmaf(narrow[k], cell, less);
        }
    out[row * pitch + column] = fabsf(more) - fabsf(less);
}
