// One thread for each row of a batch of matrices.
// camber: softmax(in.x, out.y, shape.x[2], shape.x[0]*shape.x[1]) block=64 grid=(shape.x[0]*shape.x[1]+63)/64
// camber: shape x=4x64x128 y=x
__global__ void softmax(const float* x, float* y, int columns, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* const from = x + row * columns;
    float* const to = y + row * columns;
    float largest = from[0], sum = 0;
    for (int i = 1; i < columns; ++i) largest = fmaxf(largest, from[i]);
    for (int i = 0; i < columns; ++i) sum += expf(from[i] - largest);
    for (int i = 0; i < columns; ++i) to[i] = expf(from[i] - largest) / sum;
}
