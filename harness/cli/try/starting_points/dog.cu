// The difference of two blurred images, plain: a thread per cell.
//
// The line below describes the launch. The arguments of the kernel are, in order: the two images
// and the result, each pointing at cell (0, 0); pitch counts elements from row to row. Each thread
// of a block of 32 x 8 computes one cell; rows begin at multiples of 128 bytes.
//
// camber: difference(in.more_blurred, in.less_blurred, out.difference, columns, rows, pitch) block=32x8 overhang=yes align=128
__global__ void difference(const float* more, const float* less, float* out, int columns, int rows,
                           int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    const int i = row * pitch + column;
    out[i] = more[i] - less[i];
}
