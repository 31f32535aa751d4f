#include "harness/results/results_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/base/error.hpp"

namespace camber {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view temporary_suffix = ".camber-tmp";

std::string remedy(int reason, const fs::path& target) {
    switch (reason) {
        case ENOENT:
            return fmt::format(R"(create the folder "{}" first, or choose another path)",
                               target.parent_path().string());
        case ENOTDIR:
            return "a part of the path is a file; choose a path inside a folder";
        case EISDIR:
            return "give the name of a file in that folder";
        case EACCES:
        case EPERM:
        case EROFS:
            return "choose a path that you may write to, or change the permissions";
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return "free some space, or choose a path on another disk";
        case ELOOP:
            return "the symbolic links form a circle; choose another path";
        default:
            return "choose another path";
    }
}

[[noreturn]] void fail(const fs::path& path, const fs::path& target, int reason) {
    throw Error(ExitCode::unavailable,
                fmt::format(R"(cannot write the results file "{}": {}; {})", path.string(),
                            std::system_category().message(reason), remedy(reason, target)));
}

// The file that a chain of symbolic links ends at, even when it does not exist yet (a case in which
// std::filesystem::canonical() fails and weakly_canonical() returns the link).
fs::path follow_links(const fs::path& path) {
    constexpr int longest_chain = 40;  // as Linux: path_resolution(7)
    fs::path target = fs::absolute(path);
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        if (links == longest_chain) fail(path, target, ELOOP);
        const fs::path next = fs::read_symlink(target, error);
        if (error) fail(path, target, error.value());
        target = target.parent_path() / next;  // an absolute `next` replaces the left side
    }
    return target;
}

// What to replace, after the checks that do not need a trial.
fs::path checked_target(const fs::path& path) {
    if (path.empty()) {
        throw Error(ExitCode::unavailable,
                    "cannot write the results file: its path is empty; give the name of a file");
    }
    struct stat existing;
    if (stat(path.c_str(), &existing) == 0) {
        if (S_ISDIR(existing.st_mode)) fail(path, path, EISDIR);
        // Renaming over a device or a pipe would put a file in its place.
        if (!S_ISREG(existing.st_mode)) {
            throw Error(ExitCode::unavailable,
                        fmt::format(R"(cannot write the results file "{}": it is a device or a )"
                                    "pipe, which cannot be replaced; choose another path",
                                    path.string()));
        }
        if (access(path.c_str(), W_OK) != 0) fail(path, path, errno);
    } else if (errno != ENOENT) {
        fail(path, path, errno);
    } else if (!path.has_filename()) {
        fail(path, path, EISDIR);
    }
    return follow_links(path);
}

// A new file beside the target that becomes the target, or is removed on the way out. It is locked
// while it lives, which tells it from one that a killed process left behind.
class Temporary {
  public:
    Temporary(const fs::path& path, const fs::path& target) : path_(path), target_(target) {
        for (int number = 0; descriptor_ < 0; ++number) {
            name_ = target.parent_path() / fmt::format(".{}.{}-{}{}", target.filename().string(),
                                                       getpid(), number, temporary_suffix);
            descriptor_ = open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
            if (descriptor_ < 0 && errno != EEXIST) fail(path_, target_, errno);
        }
        flock(descriptor_, LOCK_EX);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    ~Temporary() {
        // Closed last: the lock is what keeps others from taking this file for a leftover.
        if (!renamed_) unlink(name_.c_str());
        close(descriptor_);
    }

    void replace_target(std::string_view text) {
        keep_permissions();
        while (!text.empty()) {
            const ssize_t written = write(descriptor_, text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(path_, target_, errno);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
        if (fsync(descriptor_) != 0) fail(path_, target_, errno);
        if (rename(name_.c_str(), target_.c_str()) != 0) fail(path_, target_, errno);
        renamed_ = true;
        // The rename is on the disk once the folder is; some network file systems cannot tell.
        const int folder = open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            fsync(folder);
            close(folder);
        }
    }

  private:
    void keep_permissions() {
        struct stat existing;
        if (stat(target_.c_str(), &existing) != 0) return;
        // Owner first, because a change of owner clears the set-id bits. Keeping the owner needs
        // privileges and a file system that has owners, so it may fail.
        const bool owner_kept = fchown(descriptor_, existing.st_uid, existing.st_gid) == 0;
        const mode_t mode = existing.st_mode & (owner_kept ? 07777 : 0777);
        if (fchmod(descriptor_, mode) != 0) fail(path_, target_, errno);
    }

    const fs::path& path_;
    const fs::path& target_;
    fs::path name_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

void remove_leftovers(const fs::path& target) {
    const std::string prefix = fmt::format(".{}.", target.filename().string());
    std::error_code error;
    for (fs::directory_iterator entry(target.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(temporary_suffix)) continue;
        const int descriptor = open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) continue;
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry->path().c_str());
        close(descriptor);
    }
}

void require_finite(const Json& value, const Json::json_pointer& pointer) {
    if (value.is_number_float() && !std::isfinite(value.get<double>())) {
        throw std::logic_error(
            fmt::format("the value at {} of the results is {}, which JSON cannot express",
                        pointer.to_string(), value.get<double>()));
    }
    if (value.is_structured()) {
        for (const auto& [key, child] : value.items()) require_finite(child, pointer / key);
    }
}

// As dump(2), but an array of plain values takes one line: a thousand samples are no reading
// matter.
void append_pretty(std::string& text, const Json& value, std::size_t indent) {
    const auto is_structured = [](const Json& child) { return child.is_structured(); };
    if (value.empty() || !value.is_structured() ||
        (value.is_array() && std::none_of(value.begin(), value.end(), is_structured))) {
        // Strings from outside (paths, host names) need not be UTF-8, which JSON must be.
        text += value.dump(-1, ' ', false, Json::error_handler_t::replace);
        return;
    }
    text += value.is_array() ? '[' : '{';
    bool first = true;
    for (const auto& [key, child] : value.items()) {
        text += std::exchange(first, false) ? "\n" : ",\n";
        text.append(indent + 2, ' ');
        if (value.is_object()) {
            text += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace);
            text += ": ";
        }
        append_pretty(text, child, indent + 2);
    }
    text += '\n';
    text.append(indent, ' ');
    text += value.is_array() ? ']' : '}';
}

}  // namespace

void write_whole_file(const fs::path& path, std::string_view text) {
    const fs::path target = checked_target(path);
    Temporary(path, target).replace_target(text);
}

ResultsFile::ResultsFile(fs::path path, Json context)
    : path_(std::move(path)), target_(checked_target(path_)) {
    require_finite(context, Json::json_pointer("/context"));
    document_ = {{"context", std::move(context)}, {"benchmarks", Json::array()}};
    remove_leftovers(target_);
    // Only a trial shows that the folder takes files (quotas, read-only mounts, network shares).
    const Temporary trial(path_, target_);
}

void ResultsFile::add(Json benchmark) {
    amend([&](Json& document) { document["benchmarks"].push_back(std::move(benchmark)); });
}

void ResultsFile::amend(const std::function<void(Json& document)>& edit) {
    Json edited = document_;
    edit(edited);
    require_finite(edited, Json::json_pointer());
    std::string text;
    append_pretty(text, edited, 0);
    text += '\n';
    Temporary temporary(path_, target_);
    temporary.replace_target(text);
    document_ = std::move(edited);
}

}  // namespace camber
