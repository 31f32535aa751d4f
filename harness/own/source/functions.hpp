// Finds the functions in CUDA C++ code without a compiler. leave_out_host_code() removes those that
// the launched kernels do not need, so that unmodified files of applications compile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// A parameter: "const float* __restrict__" and "x".
struct FunctionParameter {
    std::string type;
    std::string name;  // "" if it has none

    bool is_pointer() const { return type.find('*') != type.npos; }
};

struct CodeFunction {
    std::string name;
    std::size_t begin = 0;   // of the declaration, with `template`
    std::size_t open = 0;    // the '(' of the parameter list
    std::size_t body = 0;    // the '{'; 0: no body
    std::size_t end = 0;     // after '}' or ';'
    bool is_kernel = false;  // __global__
    bool is_device = false;  // __device__
    bool is_constexpr = false;
    std::vector<FunctionParameter> template_parameters;
    std::vector<FunctionParameter> parameters;
    int launch_bound = 0;  // maximum number of threads; 0: not stated
};

// All functions at namespace and class scope, in order; nullopt if the braces do not match. If they
// match only without #else branches, these are ignored. `code`: without comments.
std::optional<std::vector<CodeFunction>> functions_in(std::string_view code);

// Blanks out code that the launched kernels do not need, in `text` and in `code` (the text without
// comments): main() and other host code, kernels that are not launched, and uncalled functions.
// Files then compile unmodified, and defects in other kernels do not matter. Preprocessor lines and
// line numbers do not change. `kernels`: the launched kernels. Changes nothing if the functions
// cannot be found because braces do not match.
void leave_out_host_code(std::string& text, std::string& code,
                         const std::vector<std::string>& kernels);

}  // namespace camber
