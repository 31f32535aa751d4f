// Every thread computes a column along z and keeps the planes above and below in registers.
// camber: stencil(in.u, out.v, shape.u[2], shape.u[1], shape.u[0]) block=32x8 grid=(shape.u[2]/32)x(shape.u[1]/8)
// camber: reference stencil_plain.cu
__global__ void stencil(const float* u, float* v, int nx, int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int plane = nx * ny;
    const bool edge = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
    int i = y * nx + x;
    float below = 0, here = u[i], above = u[i + plane];
    v[i] = here;
    for (int z = 1; z < nz - 1; ++z) {
        i += plane;
        below = here;
        here = above;
        above = u[i + plane];
        v[i] = edge ? here
                    : 0.4f * here + 0.1f * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + below +
                                            above);
    }
    v[i + plane] = above;
}
