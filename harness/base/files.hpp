// Functions and classes for whole files and folders: input files, the user's cache folder, and
// temporary folders of a process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/process.hpp"

namespace camber {

// Files that are read as a whole.

// The file's content, or its first `most` bytes; the file may be one of the installation's
// (installed_files.hpp). Throws Error(usage) where it cannot be read:
// "cannot read the KIND "PATH": Is a directory; give the path of WANTED". `kind` is what it is in
// messages ("grid file"), `wanted` what belongs in its place ("an ESRI ASCII grid").
std::string read_file(const std::filesystem::path& path, std::string_view kind,
                      std::string_view wanted,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

// Where what took long to find out is kept for the next run.

// A folder of small files, each of which can be had again: what cannot be read is absent, what
// cannot be written is forgotten. Nothing here throws.
class CacheFolder {
  public:
    // $XDG_CACHE_HOME/camber or ~/.cache/camber; nothing is kept where neither variable is set.
    static CacheFolder of_user();

    // "": nothing is kept.
    explicit CacheFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::optional<std::string> read(const std::string& name) const;
    // Whole or not at all; files that have not been written for a month go.
    void write(const std::string& name, std::string_view text) const;

    // Removes the oldest files whose names begin so, until those that stay have no more bytes.
    void make_room(std::string_view prefix, std::uintmax_t bytes) const;

    // As a part of a file's name: other characters than letters, digits, '.', '_' and '-' become
    // '_'.
    static std::string part(std::string_view text);

  private:
    std::filesystem::path folder_;
};

// A folder that no other process has; it goes with the object and with all that is in it. While it
// is there, a wish to end is noted (stop_signal.hpp), and who uses it looks at check_stop().
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
