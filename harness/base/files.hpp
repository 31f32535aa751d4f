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

// Returns the file's content, or its first `most` bytes, decompressed if the file is (compression.hpp);
// the file may belong to the installation (found_file() in program_files.hpp). Throws Error(usage) if it cannot be read: "cannot read the
// KIND "PATH": Is a directory; give the path of WANTED". `kind` names the file in messages ("grid
// file"), `wanted` describes a suitable file ("an ESRI ASCII grid").
std::string read_file(const std::filesystem::path& path, std::string_view kind,
                      std::string_view wanted,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

// Cache of values that are expensive to compute, in a folder of small files. Each value can be
// recomputed: a file that cannot be read is treated as absent, and write errors are ignored. No
// function throws.
class CacheFolder {
  public:
    // $XDG_CACHE_HOME/camber or ~/.cache/camber; nothing is cached if neither variable is set.
    static CacheFolder of_user();

    // "": nothing is cached.
    explicit CacheFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::filesystem::path& path() const { return folder_; }

    std::optional<std::string> read(const std::string& name) const;
    // Writes the whole file or nothing; removes files that have not been written for a month.
    void write(const std::string& name, std::string_view text) const;

    // Removes the oldest files whose names begin with `prefix`, until the remaining ones have at
    // most `bytes` bytes.
    void make_room(std::string_view prefix, std::uintmax_t bytes) const;

    // Makes a text usable in a file name: characters other than letters, digits, '.', '_' and '-'
    // become '_'.
    static std::string part(std::string_view text);

  private:
    std::filesystem::path folder_;
};

// A folder for this process alone, removed with its contents on destruction. During its lifetime,
// stop requests are only noted (StopSignals in process.hpp), and users of the folder must call
// check_stop().
class TemporaryFolder {
  public:
    // `purpose`: completes the error message: "write the results of a process". Throws
    // Error(unavailable) if the folder cannot be created.
    explicit TemporaryFolder(const std::string& purpose);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path path() const { return path_; }

    // Writes a file of this name into the folder; returns its path. Throws Error(unavailable) if
    // that fails, as on a full disk.
    std::filesystem::path write(const std::string& name, std::string_view text) const;
    // Throws the Error for a failed write into the folder by other code.
    [[noreturn]] void fail(const std::string& reason) const;

  private:
    StopSignals signals_;
    std::string purpose_;
    std::string path_;
};

// Removes the temporary folders that a killed process left behind.
void remove_temporary_folders_of(pid_t process);

}  // namespace camber
