#include "harness/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "harness/base/error.hpp"

namespace camber {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_suffix = ".camber-tmp";

std::string remedy(int reason, const fs::path& target) {
    switch (reason) {
        case ENOENT:
            return fmt::format(R"(create the folder "{}" first, or choose another path)",
                               target.parent_path().string());
        case ENOTDIR:
            return "a part of the path is a file; choose a path inside a folder";
        case EISDIR:
            return "give the name of a file in that folder";
        case EACCES:
        case EPERM:
        case EROFS:
            return "choose a path that you may write to, or change the permissions";
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return "free some space, or choose a path on another disk";
        case ELOOP:
            return "the symbolic links form a circle; choose another path";
        default:
            return "choose another path";
    }
}

[[noreturn]] void fail(const AtomicFile::Names& names, int reason) {
    throw Error(ExitCode::unavailable,
                fmt::format(R"(cannot write the {} "{}": {}; {})", names.kind, names.path.string(),
                            std::system_category().message(reason), remedy(reason, names.target)));
}

// The file that a chain of symbolic links ends at, even when it does not exist yet (a case in which
// std::filesystem::canonical() fails and weakly_canonical() returns the link).
fs::path follow_links(const fs::path& path, const std::string& kind) {
    constexpr int longest_chain = 40;  // as Linux: path_resolution(7)
    fs::path target = fs::absolute(path);
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        if (links == longest_chain) fail({path, target, kind}, ELOOP);
        const fs::path next = fs::read_symlink(target, error);
        if (error) fail({path, target, kind}, error.value());
        target = target.parent_path() / next;  // an absolute `next` replaces the left side
    }
    return target;
}

// What to replace, after the checks that do not need a trial.
fs::path checked_target(const fs::path& path, const std::string& kind) {
    if (path.empty()) {
        throw Error(
            ExitCode::unavailable,
            fmt::format("cannot write the {}: its path is empty; give the name of a file", kind));
    }
    struct stat existing;
    if (stat(path.c_str(), &existing) == 0) {
        if (S_ISDIR(existing.st_mode)) fail({path, path, kind}, EISDIR);
        // Renaming over a device or a pipe would put a file in its place.
        if (!S_ISREG(existing.st_mode)) {
            throw Error(ExitCode::unavailable,
                        fmt::format(R"(cannot write the {} "{}": it is a device or a pipe, which )"
                                    "cannot be replaced; choose another path",
                                    kind, path.string()));
        }
        if (access(path.c_str(), W_OK) != 0) fail({path, path, kind}, errno);
    } else if (errno != ENOENT) {
        fail({path, path, kind}, errno);
    } else if (!path.has_filename()) {
        fail({path, path, kind}, EISDIR);
    }
    return follow_links(path, kind);
}

// A new file beside the target that becomes the target, or is removed on the way out. It is locked
// while it lives, which tells it from one that a killed process left behind.
class Temporary {
  public:
    explicit Temporary(const AtomicFile::Names& names) : names_(names) {
        for (int number = 0; descriptor_ < 0; ++number) {
            name_ = names_.target.parent_path() / fmt::format(".{}.{}-{}{}",
                                                              names_.target.filename().string(),
                                                              getpid(), number, temporary_suffix);
            descriptor_ = open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
            if (descriptor_ < 0 && errno != EEXIST) fail(names_, errno);
        }
        flock(descriptor_, LOCK_EX);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    ~Temporary() {
        // Closed last: the lock is what keeps others from taking this file for a leftover.
        if (!renamed_) unlink(name_.c_str());
        close(descriptor_);
    }

    void replace_target(std::string_view text) {
        keep_permissions();
        while (!text.empty()) {
            const ssize_t written = write(descriptor_, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(names_, errno);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
        if (fsync(descriptor_) != 0) fail(names_, errno);
        if (rename(name_.c_str(), names_.target.c_str()) != 0) fail(names_, errno);
        renamed_ = true;
        // The rename is on the disk once the folder is; some network file systems cannot tell.
        const int folder =
            open(names_.target.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            fsync(folder);
            close(folder);
        }
    }

  private:
    void keep_permissions() {
        struct stat existing;
        if (stat(names_.target.c_str(), &existing) != 0) return;
        // Owner first, because a change of owner clears the set-id bits. Keeping the owner needs
        // privileges and a file system that has owners, so it may fail.
        const bool owner_kept = fchown(descriptor_, existing.st_uid, existing.st_gid) == 0;
        const mode_t mode = existing.st_mode & (owner_kept ? 07777 : 0777);
        if (fchmod(descriptor_, mode) != 0) fail(names_, errno);
    }

    const AtomicFile::Names& names_;
    fs::path name_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

void remove_leftovers(const fs::path& target) {
    const std::string prefix = fmt::format(".{}.", target.filename().string());
    std::error_code error;
    for (fs::directory_iterator entry(target.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(temporary_suffix)) continue;
        const int descriptor = open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) continue;
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry->path().c_str());
        close(descriptor);
    }
}

}  // namespace

AtomicFile::AtomicFile(fs::path path, std::string kind)
    : names_{path, checked_target(path, kind), kind} {
    remove_leftovers(names_.target);
    // Only a trial shows that the folder takes files (quotas, read-only mounts, network shares).
    const Temporary trial(names_);
}

void AtomicFile::replace(std::string_view text) {
    Temporary temporary(names_);
    temporary.replace_target(text);
}

}  // namespace camber
