// camber: scale(in.a, out.b, columns*rows) block=256 grid=(columns*rows+BLOCK-1)/BLOCK
// camber: reference scale_plain.cu
#include "production/scale.cu"
