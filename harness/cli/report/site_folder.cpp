// Folder of a site: writes pages that changed, and removes those of an earlier site.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/report/site.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

constexpr const char* list_file = "camber-site.json";

std::string list_of(const std::vector<std::string>& files) {
    nlohmann::ordered_json list = {{"schema_version", 1}, {"files", files}};
    return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Files of an earlier site, without those that a site cannot have.
std::vector<std::string> listed_files(const fs::path& list) {
    std::ifstream stream(list, std::ios::binary);
    const auto json = nlohmann::json::parse(stream, nullptr, false);
    if (!json.is_object() || !json.contains("files") || !json["files"].is_array())
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" is damaged, so the files of the site are unknown: give "
                                "--site an empty or new folder",
                                list.string()));
    std::vector<std::string> files;
    for (const auto& entry : json["files"]) {
        if (!entry.is_string()) continue;
        const fs::path path = entry.get<std::string>();
        const bool inside = path.is_relative() && std::ranges::find(path, "..") == path.end();
        if (inside && (path.extension() == ".html" || path.extension() == ".css" ||
                       path.extension() == ".js"))
            files.push_back(path.string());
    }
    return files;
}

bool has_text(const fs::path& path, const std::string& text) {
    std::error_code error;
    if (fs::file_size(path, error) != text.size() || error) return false;
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator(stream), {}) == text;
}

void create_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot create the folder \"{}\" of the site: {}; choose another "
                                "--site",
                                folder.string(), error.message()));
}

void write_file(const fs::path& path, const std::string& text) {
    NewFile file(path, "page");
    std::ofstream stream(file.path(), std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) file.fail(errno);
    file.finish();
}

}  // namespace

SiteFolder::SiteFolder(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    if (fs::exists(folder_, error) && !fs::is_directory(folder_, error))
        throw Error(
            ExitCode::usage,
            fmt::format("\"{}\" is a file, and a site is a folder: give --site another path",
                        folder_.string()));
    if (fs::exists(folder_ / list_file, error))
        earlier_ = listed_files(folder_ / list_file);
    else if (fs::exists(folder_, error) && !fs::is_empty(folder_, error) && !error)
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has files that are no site of camber: give --site an empty "
                                "or new folder",
                                folder_.string()));
    create_folder(folder_);
    check_new_file(folder_ / list_file, "list of the site's files");
}

SiteSize SiteFolder::write(const SiteContent& content) const {
    const std::vector<SiteFile> files = site_files(content);
    AtomicFile list(folder_ / list_file, "list of the site's files");
    std::set<std::string> names(earlier_.begin(), earlier_.end());
    for (const SiteFile& file : files) names.insert(file.path);
    // If the process ends early, the next site removes what this one wrote.
    list.replace(list_of({names.begin(), names.end()}));
    SiteSize size;
    for (const SiteFile& file : files) {
        const fs::path path = folder_ / file.path;
        ++size.files;
        size.bytes += file.text.size();
        names.erase(file.path);
        if (has_text(path, file.text)) continue;
        create_folder(path.parent_path());
        write_file(path, file.text);
        ++size.changed;
    }
    for (const std::string& name : names) {
        std::error_code ignored;
        fs::remove(folder_ / name, ignored);
        fs::remove((folder_ / name).parent_path(), ignored);  // if it is empty now
    }
    std::vector<std::string> written;
    for (const SiteFile& file : files) written.push_back(file.path);
    list.replace(list_of(written));
    return size;
}

}  // namespace camber
