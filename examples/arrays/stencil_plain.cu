// Seven points in three dimensions; the outermost cells keep their values.
// camber: stencil(in.u, out.v, shape.u[2], shape.u[1], shape.u[0]) block=32x4x2 grid=(shape.u[2]/32)x(shape.u[1]/4)x(shape.u[0]/2)
// camber: shape u=32x48x64 v=u
__global__ void stencil(const float* u, float* v, int nx, int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    const int i = (z * ny + y) * nx + x;
    const float here = u[i];
    float next = here;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        next = 0.4f * here + 0.1f * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] +
                                     u[i - nx * ny] + u[i + nx * ny]);
    v[i] = next;
}
