// Names of kernels that stay the same from one compilation to the next.
#pragma once

#include <string>
#include <string_view>

namespace camber::binary {

// Replaces what nvcc derives from a source file's path and content in a mangled name, so that equal
// code in equal functions has an equal name: "_ZN36_GLOBAL__N__8c81b857_4_a_cu_ed5afa424anonEPf"
// becomes "_ZN12_GLOBAL__N_14anonEPf".
std::string stable_symbol(std::string_view symbol);

// Demangled stable_symbol(): "(anonymous namespace)::anon(float*)". The symbol itself if it is not
// mangled, or too long for the demangler.
std::string readable_name(std::string_view symbol);

}  // namespace camber::binary
