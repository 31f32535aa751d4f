// Files that are complete at every moment.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/write_lock.hpp"

namespace camber {

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
