#include "workloads/grid_file/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

#include "harness/base/error.hpp"

namespace camber::grid_file {

std::ifstream open_text(const std::filesystem::path& path, std::string_view kind,
                        std::string_view wanted) {
    std::error_code ignored;
    // A directory opens like a file on Linux; only reading it fails.
    if (std::filesystem::is_directory(path, ignored))
        throw Error(ExitCode::usage,
                    fmt::format("the {} \"{}\" is a directory: give the path of {}", kind,
                                path.string(), wanted));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Error(ExitCode::usage,
                    fmt::format("cannot open the {} \"{}\": {}; check its path and permissions",
                                kind, path.string(), std::strerror(errno)));
    return in;
}

std::string read_text(const std::filesystem::path& path, std::string_view kind,
                      std::string_view wanted) {
    std::ostringstream text;
    text << open_text(path, kind, wanted).rdbuf();
    return std::move(text).str();
}

void write_text(const std::filesystem::path& path,
                const std::function<void(std::ostream&)>& write) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (file) write(file);
    if (!file.flush())
        throw Error(ExitCode::unavailable, fmt::format("cannot write {}: {}; choose another file",
                                                       path.string(), std::strerror(errno)));
}

}  // namespace camber::grid_file
