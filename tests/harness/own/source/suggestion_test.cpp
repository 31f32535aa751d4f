// Launch lines that are proposed for kernels without any.
#include <string>
#include <vector>

#include "harness/own/source/code_text.hpp"
#include "harness/own/source/kernel_reading.hpp"
#include "harness/own/source/source.hpp"
#include "tests/catch.hpp"

namespace camber::suggestion_test {

namespace {

std::string arrays_for(const std::string& text) {
    const auto all = suggestions_for(without_comments(text));
    std::string lines;
    for (const Suggestion& one : all)
        for (const std::string& line : one.arrays) lines += line + "\n";
    return lines;
}

}  // namespace

TEST_CASE("a line is proposed for a kernel by its parameters and body", "[candidate]") {
    const auto line = [](const std::string& text) {
        const auto all = suggestions_for(without_comments(text));
        return all.empty() ? "" : all.front().line;
    };
    CHECK(line("__global__ void add(const int* a, const int* b, int* c, int nx, int ny) {\n"
               "    int y = threadIdx.y; c[y] = a[y] + b[y]; }") ==
          "// camber: add(in.a, in.b, out.c, columns, rows) block=32x8");
    CHECK(line("#define T 8\n__global__ void t(float *d, unsigned pitch, bool b) {\n"
               "    extern __shared__ float s[]; d[threadIdx.x] += s[0]; }") ==
          "// camber: t(inout.d, pitch, true) block=256 grid=(columns*rows+255)/256 shared=1024");
    // The suggested line is valid.
    const std::string kernel =
        "__global__ void scale(float* x, float f, int n) { if (n > 0) x[n] *= f; }\n";
    CHECK(candidate_from("a.cu", line(kernel) + "\n" + kernel).directives.kernels.size() == 1);
}

TEST_CASE("lines for arrays follow from names, types and use", "[candidate]") {
    CHECK(arrays_for("__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
                     "    int i = threadIdx.x; if (i < n) y[i] += a * x[i]; }") ==
          "// camber: saxpy(count.x, 0.5, in.x, inout.y) block=256 grid=(count.x+255)/256\n"
          "// camber: shape x=65536 y=x\n");
    CHECK(arrays_for("__global__ void step(const double* u, double* v, int nx, int ny, int nz) {\n"
                     "    int z = blockIdx.z; v[z] = u[z]; if (blockIdx.y) return; }") ==
          "// camber: step(in.u, out.v, shape.u[2], shape.u[1], shape.u[0]) block=32x4x2 "
          "grid=((shape.u[2]+31)/32)x((shape.u[1]+3)/4)x((shape.u[0]+1)/2)\n"
          "// camber: shape u=32x64x64 v=u\n");
    // One element for each block, dynamic shared memory.
    CHECK(arrays_for("__global__ void sum(const double* x, double* sums, int n) {\n"
                     "    extern __shared__ double s[]; sums[blockIdx.x] = s[0] + x[n - 1]; }") ==
          "// camber: sum(in.x, out.sums, count.x) block=256 grid=count.sums shared=2048\n"
          "// camber: shape x=65536 sums=(count.x+255)/256\n");
    // Sums by atomics begin with zeros, and indices are in range.
    CHECK(arrays_for("__global__ void count(const int* data, unsigned* bins, int n) {\n"
                     "    for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x)\n"
                     "        atomicAdd(&bins[data[i]], 1); }") ==
          "// camber: count(in.data, out.bins, count.data) block=256 grid=64 out.bins=zeros\n"
          "// camber: shape data=65536 bins=1024\n"
          "// camber: fill data=i*7%count.bins\n");
    CHECK(arrays_for("__global__ void matmul(const __half* A, const __half* B, float* C, int M, "
                     "int N, int K) {\n"
                     "    int y = threadIdx.y; C[y] = A[y] + B[y]; }") ==
          "// camber: matmul(in.A, in.B, out.C, shape.A[0], shape.B[1], shape.A[1]) block=32x8 "
          "grid=((shape.C[1]+31)/32)x((shape.C[0]+7)/8)\n"
          "// camber: shape A=64x96 B=96x128 C=(shape.A[0])x(shape.B[1])\n");
    // A padded tile, rows in a loop, and the name of a transposition.
    CHECK(arrays_for("#define TILE 32\n#define ROWS 8\n"
                     "__global__ void transpose(float* out, const float* in, int width, int height) "
                     "{\n    __shared__ float tile[TILE][TILE + 1];\n"
                     "    for (int i = 0; i < TILE; i += ROWS) tile[threadIdx.y + i][0] = in[i];\n"
                     "    out[width * height - 1] = tile[0][0]; }") ==
          "// camber: transpose(out.out, in.in, shape.in[1], shape.in[0]) block=32x8 "
          "grid=((shape.in[1]+31)/32)x((shape.in[0]+31)/32)\n"
          "// camber: shape out=(shape.in[1])x(shape.in[0]) in=256x256\n");
    CHECK(arrays_for("__constant__ float w[9];\n"
                     "__global__ void blur(const float* in, float* const out, int imageW, int "
                     "imageH, cudaTextureObject_t t) {\n"
                     "    int y = threadIdx.y; out[y] = w[0] * in[y] + tex2D<float>(t, 0, y); }") ==
          "// camber: blur(in.in, out.out, shape.in[1], shape.in[0], tex2d.t) block=32x8 "
          "grid=((shape.in[1]+31)/32)x((shape.in[0]+7)/8) constant=w:w\n"
          "// camber: shape in=256x256 out=in t=in\n");
    // A parameter of another type, or nothing to compare: no lines.
    CHECK(arrays_for("struct S {};\n__global__ void f(S s, float* x) { x[0] = 1; }") == "");
    CHECK(arrays_for("__global__ void f(const float* x) {}") == "");
}

TEST_CASE("kernels that no board fits have lines for arrays alone", "[candidate]") {
    const std::string half = missing_line_sentence(
        "a.cu", "__global__ void f(const __half* x, __half* y, int n) { y[n] = x[n]; }");
    CHECK_THAT(half, contains("Found `f(const __half*, __half*, int)`; try: `// camber: f(in.x, "
                              "out.y, count.x) block=256 grid=(count.x+255)/256` and `// camber: "
                              "shape x=65536 y=x`") &&
                         !contains("columns"));
    const std::string both = missing_line_sentence(
        "a.cu",
        "__global__ void f(const float* x, float* y, int n) { y[n] = x[n]; }\n"
        "__global__ void g(float* y, int n) { y[n] = 1; }");
    CHECK_THAT(both, contains("Found 2 kernels") && contains("`; or, for arrays of any shape: `") &&
                         contains("`g(float*, int)`: `// camber: g(out.y, columns*rows)"));
}

}  // namespace camber::suggestion_test
