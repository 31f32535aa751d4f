#include <algorithm>

#include "harness/base/error.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/functions.hpp"
#include "harness/own/source/source.hpp"
#include "tests/catch.hpp"

namespace camber::host_code_test {

// Selection of the code of a CUDA C++ file that the launched kernels need.

namespace {

std::string kept(std::string text, const std::vector<std::string>& kernels) {
    std::string code = without_comments(text);
    const auto lines = std::ranges::count(text, '\n');
    leave_out_host_code(text, code, kernels);
    CHECK(std::ranges::count(text, '\n') == lines);
    return text;
}

}  // namespace

TEST_CASE("specializations are functions, also behind a comment", "[candidate]") {
    const std::string code = without_comments(
        "/* A comment that leaves blanks. */\n"
        "template <class T> __device__ T sum(T a) { return a; }\n"
        "template <> __device__ int sum<int>(int a) { return 2 * a; }\n"
        "template <class T> __global__ void first(T* p) { p[0] = sum(p[0]); }\n"
        "template void host<float>(float* p);\n");
    const auto functions = functions_in(code);
    REQUIRE(functions);
    std::vector<std::string> names;
    for (const CodeFunction& function : *functions) names.push_back(function.name);
    CHECK(names == std::vector<std::string>{"sum", "sum", "first", "host"});
}

TEST_CASE("functions are found with their parameters and bodies", "[candidate]") {
    const std::string code = without_comments(
        "namespace a { struct P { int x; P(int v) : x{v} { x += 1; } int f() const; }; }\n"
        "enum E { one, two };\nstatic int table[] = {1, 2};\n"
        "template <typename T, int N>\n"
        "__global__ void __launch_bounds__(256)\nstep(const T* __restrict__ in, T out[], float2 "
        "w = {1, 2}) { out[0] = in[0]; }\n"
        "__host__ __device__ float helper(float);\n"
        "float2 operator+(float2 a, float2 b) { return a; }\n"
        "auto lambda = [](int x) { return x; };\n"
        "extern \"C\" { void plain(void) {} }\n");
    const auto functions = functions_in(code);
    REQUIRE(functions);
    std::vector<std::string> names;
    for (const CodeFunction& function : *functions) names.push_back(function.name);
    CHECK(names == std::vector<std::string>{"P", "f", "step", "helper", "operator", "plain"});
    const CodeFunction& step = (*functions)[2];
    CHECK(step.is_kernel);
    CHECK(step.launch_bound == 256);
    REQUIRE(step.parameters.size() == 3);
    CHECK(step.parameters[0].type == "const T* __restrict__");
    CHECK(step.parameters[1].name == "out");
    CHECK(step.parameters[1].type == "T*");
    CHECK(step.template_parameters.size() == 2);
    CHECK(code.substr(step.begin, 8) == "template");
    CHECK((*functions)[3].body == 0);
    CHECK_FALSE(functions_in("void f() { {"));
    // Half of a function in each branch.
    CHECK(functions_in("#ifdef A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\n"));
}

TEST_CASE("host code is left out, and what kernels call stays", "[candidate]") {
    const std::string text = kept(
        "__device__ float two() { return 2; }\n"
        "__device__ float three() { return 3; }\n"
        "inline float plain() { return two(); }\n"
        "__global__ void step(float* x) { x[0] = plain(); /* <<< */ }\n"
        "__global__ void other(half* x) { asm(\"nop\"); }\n"
        "void launch() { step<<<1, 1>>>(0); const char* s = \"} {\"; }\n"
        "int main() { launch(); }\n",
        {"step"});
    CHECK_THAT(text, contains("two() { return 2; }") && contains("plain() { return two(); }") &&
                         contains("x[0] = plain();"));
    for (const char* gone : {"three", "other", "asm", "launch", "main", "<<<1"})
        CHECK(text.find(gone) == std::string::npos);
}

TEST_CASE("calls of macros and instantiations are no functions", "[candidate]") {
    const std::string text = kept(
        "#define OP(name) __device__ float name(float x) { return x; }\n"
        "OP(half_of)\nOP(twice)\n"
        "template <class T> __global__ void unused(T* x) { x[0] = broken; }\n"
        "template __global__ void unused<float>(float*);\n"
        "template <class T> __device__ T zero();\n"
        "template <> __device__ float zero<float>() { return 0; }\n"
        "__global__ void step(float* x) { x[0] = twice(zero<float>()); }\n"
        "__global__ void next(float* x) { x[0] = 1; }\n",
        {"next"});
    CHECK_THAT(text, contains("OP(half_of)\nOP(twice)\n") && contains("x[0] = 1;"));
    CHECK(text.find("unused") == std::string::npos);
    CHECK(text.find("zero") == std::string::npos);
}

TEST_CASE("preprocessor lines stay where functions are left out", "[candidate]") {
    const std::string text = kept(
        "__global__ void step(int* x) { x[0] = N; }\n"
        "void host() {\n#ifdef A\n    cudaFree(0);\n#else\n    cudaFree(1);\n#endif\n"
        "#define N 4\n#pragma unroll\n}\n",
        {"step"});
    CHECK_THAT(text, contains("#ifdef A\n") && contains("#endif\n#define N 4\n"));
    CHECK(text.find("cudaFree") == std::string::npos);
    CHECK(text.find("pragma") == std::string::npos);
}

TEST_CASE("strings, raw strings and comments are no code", "[candidate]") {
    const std::string code = without_comments(
        "auto a = R\"x(\" // { )\" )x\"; // {\nchar c = '\"'; /* { */ int n = 1'000;\n");
    CHECK(code.find('{') == std::string::npos);
    CHECK_THAT(code, contains("char c = ' ';") && contains("int n = 1'000;"));
}

TEST_CASE("a position has the line of the file that it was included from", "[candidate]") {
    const std::string text = "a\n#line 7 \"b \\\"c\\\".cu\"\nd\ne\n#line 3 \"a.cu\"\nf\n";
    CHECK(line_at(text, 0, "a.cu").line == 1);
    CHECK(line_at(text, text.find("e\n"), "a.cu").line == 8);
    CHECK(line_at(text, text.find("e\n"), "a.cu").file == "b \"c\".cu");
    CHECK(line_at(text, text.find("f\n"), "a.cu").line == 3);
    CHECK(line_at(text, text.find("f\n"), "a.cu").file == "a.cu");
}

}  // namespace camber::host_code_test
