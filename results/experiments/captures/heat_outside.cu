struct Fields { const float* now; float* next; const unsigned char* material; int columns, rows; };
__global__ void heat_step(Fields f, float step) {
    const size_t k = blockIdx.x * blockDim.x + threadIdx.x;
    f.next[(k + 1) << 32] = step;
}
