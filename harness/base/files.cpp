#include "harness/base/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/compression.hpp"
#include "harness/base/error.hpp"
#include "harness/base/program_files.hpp"

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
    // Only regular files have a size; a device may be endless.
    struct stat status {};
    const bool has_size = fstat(fileno(file.get()), &status) == 0 && S_ISREG(status.st_mode);
    constexpr std::size_t most_of_device = std::size_t{1} << 28;
    // A compressed file is read whole, whatever its text's first part.
    std::size_t limit = has_size ? most : std::min(most, most_of_device);
    std::string text;
    char buffer[1 << 16];
    // On Linux, opening a directory succeeds; only reading it fails.
    for (std::size_t count = 1; count > 0 && text.size() < limit; text.append(buffer, count)) {
        count = std::fread(buffer, 1, std::min(sizeof buffer, limit - text.size()), file.get());
        if (text.empty() && has_size && is_compressed({buffer, count}))
            limit = std::numeric_limits<std::size_t>::max();
    }
    if (std::ferror(file.get())) fail(errno);
    if (!has_size && text.size() >= most_of_device && most > most_of_device)
        throw Error(
            ExitCode::usage,
            fmt::format(R"(cannot read the {} "{}": it is no file and gives more than {} MiB; )"
                        "give the path of {}",
                        kind, path.string(), most_of_device >> 20, wanted));
    if (!is_compressed(text)) return text;
    if (auto full = decompressed(text)) {
        full->resize(std::min(full->size(), most));
        return *std::move(full);
    }
    throw Error(ExitCode::usage,
                fmt::format(R"(cannot read the {} "{}": its Zstandard data are damaged or cut off; )"
                            "copy or write the file again",
                            kind, path.string()));
}

namespace fs = std::filesystem;

namespace {

void remove_old(const fs::path& folder) {
    constexpr auto month = std::chrono::hours(24 * 30);
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        const auto written = entry->last_write_time(ignored);
        if (!ignored && entry->is_regular_file(ignored) && now - written > month)
            fs::remove(entry->path(), ignored);
    }
}

}  // namespace

CacheFolder CacheFolder::of_user() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && fs::path(cache).is_absolute()) return CacheFolder(fs::path(cache) / "camber");
    const char* home = std::getenv("HOME");
    if (home && fs::path(home).is_absolute())
        return CacheFolder(fs::path(home) / ".cache" / "camber");
    return CacheFolder(fs::path());
}

std::optional<std::string> CacheFolder::read(const std::string& name) const {
    if (folder_.empty()) return std::nullopt;
    try {
        std::ifstream file(folder_ / name, std::ios::binary);
        std::string text(std::istreambuf_iterator<char>(file), {});
        if (!file.is_open() || file.bad()) return std::nullopt;
        return text;
    } catch (const std::exception&) {  // a folder of that name
        return std::nullopt;
    }
}

void CacheFolder::write(const std::string& name, std::string_view text) const {
    if (folder_.empty()) return;
    try {
        fs::create_directories(folder_);
        AtomicFile(folder_ / name, "cache").replace(text);
        remove_old(folder_);
    } catch (const std::exception&) {
        // The next run computes the value again.
    }
}

void CacheFolder::make_room(std::string_view prefix, std::uintmax_t bytes) const {
    if (folder_.empty()) return;
    struct File {
        fs::file_time_type written;
        std::uintmax_t size;
        fs::path path;
    };
    std::vector<File> files;
    std::uintmax_t sum = 0;
    std::error_code error;
    for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (!entry->path().filename().string().starts_with(prefix) ||
            !entry->is_regular_file(ignored))
            continue;
        files.push_back(
            {entry->last_write_time(ignored), entry->file_size(ignored), entry->path()});
        sum += files.back().size;
    }
    std::ranges::sort(files, {}, &File::written);
    for (const File& file : files) {
        if (sum <= bytes) return;
        if (fs::remove(file.path, error)) sum -= file.size;
    }
}

std::string CacheFolder::part(std::string_view text) {
    std::string name;
    for (const char c : text) {
        const bool kept = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-';
        name += kept ? c : '_';
    }
    return name;
}

namespace fs = std::filesystem;

namespace {

constexpr const char* other_folder = "set TMPDIR to a folder that can be written";

// Like fs::temp_directory_path(), whose error message does not name the folder.
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
