#include "harness/base/leftovers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <system_error>

#include "harness/base/write_lock.hpp"

namespace camber {

namespace fs = std::filesystem;

namespace {
constexpr std::string_view lock_suffix = ".camber-lock";
}

fs::path lock_of(const fs::path& target) {
    return target.parent_path() / fmt::format(".{}{}", target.filename().string(), lock_suffix);
}

fs::path target_of_lock(const fs::path& lock) {
    const std::string name = lock.filename().string();
    if (!name.starts_with('.') || !name.ends_with(lock_suffix)) return {};
    return lock.parent_path() / name.substr(1, name.size() - 1 - lock_suffix.size());
}

void remove_unfinished(const fs::path& target) {
    const std::string prefix = fmt::format(".{}.", target.filename().string());
    std::error_code error;
    for (fs::directory_iterator entry(target.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(unfinished_suffix)) continue;
        const int descriptor = open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) continue;
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry->path().c_str());
        close(descriptor);
    }
}

void remove_leftovers_of(const fs::path& lock) {
    const fs::path target = target_of_lock(lock);
    if (target.empty()) return;
    const WriteLock own(target);  // takes the file over, and removes it
    if (!own.taken()) remove_unfinished(target);
}

}  // namespace camber
