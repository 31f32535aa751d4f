// Text of a candidate's file with the kernel files that it includes, its `camber:` lines, and
// checks for features that the executor does not support.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/own/source/directive.hpp"

namespace camber {

struct CandidateSource {
    std::filesystem::path path;  // as given
    // With the files with kernels that it includes, with the macros that are set, and without
    // code of the host and kernels that are not launched.
    std::string text;
    std::string defined;  // definitions that stand before the text
    std::string code;     // the text with blanks for comments and for what stands in quotes
    Directives directives;
    // Where includes are looked for, the file's own folder first.
    std::vector<std::filesystem::path> include_folders;
    // Names of `extern __shared__` arrays, and where in the text these words `__shared__` stand.
    std::vector<std::string> dynamic_shared;
    std::vector<std::size_t> dynamic_shared_words;
};

// Throws Error(usage) for a file that cannot be read or has no directive, for kernels that it names
// and does not have, and, with the line, for what no candidate can use: kernels that launch
// kernels, other threads' groups, inline PTX and the like.
CandidateSource read_candidate(const std::filesystem::path& path, const Settings& settings = {});

// The same of a text; `path` is named in messages.
CandidateSource candidate_from(const std::filesystem::path& path, std::string text,
                               const Settings& settings = {});

// The functions that are declared __global__, each once. `code`: a text without comments.
std::vector<std::string> kernels_in(const std::string& code);

}  // namespace camber
