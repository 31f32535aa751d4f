// camber: exercise 3
// camber: reference reference.cu
// camber: gray(in, out, columns, rows, pitch) block=32x8 cells=4x1 align=128 overhang=yes

// Each thread has one pixel: four adjacent columns, red, green, blue and alpha.
__global__ void gray(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float* const from = in + row * pitch + column;
    const float red = from[0];
    const float green = from[1];
    const float blue = from[2];
    const float alpha = from[3];
    const float value = 0.299f * red + 0.587f * green + 0.114f * blue;
    float* const to = out + row * pitch + column;
    to[0] = value;
    to[1] = value;
    to[2] = value;
    to[3] = alpha;
}
