#include "harness/base/files.hpp"

#include <dlfcn.h>
#include <spawn.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"

namespace camber {

std::string read_file(const std::filesystem::path& path, std::string_view kind,
                      std::string_view wanted, std::size_t most) {
    const auto fail = [&](int reason) {
        const bool folder = reason == EISDIR;
        throw Error(ExitCode::usage,
                    fmt::format(R"(cannot read the {} "{}": {}; )", kind, path.string(),
                                std::system_category().message(reason)) +
                        (folder ? fmt::format("give the path of {}", wanted)
                                : "check its path and permissions"));
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen(found_file(path).c_str(), "rb"), std::fclose);
    if (!file) fail(errno);
    // Only regular files have a size; a device may be endless.
    struct stat status {};
    const bool has_size = fstat(fileno(file.get()), &status) == 0 && S_ISREG(status.st_mode);
    constexpr std::size_t most_of_device = std::size_t{1} << 28;
    // A compressed file is read whole, whatever its text's first part.
    std::size_t limit = has_size ? most : std::min(most, most_of_device);
    std::string text;
    char buffer[1 << 16];
    // On Linux, opening a directory succeeds; only reading it fails.
    for (std::size_t count = 1; count > 0 && text.size() < limit; text.append(buffer, count)) {
        count = std::fread(buffer, 1, std::min(sizeof buffer, limit - text.size()), file.get());
        if (text.empty() && has_size && is_compressed({buffer, count}))
            limit = std::numeric_limits<std::size_t>::max();
    }
    if (std::ferror(file.get())) fail(errno);
    if (!has_size && text.size() >= most_of_device && most > most_of_device)
        throw Error(
            ExitCode::usage,
            fmt::format(R"(cannot read the {} "{}": it is no file and gives more than {} MiB; )"
                        "give the path of {}",
                        kind, path.string(), most_of_device >> 20, wanted));
    if (!is_compressed(text)) return text;
    if (auto full = decompressed(text)) {
        full->resize(std::min(full->size(), most));
        return *std::move(full);
    }
    throw Error(ExitCode::usage,
                fmt::format(R"(cannot read the {} "{}": its Zstandard data are damaged or cut off; )"
                            "copy or write the file again",
                            kind, path.string()));
}

namespace fs = std::filesystem;

namespace {

void remove_old(const fs::path& folder) {
    constexpr auto month = std::chrono::hours(24 * 30);
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        const auto written = entry->last_write_time(ignored);
        if (!ignored && entry->is_regular_file(ignored) && now - written > month)
            fs::remove(entry->path(), ignored);
    }
}

}  // namespace

CacheFolder CacheFolder::of_user() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && fs::path(cache).is_absolute()) return CacheFolder(fs::path(cache) / "camber");
    const char* home = std::getenv("HOME");
    if (home && fs::path(home).is_absolute())
        return CacheFolder(fs::path(home) / ".cache" / "camber");
    return CacheFolder(fs::path());
}

std::optional<std::string> CacheFolder::read(const std::string& name) const {
    if (folder_.empty()) return std::nullopt;
    try {
        std::ifstream file(folder_ / name, std::ios::binary);
        std::string text(std::istreambuf_iterator<char>(file), {});
        if (!file.is_open() || file.bad()) return std::nullopt;
        return text;
    } catch (const std::exception&) {  // a folder of that name
        return std::nullopt;
    }
}

void CacheFolder::write(const std::string& name, std::string_view text) const {
    if (folder_.empty()) return;
    try {
        fs::create_directories(folder_);
        AtomicFile(folder_ / name, "cache").replace(text);
        remove_old(folder_);
    } catch (const std::exception&) {
        // The next run computes the value again.
    }
}

void CacheFolder::make_room(std::string_view prefix, std::uintmax_t bytes) const {
    if (folder_.empty()) return;
    struct File {
        fs::file_time_type written;
        std::uintmax_t size;
        fs::path path;
    };
    std::vector<File> files;
    std::uintmax_t sum = 0;
    std::error_code error;
    for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (!entry->path().filename().string().starts_with(prefix) ||
            !entry->is_regular_file(ignored))
            continue;
        files.push_back(
            {entry->last_write_time(ignored), entry->file_size(ignored), entry->path()});
        sum += files.back().size;
    }
    std::ranges::sort(files, {}, &File::written);
    for (const File& file : files) {
        if (sum <= bytes) return;
        if (fs::remove(file.path, error)) sum -= file.size;
    }
}

std::string CacheFolder::part(std::string_view text) {
    std::string name;
    for (const char c : text) {
        const bool kept = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-';
        name += kept ? c : '_';
    }
    return name;
}

namespace fs = std::filesystem;

namespace {

constexpr const char* other_folder = "set TMPDIR to a folder that can be written";

// Like fs::temp_directory_path(), whose error message does not name the folder.
fs::path folder_for_temporary_files() {
    for (const char* const variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
        if (const char* const path = std::getenv(variable); path && *path) return path;
    return "/tmp";
}

std::string prefix_of(pid_t process) {
    return fmt::format("camber-{}-", process);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose)
    : purpose_(purpose),
      path_((folder_for_temporary_files() / (prefix_of(getpid()) + "XXXXXX")).string()) {
    if (mkdtemp(path_.data()) == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot {} in the temporary folder \"{}\": {}; {}", purpose,
                                folder_for_temporary_files().string(), std::strerror(errno),
                                errno == ENOSPC || errno == EDQUOT
                                    ? "free some space, or set TMPDIR to a folder on another disk"
                                    : other_folder));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const std::string& name, std::string_view text) const {
    const fs::path path = path_ / fs::path(name);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                               std::fclose);
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
        std::fflush(file.get()) != 0)
        fail(std::strerror(errno));
    return path;
}

