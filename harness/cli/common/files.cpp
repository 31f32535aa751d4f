#include "harness/cli/common/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

bool are_one(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    if (!fs::exists(a, ignored) || !fs::exists(b, ignored)) return followed(a) == followed(b);
    return !fs::is_other(a, ignored) && fs::equivalent(a, b, ignored);
}

// Of a folder that is an input, an eruption's, files of these kinds are read.
bool is_in(const fs::path& folder, const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored) || !fs::is_regular_file(file, ignored)) return false;
    const fs::path target = followed(file);
    constexpr std::string_view kinds[] = {".cfg", ".asc", ".stt", ".txt"};
    return std::ranges::find(kinds, target.extension().string()) != std::end(kinds) &&
           fs::equivalent(folder, target.parent_path(), ignored);
}

std::string shown(const NamedFile& file) {
    return file.name == file.path ? fmt::format("\"{}\"", file.path.string())
                                  : fmt::format("{} \"{}\"", file.name, file.path.string());
}

}  // namespace

std::vector<NamedFile> named(const std::vector<std::string>& paths) {
    std::vector<NamedFile> files;
    for (const std::string& path : paths) files.push_back({path, path});
    return files;
}

void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
    for (const NamedFile& output : outputs) {
        if (output.path.empty()) continue;
        for (const NamedFile& input : inputs)
            if (!input.path.empty() &&
                (are_one(input.path, output.path) || is_in(input.path, output.path)))
                throw Error(ExitCode::usage,
                            fmt::format("{} would overwrite what is read, {}: choose another file",
                                        shown(output), shown(input)));
        for (const NamedFile& other : outputs) {
            if (&other == &output) break;
            if (!other.path.empty() && are_one(other.path, output.path))
                throw Error(ExitCode::usage, fmt::format("{} and {} are the same file: choose two",
                                                         shown(other), shown(output)));
        }
    }
}

}  // namespace camber
