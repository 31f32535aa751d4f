#include "harness/base/read_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "harness/base/error.hpp"

namespace camber {

std::string read_file(const std::filesystem::path& path, std::string_view kind,
                      std::string_view wanted, std::size_t most) {
    const auto fail = [&](int reason) {
        const bool folder = reason == EISDIR;
        throw Error(ExitCode::usage,
                    fmt::format(R"(cannot read the {} "{}": {}; )", kind, path.string(),
                                std::system_category().message(reason)) +
                        (folder ? fmt::format("give the path of {}", wanted)
                                : "check its path and permissions"));
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (!file) fail(errno);
    std::string text;
    char buffer[1 << 16];
    // A directory opens like a file on Linux; only reading it fails.
    for (std::size_t count = 1; count > 0 && text.size() < most; text.append(buffer, count))
        count = std::fread(buffer, 1, std::min(sizeof buffer, most - text.size()), file.get());
    if (std::ferror(file.get())) fail(errno);
    return text;
}

}  // namespace camber