void TemporaryFolder::fail(const std::string& reason) const {
    throw Error(ExitCode::unavailable,
                fmt::format("cannot {} in the temporary folder \"{}\": {}; free some space, or set "
                            "TMPDIR to a folder on another disk",
                            purpose_, fs::path(path_).parent_path().string(), reason));
}

void remove_temporary_folders_of(pid_t process) {
    std::error_code error;
    for (fs::directory_iterator entry(folder_for_temporary_files(), error), end;
         !error && entry != end; entry.increment(error)) {
        if (!entry->path().filename().string().starts_with(prefix_of(process))) continue;
        std::error_code ignored;
        fs::remove_all(entry->path(), ignored);
    }
}

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "\x28\xb5\x2f\xfd";
// Files are written once and read often; at this level a campaign's largest file takes a second.
constexpr int level = 12;

}  // namespace

bool is_compressed(std::string_view data) {
    return data.starts_with(magic);
}

std::string compressed(std::string_view text) {
    std::string data(ZSTD_compressBound(text.size()), '\0');
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                       ZSTD_freeCCtx);
    if (!context) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    const std::size_t size =
        ZSTD_compress2(context.get(), data.data(), data.size(), text.data(), text.size());
    if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // the buffer suffices for any text
    data.resize(size);
    return data;
}

std::optional<std::string> take_frame(std::string_view& data, std::size_t longest) {
    constexpr std::size_t step = std::size_t{4} << 20;
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                       ZSTD_freeDCtx);
    if (!context) throw std::bad_alloc();
    ZSTD_inBuffer input{data.data(), data.size(), 0};
    std::string text;
    // In steps: memory grows with what is really there, not with what a header claims.
    for (std::size_t pending = 1; pending != 0;) {
        const std::size_t done = text.size();
        text.resize(std::min(longest, done + step));
        ZSTD_outBuffer output{text.data(), text.size(), done};
        const std::size_t taken = input.pos;
        pending = ZSTD_decompressStream(context.get(), &output, &input);
        const bool stuck = output.pos == done && input.pos == taken;
        text.resize(output.pos);
        if (ZSTD_isError(pending) != 0 || (pending != 0 && stuck)) return std::nullopt;
    }
    data.remove_prefix(input.pos);
    return text;
}

std::optional<std::string> decompressed(std::string_view data) {
    constexpr std::size_t longest = std::size_t{4} << 30;
    std::string text;
    while (!data.empty()) {
        const auto frame = take_frame(data, longest - text.size());
        if (!frame) return std::nullopt;
        text += *frame;
    }
    return text;
}

fs::path stored_file(const fs::path& path) {
    std::error_code error;
    if (path.empty() || fs::exists(path, error)) return path;
    fs::path other = path;
    other += compressed_suffix;
    return fs::exists(other, error) ? other : path;
}

std::string json_stem(const fs::path& path) {
    const fs::path name = path.extension() == compressed_suffix ? path.stem() : path.filename();
    return name.stem().string();
}

bool is_json_file(const fs::path& path) {
    return path.extension() == ".json" ||
           (path.extension() == compressed_suffix && path.stem().extension() == ".json");
}

namespace fs = std::filesystem;

fs::path found_file(const fs::path& path) {
    constexpr std::array<std::string_view, 3> folders{"results", "examples", "workloads"};
    std::error_code error;
    fs::path stored = stored_file(path);
    if (path.empty() || path.is_absolute() || fs::exists(stored, error)) return stored;
    const fs::path plain = path.lexically_normal();
    if (std::ranges::find(folders, plain.begin()->string()) == folders.end()) return path;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return path;
    const fs::path installed =
        stored_file(program.parent_path().parent_path() / "share/camber" / plain);
    return fs::exists(installed, error) ? installed : path;
}

std::filesystem::path path_of(const ProgramPart& part) {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / part.file;
}

void build_part(const ProgramPart& part) {
    // The script runs Ninja, which does nothing if the library is up to date.
    const char* const builder = std::getenv("CAMBER_BUILDER");
    if (builder == nullptr) return;
    std::string script = builder;
    std::string option = "--build";
    std::string target = part.target;
    std::array<char*, 4> words{script.data(), option.data(), target.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, 2, 1);
    pid_t child = 0;
    const int failure =
        posix_spawn(&child, script.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failure == 0) waitpid(child, &status, 0);
    if (failure != 0 || status != 0)
        throw Error(ExitCode::unavailable, fmt::format("{} could not be built", part.what));
}

void* load_part(const ProgramPart& part, Symbols symbols) {
    const std::filesystem::path library = path_of(part);
    if (!std::filesystem::exists(library))
        throw Error(
            ExitCode::unavailable,
            fmt::format("{} are not built: start the program as ./camber, which builds them",
                        part.what));
    const int scope = symbols == Symbols::of_all ? RTLD_GLOBAL : RTLD_LOCAL;
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | scope);
    if (loaded == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("{} cannot be loaded: {}", part.what, dlerror()));
    return loaded;
}

void* symbol_of_part(const ProgramPart& part, Symbols symbols, const char* name) {
    void* const found = dlsym(load_part(part, symbols), name);
    if (found == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("{} cannot be loaded: {}", part.what, dlerror()));
    return found;
}

}  // namespace camber
