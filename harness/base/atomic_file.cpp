#include "harness/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"

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
    const WriteLock own(target);  // takes over the lock file, and removes it
    if (!own.taken()) remove_unfinished(target);
}

namespace {

// Returns true if the path still refers to the open file, which its last holder may have removed.
bool is_named(int descriptor, const std::filesystem::path& path) {
    struct stat opened;
    struct stat named;
    return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

pid_t process_in(int descriptor) {
    char digits[32];
    const ssize_t count = pread(descriptor, digits, sizeof digits, 0);
    pid_t process = 0;
    if (count > 0) std::from_chars(digits, digits + count, process);
    return process;
}

}  // namespace

WriteLock::WriteLock(const std::filesystem::path& target) : path_(lock_of(target)) {
    for (;;) {
        descriptor_ = open(path_.c_str(), O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor_ < 0) return;
        if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) break;
        if (is_named(descriptor_, path_)) {
            // If the disk is full, the lock works without the process id in it.
            const std::string process = fmt::format("{:<31}\n", getpid());
            [[maybe_unused]] const ssize_t written =
                pwrite(descriptor_, process.data(), process.size(), 0);
            report_lock(path_.string());
            return;
        }
        close(descriptor_);
    }
    taken_ = errno == EWOULDBLOCK;
    if (taken_) holder_ = process_in(descriptor_);
    if (!taken_) unlink(path_.c_str());  // the file system has no locks
    close(descriptor_);
    descriptor_ = -1;
}

WriteLock::~WriteLock() {
    if (descriptor_ < 0) return;
    report_unlock(path_.string());
    unlink(path_.c_str());  // while locked, so that no other holder loses its file
    close(descriptor_);
}

namespace {

namespace fs = std::filesystem;

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

[[noreturn]] void cannot_write(const NewFile::Names& names, int reason) {
    throw Error(ExitCode::unavailable,
                fmt::format(R"(cannot write the {} "{}": {}; {})", names.kind, names.path.string(),
                            std::system_category().message(reason), remedy(reason, names.target)));
}

// Follows symbolic links, even to a target that does not exist yet (for which
// std::filesystem::canonical() fails and weakly_canonical() returns the link).
fs::path follow_links(const fs::path& path, std::error_code& error) {
    constexpr int longest_chain = 40;  // as in Linux: path_resolution(7)
    fs::path target = fs::absolute(path);
    for (int links = 0; !error && fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        if (links == longest_chain) {
            error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
            break;
        }
        // An absolute link replaces the left operand.
        target = target.parent_path() / fs::read_symlink(target, error);
    }
    if (error == std::errc::no_such_file_or_directory) error.clear();
    return target;
}

bool is_special(const fs::path& path) {
    std::error_code ignored;
    return fs::is_other(fs::status(path, ignored));
}

// Returns the file to replace, after the checks that do not need a trial write.
fs::path checked_target(const fs::path& path, const std::string& kind) {
    if (path.empty()) {
        throw Error(
            ExitCode::unavailable,
            fmt::format("cannot write the {}: its path is empty; give the name of a file", kind));
    }
    struct stat existing;
    if (stat(path.c_str(), &existing) == 0) {
        if (S_ISDIR(existing.st_mode)) cannot_write({path, path, kind}, EISDIR);
        // Renaming onto a device or a pipe would replace it by a file.
        if (!S_ISREG(existing.st_mode)) {
            throw Error(ExitCode::unavailable,
                        fmt::format(R"(cannot write the {} "{}": it is a device or a pipe, which )"
                                    "cannot be replaced; choose another path",
                                    kind, path.string()));
        }
        if (access(path.c_str(), W_OK) != 0) cannot_write({path, path, kind}, errno);
    } else if (errno != ENOENT) {
        cannot_write({path, path, kind}, errno);
    } else if (!path.has_filename()) {
        cannot_write({path, path, kind}, EISDIR);
    }
    std::error_code error;
    fs::path target = follow_links(path, error);
    if (error) cannot_write({path, target, kind}, error.value());
    return target;
}

}  // namespace

