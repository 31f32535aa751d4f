// A folder that no other process has; it goes with the object and with all that is in it. While it
// is there, a wish to end is noted (stop_signal.hpp), and who uses it looks at check_stop().
#pragma once

#include <filesystem>
#include <string>

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

  private:
    StopSignals signals_;
    std::string path_;
};

}  // namespace camber
