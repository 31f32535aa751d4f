// Each thread computes four cells in a row.
// camber: capture block=32x8 grid=16x256
struct Fields {
    const float* __restrict__ now;
    float* __restrict__ next;
    const unsigned char* __restrict__ material;
    int columns, rows;
};
__constant__ float diffusivity[4];
__global__ void heat_step(Fields f, float step) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 1 || row >= f.rows - 1 || first >= f.columns) return;
    const int at = row * f.columns + first;
    const float4 here = *reinterpret_cast<const float4*>(f.now + at);
    const float4 above = *reinterpret_cast<const float4*>(f.now + at - f.columns);
    const float4 below = *reinterpret_cast<const float4*>(f.now + at + f.columns);
    const uchar4 kind = *reinterpret_cast<const uchar4*>(f.material + at);
    const float left = first > 0 ? f.now[at - 1] : 0;
    const float right = first + 4 < f.columns ? f.now[at + 4] : 0;
    const float sums[4] = {left + here.y + above.x + below.x, here.x + here.z + above.y + below.y,
                           here.y + here.w + above.z + below.z, here.z + right + above.w + below.w};
    const float values[4] = {here.x, here.y, here.z, here.w};
    const unsigned char kinds[4] = {kind.x, kind.y, kind.z, kind.w};
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int column = first + k;
        if (column >= 1 && column < f.columns - 1)
            f.next[at + k] = values[k] + step * diffusivity[kinds[k]] * (sums[k] - 4 * values[k]);
    }
}
