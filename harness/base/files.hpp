// Functions and classes for whole files and folders: input files, compressed files, the user's cache
// folder, temporary folders of a process, and files that belong to the program (shared libraries of a
// build tree, which are loaded on demand, and the data files of an installation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "harness/base/process.hpp"

namespace camber {

// Returns the file's content, or its first `most` bytes, decompressed if the file is;
// the file may belong to the installation (found_file()). Throws Error(usage) if it cannot be read: "cannot read the
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

// Zstandard (RFC 8878), the compressed form of results files: NAME.json.zst

// Suffix of files that are written compressed.
inline constexpr std::string_view compressed_suffix = ".zst";

// True if the data begin as a Zstandard frame does.
bool is_compressed(std::string_view data);

std::string compressed(std::string_view text);

// Removes the frame with which the data begin, and returns its text; nullopt if it is damaged, cut
// off, or longer than `longest` bytes of text.
std::optional<std::string> take_frame(std::string_view& data, std::size_t longest);

// The text of all frames; nullopt if one is damaged or cut off, or has more than 4 GiB.
std::optional<std::string> decompressed(std::string_view data);

// Returns `path`, or the compressed file of this name beside it if only that exists.
std::filesystem::path stored_file(const std::filesystem::path& path);

// The file's name without .json and .zst: "life".
std::string json_stem(const std::filesystem::path& path);

// True if the name ends with .json or .json.zst, as those of results files do.
bool is_json_file(const std::filesystem::path& path);

// Data files of an installation, so that the commands of the guide work outside a clone of the
// repository

// Returns `path` if it exists, or the compressed file of this name (stored_file()). A path that begins
// with results/, examples/ or workloads/ is also looked for below PREFIX/share/camber of the running
// program. Returns `path` if there is no such file. For input only: never write to what it returns.
std::filesystem::path found_file(const std::filesystem::path& path);

// A part of the program in a build tree: a shared library beside it, which is built and loaded when
// it is first needed. A complete program has none.
struct ProgramPart {
    std::string target;          // build target: "camber-life"
    std::filesystem::path file;  // relative to the program's folder: "kernels/camber-life.so"
    std::string what;            // "the kernels of life"
};

std::filesystem::path path_of(const ProgramPart& part);

// Makes the camber script build the part if it is not up to date, if the script started this
// program. Throws Error(unavailable) if that fails.
void build_part(const ProgramPart& part);

// Visibility of the part's symbols: for the part alone, or for all.
enum class Symbols { of_its_own, of_all };

// Loads the part, which stays loaded until the program ends; returns the result of dlopen(). Throws
// Error(unavailable) if it is not built or cannot be loaded.
void* load_part(const ProgramPart& part, Symbols symbols);

void* symbol_of_part(const ProgramPart& part, Symbols symbols, const char* name);

// Returns a function of the part with C linkage. Throws the errors of load_part(), and an Error if
// the part has no such function.
template <class Function>
Function part_function(const ProgramPart& part, Symbols symbols, const char* name) {
    return reinterpret_cast<Function>(symbol_of_part(part, symbols, name));
}

}  // namespace camber
