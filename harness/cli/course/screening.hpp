// Screening of submissions before their code runs. A submission may only compute with its
// arguments: code that hides accesses from the executor, or that reaches anything outside of the
// kernel, is rejected.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace camber::course {

inline constexpr std::size_t most_submission_bytes = 256 * 1024;

// Sentence that names the first construct of the source text that a submission must not contain,
// with its line; nullopt if there is none. Comments are examined, too, so that no disagreement with
// the compiler about where a comment ends can hide code.
std::optional<std::string> forbidden_source(std::string_view text);

// Sentence that names a function of another library that the compiled file calls, or a variable
// that outlives a launch; nullopt if there is neither. `library`: bytes of an ELF shared library.
// Throws std::runtime_error if they are damaged.
std::optional<std::string> forbidden_symbols(std::string_view library);

}  // namespace camber::course
