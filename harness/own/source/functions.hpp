// The functions that a CUDA C++ text defines or declares, found without a compiler.
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

}  // namespace camber
