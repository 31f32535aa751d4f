// The translation units that compilers get: a kernel's text with what belongs around it.
#pragma once

#include <string>

#include "harness/own/source/source.hpp"

namespace camber {

// For the C++ compiler: CUDA's words before the text, behind it what hands over its kernels. Lines
// keep the names and numbers that they have in the file.
std::string host_unit(const CandidateSource& source);

// For a CUDA compiler: behind the text, what makes the compiler keep every kernel that is launched.
// `instantiated`: by a variable of the host that has their addresses, which NVRTC does not know.
std::string device_unit(const CandidateSource& source, bool instantiated);

// `#line` for what follows.
std::string line_marker(int line, const std::string& file);

// A C++ string literal of the text.
std::string string_literal(std::string_view text);

// The elements of which the unit has kernels that fill a torus's halo, behind those of the
// directives: of 1, 4 and 8 bytes.
inline constexpr int torus_element_bytes[] = {1, 4, 8};
inline constexpr const char* torus_kernels[] = {"camber_torus_halo<unsigned char>",
                                                "camber_torus_halo<unsigned>",
                                                "camber_torus_halo<unsigned long long>"};

}  // namespace camber
