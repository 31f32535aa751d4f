// A file that is complete at every moment.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace camber {

// The text is written to a temporary file in the folder of the target, flushed to the disk and
// renamed over the target: a reader sees the old text or the new one, never a part. Every failure
// of the file system is an Error(ExitCode::unavailable) that leaves the target as it was.
class AtomicFile {
  public:
    // Checks that the file can be written, before time is spent on its text; an existing file
    // stays until replace(). A symbolic link is followed now, and the file that it points to is the
    // one replaced, with its permissions kept. Temporary files that a killed process left beside
    // the target are removed. `kind` names the file in messages: "results file".
    AtomicFile(std::filesystem::path path, std::string kind);

    void replace(std::string_view text);

    struct Names {
        std::filesystem::path path;    // as given, for messages
        std::filesystem::path target;  // absolute, links followed
        std::string kind;
    };

  private:
    Names names_;
};

}  // namespace camber
