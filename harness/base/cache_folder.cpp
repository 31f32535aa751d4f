#include "harness/base/cache_folder.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "harness/base/atomic_file.hpp"

namespace camber {

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
        // The next run finds it out again.
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

}  // namespace camber
