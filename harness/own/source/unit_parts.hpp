// Source files in harness/own/host that are compiled together with a kernel, embedded in the
// program by cmake/Candidate.cmake.
#pragma once

#include <string_view>

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
