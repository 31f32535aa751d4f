// A sparse matrix in compressed rows (CSR) times a vector: one thread for each row.
// camber: spmv(in.begin, in.columns, in.values, in.x, out.y, count.y) block=128 grid=(count.y+127)/128
// camber: shape y=2048 x=y begin=count.y+1 columns=count.y*24 values=columns
// camber: fill begin=i*24 columns=(i*i+i/24*31)%count.x
__global__ void spmv(const int* begin, const int* columns, const double* values, const double* x,
                     double* y, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    const int end = begin[row + 1];
    for (int i = begin[row]; i < end; ++i) sum += values[i] * x[columns[i]];
    y[row] = sum;
}
