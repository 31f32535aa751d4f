// A Gaussian blur of any radius, plain and slow: a thread per cell, every cell of its square from
// global memory.
//
// The line below describes the launch. The arguments of the kernel are, in order: in and out are
// the image before and after, both pointing at cell (0, 0); pitch counts elements from row to row.
// Each thread of a block of 32 x 8 computes one cell. A halo of 16 cells of 0 surrounds the image,
// enough for every radius, so that no thread has to test for the edge, and rows begin at multiples
// of 128 bytes. The __constant__ array gets the 2 * radius + 1 weights of a row or a column,
// followed by zeros. The sums are bit-equal to the reference's: first the cells of each row, then
// the rows.
//
// camber: blur(in, out, columns, rows, pitch, radius) block=32x8 overhang=yes halo=16 align=128 constant=weights
__constant__ float weights[33];

__global__ void blur(const float* in, float* out, int columns, int rows, int pitch, int radius) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    const float* cell = in + row * pitch + column;
    float sum = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        float row_sum = 0;
        for (int dx = -radius; dx <= radius; ++dx)
            row_sum = fmaf(weights[radius + dx], cell[dy * pitch + dx], row_sum);
        sum = fmaf(weights[radius + dy], row_sum, sum);
    }
    out[row * pitch + column] = sum;
}
