// camber: exercise 10
// camber: reference reference.cu
// camber: multiply(in.a, in.b, out.c, columns, pitch.a, pitch.b, pitch.c) block=32x8 align=128 overhang=yes

// Each thread computes one element of c = a * b, for square matrices of n rows.
__global__ void multiply(const float* a, const float* b, float* c, int n, int pitch_a, int pitch_b,
                         int pitch_c) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= n || row >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += a[row * pitch_a + k] * b[k * pitch_b + column];
    c[row * pitch_c + column] = sum;
}
