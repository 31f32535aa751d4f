// Four elements per thread in one 16-byte access.
// camber: saxpy(count.x/4, 2.5f, in.x, inout.y) block=256 grid=(count.x/4+255)/256
// camber: reference saxpy_plain.cu
__global__ void saxpy(int n, float a, const float4* x, float4* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = x[i];
    const float4 q = y[i];
    y[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
}
