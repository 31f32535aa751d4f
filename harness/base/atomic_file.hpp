// Output files that readers always see complete, with a lock that admits one writer at a time and
// the removal of files that a killed process left behind.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace camber {

// Files that a killed process left beside one that it wrote (atomic_file.hpp).

// Suffix of a file that is not complete yet.
inline constexpr std::string_view unfinished_suffix = ".camber-tmp";

// The lock file of `target`, and the target of a lock file.
std::filesystem::path lock_of(const std::filesystem::path& target);
std::filesystem::path target_of_lock(const std::filesystem::path& lock);

// Removes unfinished files beside `target` that no living process locks.
void remove_unfinished(const std::filesystem::path& target);

// Removes a lock file that no living process holds, and the unfinished files of its target.
void remove_leftovers_of(const std::filesystem::path& lock);

// One writer at a time of a file that is replaced again and again.

// A file beside the target, which is locked while the writer lives and goes with it. One that a
// killed process left behind is not locked and is taken over. Where the file cannot be made, or the
// file system has no locks, nothing is locked.
class WriteLock {
  public:
    explicit WriteLock(const std::filesystem::path& target);
    ~WriteLock();
    WriteLock(const WriteLock&) = delete;
    WriteLock& operator=(const WriteLock&) = delete;

    // Whether another writer has the target; of which process, or 0 where that is unknown.
    bool taken() const { return taken_; }
    pid_t holder() const { return holder_; }

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    bool taken_ = false;
    pid_t holder_ = 0;
};

// Files that are complete at every moment.

// A file that is written beside its place and moved there when it is complete: a reader sees the
// old content or the new one, never a part. Every failure of the file system is an
// Error(ExitCode::unavailable) that leaves the target as it was. A symbolic link is followed, and
// the file that it points to is the one replaced, with its permissions kept. `kind` names the file
// in messages: "results file".
class NewFile {
  public:
    // A device or a pipe cannot be replaced: it is written directly.
    NewFile(const std::filesystem::path& path, const std::string& kind);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    // Removes what was not finished.
    ~NewFile();

    // Where to write.
    const std::filesystem::path& path() const;
    // Call it once everything is written and closed.
    void finish();
    // Throws the Error for the system's reason, an errno.
    [[noreturn]] void fail(int reason) const;

    struct Names {
        std::filesystem::path path;    // as given, for messages
        std::filesystem::path target;  // absolute, links followed
        std::string kind;
    };

  private:
    friend class AtomicFile;
    class Temporary;
    Names names_;
    std::unique_ptr<Temporary> temporary_;
};

// A file of text that is replaced again and again, by one process at a time.
class AtomicFile {
  public:
    // Checks that the file can be written, before time is spent on its text; an existing file
    // stays until replace(). Temporary files that a killed process left beside the target are
    // removed. Another process that has the file open so is an Error too.
    AtomicFile(std::filesystem::path path, std::string kind);

    void replace(std::string_view text);

    // Gives the file that stands there another name beside it, "results-1.json", and returns that;
    // nothing where there is none.
    std::optional<std::filesystem::path> set_aside();

  private:
    NewFile::Names names_;
    WriteLock lock_;
};

// Throws where a NewFile of that path would, but for a device or a pipe. Leaves no trace.
void check_new_file(const std::filesystem::path& path, const std::string& kind);

// The absolute path of the file that a chain of symbolic links ends at, which need not exist.
std::filesystem::path followed(const std::filesystem::path& path);

}  // namespace camber
