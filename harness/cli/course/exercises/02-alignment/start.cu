// camber: exercise 2
// camber: reference reference.cu
// camber: stretch(in, out, columns, rows, pitch) block=32x8 overhang=yes

// Each thread stretches one cell. Rows follow each other without padding (pitch == columns).
__global__ void stretch(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float cell = in[row * pitch + column];
    out[row * pitch + column] = 2.0f * cell - 1.0f;
}
