#include "harness/base/read_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/installed_files.hpp"

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
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen(found_file(path).c_str(), "rb"), std::fclose);
    if (!file) fail(errno);
    // A device may have no end.
    struct stat status {};
    const bool has_size = fstat(fileno(file.get()), &status) == 0 && S_ISREG(status.st_mode);
    constexpr std::size_t most_of_device = std::size_t{1} << 28;
    const std::size_t limit = has_size ? most : std::min(most, most_of_device);
    std::string text;
    char buffer[1 << 16];
    // A directory opens like a file on Linux; only reading it fails.
    for (std::size_t count = 1; count > 0 && text.size() < limit; text.append(buffer, count))
        count = std::fread(buffer, 1, std::min(sizeof buffer, limit - text.size()), file.get());
    if (std::ferror(file.get())) fail(errno);
    if (!has_size && text.size() >= most_of_device && most > most_of_device)
        throw Error(
            ExitCode::usage,
            fmt::format(R"(cannot read the {} "{}": it is no file and gives more than {} MiB; )"
                        "give the path of {}",
                        kind, path.string(), most_of_device >> 20, wanted));
    return text;
}

}  // namespace camber
