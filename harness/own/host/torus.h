// Fills the halo of a torus: every halo cell is a copy of the interior cell at the opposite side.
// One thread per halo cell, first the rows above and below including corners, then the two sides.
template <class T>
__global__ void camber_torus_halo(T* cells, int columns, int rows, int pitch, int halo) {
    const int width = columns + 2 * halo;
    const int above_and_below = 2 * halo * width;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row, column;
    if (i < above_and_below) {
        const int line = i / width;
        row = line < halo ? line - halo : rows + line - halo;
        column = i % width - halo;
    } else {
        const int side = i - above_and_below;
        if (side >= 2 * halo * rows) return;
        row = side / (2 * halo);
        const int step = side % (2 * halo);
        column = step < halo ? step - halo : columns + step - halo;
    }
    const int from_row = ((row % rows) + rows) % rows;
    const int from_column = ((column % columns) + columns) % columns;
    const T value = cells[(long long)from_row * pitch + from_column];
    cells[(long long)row * pitch + column] = value;
}
