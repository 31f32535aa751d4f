// Average pooling with the parameters of PyTorch's kernel, for windows of 3x3 cells. Indices have 32
// bits, and the window's rows and columns are known to the compiler.
__global__ void avg_pool2d_out_cuda_frame(const int count, const float* const from, const long channels,
                                          const long height, const long width, const long pooled_height,
                                          const int pooled_width, const int window_rows,
                                          const int window_columns, const int row_step,
                                          const int column_step, const int row_padding,
                                          const int column_padding, float* const to, const int divisor,
                                          const bool counts_padding, const bool has_divisor) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const int columns = pooled_width;
    const int rows = pooled_height;
    const int line = at / columns;
    const int plane = line / rows;
    const int first_row = (line - plane * rows) * row_step - row_padding;
    const int first_column = (at - line * columns) * column_step - column_padding;
    const int last_row = height;
    const int last_column = width;
    const float* const cells = from + static_cast<size_t>(plane) * last_row * last_column;
    float sum = 0;
    #pragma unroll
    for (int r = 0; r < 3; ++r)
        #pragma unroll
        for (int c = 0; c < 3; ++c) {
            const int row = first_row + r;
            const int column = first_column + c;
            if (row >= 0 && row < last_row && column >= 0 && column < last_column)
                sum += cells[row * last_column + column];
        }
    // The window may reach beyond the padding at the lower and right edge.
    const int reached_rows = min(first_row + 3, last_row + row_padding) - first_row;
    const int reached_columns = min(first_column + 3, last_column + column_padding) - first_column;
    const int inside = (min(first_row + 3, last_row) - max(first_row, 0)) *
                       (min(first_column + 3, last_column) - max(first_column, 0));
    to[at] = sum / (has_divisor ? divisor : counts_padding ? reached_rows * reached_columns : inside);
}
