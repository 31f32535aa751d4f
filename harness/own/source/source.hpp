// A candidate's file with the kernel files that it includes and its `camber:` lines. Checks for
// features that the executor does not support.
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
    // Source code with included kernel files expanded and macros set, without host code and without
    // kernels that are not launched.
    std::string text;
    std::string defined;  // definitions to compile before the text
    std::string code;     // the text with comments and literals blanked out
    Directives directives;
    // Include paths, the file's own folder first.
    std::vector<std::filesystem::path> include_folders;
    // Names of `extern __shared__` arrays, and positions of these `__shared__` words in the text.
    std::vector<std::string> dynamic_shared;
    std::vector<std::size_t> dynamic_shared_words;
    // Why the executor cannot run the kernels: "k.cu:3: inline PTX is not supported on the CPU"; ""
    // if it can.
    std::string device_only;
};

// Throws Error(usage) if the file cannot be read or has no directive, if a named kernel does not
// exist in it, and, with the line number, for kernels that launch kernels.
CandidateSource read_candidate(const std::filesystem::path& path, const Settings& settings = {});

// The same for a text; error messages name `path`.
CandidateSource candidate_from(const std::filesystem::path& path, std::string text,
                               const Settings& settings = {});

// Throws Error(usage) if the executor cannot run the kernels, which a reference must allow.
void require_executor(const CandidateSource& source);

// Names of all functions declared __global__, each once. `code`: without comments.
std::vector<std::string> kernels_in(const std::string& code);

}  // namespace camber
