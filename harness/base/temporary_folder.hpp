// A folder that no other process has; it goes with the object and with all that is in it. While it
// is there, a wish to end is noted (stop_signal.hpp), and who uses it looks at check_stop().
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/stop_signal.hpp"

namespace camber {

class TemporaryFolder {
  public:
    // `purpose`: what the folder is needed for, "write the results of a process". Throws
    // Error(unavailable) where it cannot be made.
    explicit TemporaryFolder(const std::string& purpose);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path path() const { return path_; }

    // Writes a file of this name into the folder; returns its path. Throws Error(unavailable) if
    // that fails, as on a full disk.
    std::filesystem::path write(const std::string& name, std::string_view text) const;
    // The error of somebody else who could not write into the folder.
    [[noreturn]] void fail(const std::string& reason) const;

  private:
    StopSignals signals_;
    std::string purpose_;
    std::string path_;
};

// Removes the temporary folders that a process left behind when it was killed.
void remove_temporary_folders_of(pid_t process);

}  // namespace camber
