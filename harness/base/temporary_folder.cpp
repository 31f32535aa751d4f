#include "harness/base/temporary_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>

#include "harness/base/error.hpp"

namespace camber {

namespace fs = std::filesystem;

namespace {

constexpr const char* other_folder = "set TMPDIR to a folder that can be written";

// Like fs::temp_directory_path(), whose error only says that it is no folder.
fs::path folder_for_temporary_files() {
    for (const char* const variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
        if (const char* const path = std::getenv(variable); path && *path) return path;
    return "/tmp";
}

std::string prefix_of(pid_t process) {
    return fmt::format("camber-{}-", process);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose)
    : purpose_(purpose),
      path_((folder_for_temporary_files() / (prefix_of(getpid()) + "XXXXXX")).string()) {
    if (mkdtemp(path_.data()) == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot {} in the temporary folder \"{}\": {}; {}", purpose,
                                folder_for_temporary_files().string(), std::strerror(errno),
                                errno == ENOSPC || errno == EDQUOT
                                    ? "free some space, or set TMPDIR to a folder on another disk"
                                    : other_folder));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const std::string& name, std::string_view text) const {
    const fs::path path = path_ / fs::path(name);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                               std::fclose);
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
        std::fflush(file.get()) != 0)
        fail(std::strerror(errno));
    return path;
}

void TemporaryFolder::fail(const std::string& reason) const {
    throw Error(ExitCode::unavailable,
                fmt::format("cannot {} in the temporary folder \"{}\": {}; free some space, or set "
                            "TMPDIR to a folder on another disk",
                            purpose_, fs::path(path_).parent_path().string(), reason));
}

void remove_temporary_folders_of(pid_t process) {
    std::error_code error;
    for (fs::directory_iterator entry(folder_for_temporary_files(), error), end;
         !error && entry != end; entry.increment(error)) {
        if (!entry->path().filename().string().starts_with(prefix_of(process))) continue;
        std::error_code ignored;
        fs::remove_all(entry->path(), ignored);
    }
}

}  // namespace camber