// A new file beside the target that becomes the target or is removed on destruction. It is locked
// during its lifetime, which distinguishes it from the leftover of a killed process.
class NewFile::Temporary {
  public:
    explicit Temporary(const Names& names) : names_(names) {
        for (int number = 0; descriptor_ < 0; ++number) {
            name_ = names_.target.parent_path() / fmt::format(".{}.{}-{}{}",
                                                              names_.target.filename().string(),
                                                              getpid(), number, unfinished_suffix);
            descriptor_ = open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
            if (descriptor_ < 0 && errno != EEXIST) cannot_write(names_, errno);
        }
        flock(descriptor_, LOCK_EX);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    ~Temporary() {
        // Closes the file last: only the lock shows others that this file is in use.
        if (!renamed_) unlink(name_.c_str());
        close(descriptor_);
    }

    const fs::path& name() const { return name_; }

    void write_text(std::string_view text) {
        while (!text.empty()) {
            const ssize_t written = ::write(descriptor_, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) cannot_write(names_, errno);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    void replace_target() {
        keep_permissions();
        if (fsync(descriptor_) != 0) cannot_write(names_, errno);
        if (rename(name_.c_str(), names_.target.c_str()) != 0) cannot_write(names_, errno);
        renamed_ = true;
        // The rename is persistent once the folder is synchronized, which some network file systems
        // do not support.
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
        // Changes the owner first, because that clears the set-id bits. It may fail, as it needs
        // privileges and a file system with owners.
        const bool owner_kept = fchown(descriptor_, existing.st_uid, existing.st_gid) == 0;
        const mode_t mode = existing.st_mode & (owner_kept ? 07777 : 0777);
        if (fchmod(descriptor_, mode) != 0) cannot_write(names_, errno);
    }

    const Names& names_;
    fs::path name_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

NewFile::NewFile(const fs::path& path, const std::string& kind) : names_{path, path, kind} {
    if (is_special(path)) return;
    names_.target = checked_target(path, kind);
    temporary_ = std::make_unique<Temporary>(names_);
}

NewFile::~NewFile() = default;

const fs::path& NewFile::path() const {
    return temporary_ ? temporary_->name() : names_.target;
}

void NewFile::finish() {
    if (temporary_) temporary_->replace_target();
    temporary_.reset();
}

void NewFile::fail(int reason) const {
    cannot_write(names_, reason);
}

AtomicFile::AtomicFile(fs::path path, std::string kind)
    : names_{path, checked_target(path, kind), kind}, lock_(names_.target) {
    if (lock_.taken())
        throw Error(
            ExitCode::unavailable,
            fmt::format(
                R"(cannot write the {} "{}": another camber{} is writing it; wait until it )"
                "has ended, or choose another path",
                kind, path.string(),
                lock_.holder() > 0 ? fmt::format(", process {},", lock_.holder()) : ""));
    remove_unfinished(names_.target);
    // Only a trial file shows that the folder is writable (quotas, read-only mounts, network
    // shares).
    const NewFile trial(names_.path, names_.kind);
}

void AtomicFile::replace(std::string_view text) {
    NewFile file(names_.target, names_.kind);
    if (names_.target.extension() == compressed_suffix)
        file.temporary_->write_text(compressed(text));
    else
        file.temporary_->write_text(text);
    file.finish();
}

std::optional<fs::path> AtomicFile::set_aside() {
    const fs::path stem = names_.target.parent_path() / names_.target.stem();
    for (int number = 1;; ++number) {
        const fs::path name =
            fmt::format("{}-{}{}", stem.string(), number, names_.target.extension().string());
        // A hard link, unlike a rename, keeps the file in its folder entry until it is replaced.
        if (link(names_.target.c_str(), name.c_str()) == 0) return name.filename();
        if (errno == ENOENT) return std::nullopt;
        if (errno == EEXIST) continue;
        std::error_code error;
        if (fs::exists(name, error)) continue;
        fs::rename(names_.target, name, error);  // a file system without hard links
        if (error) cannot_write(names_, error.value());
        return name.filename();
    }
}

void check_new_file(const fs::path& path, const std::string& kind) {
    const NewFile trial(path, kind);
}

fs::path followed(const fs::path& path) {
    std::error_code ignored;
    const fs::path target = follow_links(path, ignored);
    return fs::weakly_canonical(target, ignored);
}

}  // namespace camber
