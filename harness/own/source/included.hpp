// Files of CUDA C++ that a kernel's file includes, such as an application's own source.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace camber {

struct ExpandedText {
    std::string text;
    // Folders of the files that were put in, to look for their own includes.
    std::vector<std::filesystem::path> folders;
};

// Puts files with kernels or launches in the place of the `#include "..."` that names them, with
// `#line` around; other includes stay. Looks beside `file`, then in `include_folders`.
ExpandedText with_included_kernels(const std::string& text, const std::filesystem::path& file,
                                   const std::vector<std::filesystem::path>& include_folders);

}  // namespace camber
