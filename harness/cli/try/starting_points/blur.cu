// A blur of 3 x 3 cells, plain and slow: a thread per cell, every neighbor from global memory.
//
// The line below describes the launch. The arguments of the kernel are, in order: in and out are
// the image before and after, both pointing at cell (0, 0); pitch counts elements from row to row.
// Each thread of a block of 32 x 8 computes one cell. A halo of one cell of 0 surrounds the image,
// and rows begin at multiples of 128 bytes. The __constant__ array gets the workload's weights, row
// by row.
//
// camber: blur(in, out, columns, rows, pitch) block=32x8 overhang=yes halo=1 align=128 constant=weights
__constant__ float weights[9];

__global__ void blur(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            sum = fmaf(weights[3 * (dy + 1) + dx + 1], in[(row + dy) * pitch + column + dx], sum);
    out[row * pitch + column] = fabsf(sum);
}
