// Functions that a CUDA C++ text defines or declares, found without a compiler.
// leave_out_host_code() removes those that the launched kernels do not need, so that files compile
// as they are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// The functions that a CUDA C++ text defines or declares, found without a compiler.

// A parameter: "const float* __restrict__" and "x".
struct FunctionParameter {
    std::string type;
    std::string name;  // "" if it has none

    bool is_pointer() const { return type.find('*') != type.npos; }
};

struct CodeFunction {
    std::string name;
    std::size_t begin = 0;   // of the declaration, with `template`
    std::size_t open = 0;    // the '(' of the parameters
    std::size_t body = 0;    // the '{'; 0: no body
    std::size_t end = 0;     // behind '}' or ';'
    bool is_kernel = false;  // __global__
    bool is_device = false;  // __device__
    bool is_constexpr = false;
    std::vector<FunctionParameter> template_parameters;
    std::vector<FunctionParameter> parameters;
    int launch_bound = 0;  // threads; 0: not stated
};

// All functions at namespace and class scope, in order; nullopt if the braces do not match. If they
// match only without #else branches, these are left out. `code`: without comments.
std::optional<std::vector<CodeFunction>> functions_in(std::string_view code);

// Takes out of a CUDA C++ file what the launches of its kernels do not need: main() and other code
// of the host, kernels that are not launched, and functions that nothing calls. So files are
// compiled as they are, and a defect of one kernel does not concern another one.

// Blanks out such functions in `text` and in `code`, the text without comments; preprocessor lines
// stay, and all lines where they are. `kernels`: those that are launched. Changes nothing if the
// functions cannot be found because braces do not match.
void leave_out_host_code(std::string& text, std::string& code,
                         const std::vector<std::string>& kernels);

}  // namespace camber
