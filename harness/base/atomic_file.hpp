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

// Leftover files of a killed process

// Suffix of a file that is not complete yet.
inline constexpr std::string_view unfinished_suffix = ".camber-tmp";

// Name of the lock file of `target`, and of the target of a lock file.
std::filesystem::path lock_of(const std::filesystem::path& target);
std::filesystem::path target_of_lock(const std::filesystem::path& lock);

// Removes unfinished files beside `target` that no living process locks.
void remove_unfinished(const std::filesystem::path& target);

// Removes a lock file that no living process has locked, and the unfinished files of its target.
void remove_leftovers_of(const std::filesystem::path& lock);

// Admits one writer at a time to a file that is replaced repeatedly, by a lock file beside the
// target that is locked during this object's lifetime and then removed. The leftover of a killed
// process is not locked and is taken over. Without effect if the file cannot be created or the file
// system has no locks.
class WriteLock {
  public:
    explicit WriteLock(const std::filesystem::path& target);
    ~WriteLock();
    WriteLock(const WriteLock&) = delete;
    WriteLock& operator=(const WriteLock&) = delete;

    // taken(): another writer has locked the target. holder(): its process id, or 0 if unknown.
    bool taken() const { return taken_; }
    pid_t holder() const { return holder_; }

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    bool taken_ = false;
    pid_t holder_ = 0;
};

// A file that is written under a temporary name and renamed when it is complete: a reader sees the
// old content or the new one, never a part. Every failure of the file system is an
// Error(ExitCode::unavailable) that leaves the target as it was. A symbolic link is resolved; its
// target is replaced and keeps its permissions. `kind` names the file in messages: "results file".
class NewFile {
  public:
    // A device or a pipe cannot be replaced: it is written directly.
    NewFile(const std::filesystem::path& path, const std::string& kind);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    // Removes an unfinished file.
    ~NewFile();

    // Path to write to.
    const std::filesystem::path& path() const;
    // Renames the file to the target; to be called once everything is written and closed.
    void finish();
    // Throws an Error with the system's message for `reason`, an errno.
    [[noreturn]] void fail(int reason) const;

    struct Names {
        std::filesystem::path path;    // as given, for messages
        std::filesystem::path target;  // absolute, with links resolved
        std::string kind;
    };

  private:
    friend class AtomicFile;
    class Temporary;
    Names names_;
    std::unique_ptr<Temporary> temporary_;
};

// A text file that is replaced repeatedly, by one process at a time.
class AtomicFile {
  public:
    // Checks that the file can be written, before time is spent on its content; an existing file is
    // not changed until replace(). Temporary files that a killed process left beside the target are
    // removed. Throws Error if another process has an AtomicFile of this path.
    AtomicFile(std::filesystem::path path, std::string kind);

    // Compresses the text if the file's name ends with .zst.
    void replace(std::string_view text);

    // Gives an existing file another name beside it, "results-1.json", and returns that; nullopt if
    // there is none.
    std::optional<std::filesystem::path> set_aside();

  private:
    NewFile::Names names_;
    WriteLock lock_;
};

// Throws the errors of a NewFile with this path, except for a device or a pipe. Leaves no files
// behind.
void check_new_file(const std::filesystem::path& path, const std::string& kind);

// Returns the absolute path of the file at the end of a chain of symbolic links; it need not exist.
std::filesystem::path followed(const std::filesystem::path& path);

}  // namespace camber
