#include "harness/base/write_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>

#include "harness/base/guard_page.hpp"
#include "harness/base/leftovers.hpp"

namespace camber {

namespace {

// Whether the path still names the file that is open: its last holder may have removed it.
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
            // On a full disk the lock holds without the number.
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
    if (!taken_) unlink(path_.c_str());  // no locks here
    close(descriptor_);
    descriptor_ = -1;
}

WriteLock::~WriteLock() {
    if (descriptor_ < 0) return;
    report_unlock(path_.string());
    unlink(path_.c_str());  // while it is locked, so that no other holder loses its file
    close(descriptor_);
}

}  // namespace camber
