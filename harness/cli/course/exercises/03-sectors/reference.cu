// Correct result of the exercise. Four adjacent columns are the red, green, blue and alpha of a
// pixel; the first three become their gray value, alpha is copied.
// camber: gray(in, out, columns, rows, pitch) block=16x16 overhang=yes
__global__ void gray(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float* const pixel = in + row * pitch + column / 4 * 4;
    const float value = 0.299f * pixel[0] + 0.587f * pixel[1] + 0.114f * pixel[2];
    out[row * pitch + column] = column % 4 == 3 ? pixel[3] : value;
}
