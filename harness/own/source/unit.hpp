// Translation units for the compilers: a kernel file's text with generated code before and after it, and
// the files of harness/own/host that are compiled together with it, embedded in the program by
// cmake/Candidate.cmake.
#pragma once

#include <string>
#include <string_view>

#include "harness/own/source/source.hpp"

namespace camber {

// Unit for the C++ compiler: CUDA keywords and functions before the text, tables of kernels after
// it. Lines retain the file names and numbers of the original file.
std::string host_unit(const CandidateSource& source);

// Unit for a CUDA compiler: code after the text makes the compiler emit every launched kernel.
// `instantiated`: by a host variable with the kernels' addresses, which NVRTC does not support.
std::string device_unit(const CandidateSource& source, bool instantiated);

// `#line` directive for the next line.
std::string line_marker(int line, const std::string& file);

// Converts the text to a C++ string literal.
std::string string_literal(std::string_view text);

// Element sizes in bytes for which the unit contains kernels that fill a torus's halo, after the
// kernels of the directives.
inline constexpr int torus_element_bytes[] = {1, 4, 8};
inline constexpr const char* torus_kernels[] = {"camber_torus_halo<unsigned char>",
                                                "camber_torus_halo<unsigned>",
                                                "camber_torus_halo<unsigned long long>"};

}  // namespace camber

namespace camber::unit_parts {

std::string_view host_interface();
std::string_view host_words();
std::string_view host_runtime();
std::string_view host_groups();
std::string_view host_hooks();
std::string_view torus();
// Texts of headers that replace those of CUDA.
std::string_view half();
std::string_view async();
std::string_view fragments();

}  // namespace camber::unit_parts
