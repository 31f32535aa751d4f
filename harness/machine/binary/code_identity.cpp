#include "harness/machine/binary/code_identity.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace camber::binary {
namespace {

// Mangled names contain identifiers as length and text. nvcc makes these two unique for each
// source file: the anonymous namespace, and the scope of internal variables.
constexpr std::string_view anonymous = "_GLOBAL__N_";
constexpr std::string_view internal = "_INTERNAL_";
// Spelling of g++ and clang, and a constant in its place.
constexpr std::string_view stable_anonymous = "12_GLOBAL__N_1";
constexpr std::string_view stable_internal = "9_INTERNAL";
// Prefix of static kernels in code for separate compilation. The length of the module's name, that
// name and the kernel's mangled name follow:
// "__nv_static_26__f31b86d5_6_one_cu__Z2swPi__Z4statPfi".
constexpr std::string_view static_prefix = "__nv_static_";
// Longer names are not demangled: the demangler's time grows faster than the name.
constexpr std::size_t longest_name = 20000;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view without_module(std::string_view symbol) {
    if (!symbol.starts_with(static_prefix)) return symbol;
    const std::string_view rest = symbol.substr(static_prefix.size());
    std::size_t length = 0;
    std::size_t digits = 0;
    while (digits < rest.size() && is_digit(rest[digits]) && length < longest_name)
        length = 10 * length + static_cast<std::size_t>(rest[digits++] - '0');
    // An underscore is before the module's name and another one after it.
    const std::size_t start = digits + 1 + length + 1;
    return start < rest.size() ? rest.substr(start) : symbol;
}

}  // namespace

std::string stable_symbol(std::string_view symbol) {
    symbol = without_module(symbol);
    std::string stable;
    stable.reserve(symbol.size());
    for (std::size_t at = 0; at < symbol.size();) {
        std::size_t digits = at;
        std::size_t length = 0;
        while (digits < symbol.size() && is_digit(symbol[digits]) && length < longest_name)
            length = 10 * length + static_cast<std::size_t>(symbol[digits++] - '0');
        if (digits == at) {
            stable += symbol[at++];
            continue;
        }
        const std::string_view identifier = symbol.substr(digits, length);
        const bool whole = identifier.size() == length;
        if (whole && identifier.starts_with(anonymous))
            stable += stable_anonymous;
        else if (whole && identifier.starts_with(internal))
            stable += stable_internal;
        else {
            stable += symbol.substr(at, digits - at);
            at = digits;
            continue;
        }
        at = digits + length;
    }
    return stable;
}

std::string readable_name(std::string_view symbol) {
    const std::string stable = stable_symbol(symbol);
    if (!stable.starts_with("_Z") || stable.size() > longest_name) return stable;
    int status = -1;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(stable.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || !name) return stable;
    std::string readable = name.get();
    constexpr std::string_view scope = "_INTERNAL::";
    for (std::size_t at; (at = readable.find(scope)) != std::string::npos;)
        readable.erase(at, scope.size());
    return readable;
}

}  // namespace camber::binary
