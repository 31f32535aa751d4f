// The Triton kernel's function in CUDA: four numbers per thread. Triton passes two pointers more than
// the source has.
#ifndef HIDDEN
#define HIDDEN 2
#endif
__device__ float swish(float v) {
    float quotient;
    asm("div.full.f32 %0, %1, %2;" : "=f"(quotient) : "f"(v), "f"(1 + __expf(-v)));
    return quotient;
}
__global__ void swish_rows(const float* x, float* y, int n
#if HIDDEN >= 1
    , void*
#endif
#if HIDDEN >= 2
    , void*
#endif
) {
    const int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (at + 3 >= n) return;
    const float4 v = *reinterpret_cast<const float4*>(x + at);
    *reinterpret_cast<float4*>(y + at) = make_float4(swish(v.x), swish(v.y), swish(v.z), swish(v.w));
}
