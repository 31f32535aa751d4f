// One thread adds all elements of a block's part.
// camber: partial_sums(in.x, out.sums, count.x) block=1 grid=count.sums
// camber: shape x=65536 sums=count.x/1024
__global__ void partial_sums(const int* x, int* sums, int n) {
    int sum = 0;
    for (int i = blockIdx.x * 1024; i < n && i < (blockIdx.x + 1) * 1024; ++i) sum += x[i];
    sums[blockIdx.x] = sum;
}
