#include "workloads/image/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/installed_files.hpp"
#include "workloads/image/image.hpp"

namespace camber::image {

namespace fs = std::filesystem;

File open_to_read(const fs::path& path) {
    std::error_code unknown;
    const fs::path found = found_file(path);
    if (fs::is_directory(found, unknown))
        reject(path, "this is a folder; give the name of an image file in it");
    errno = 0;
    File file(std::fopen(found.c_str(), "rb"));
    if (!file)
        reject(path, fmt::format("cannot be opened: {}; check the name of the image file",
                                 std::strerror(errno)));
    return file;
}

void reject(const fs::path& path, const std::string& reason) {
    throw Error(ExitCode::usage, fmt::format("{}: {}", path.string(), reason));
}

void require_possible_size(const fs::path& path, std::int64_t columns, std::int64_t rows) {
    if (columns < 1 || rows < 1)
        reject(path, fmt::format("the image has {}x{} pixels; give one that is not empty", columns,
                                 rows));
    if (columns > max_image_pixels / rows)
        reject(path, fmt::format("the image has {}x{} pixels, more than {} in all; cut it into "
                                 "smaller ones",
                                 columns, rows, max_image_pixels));
}

OutputFile::OutputFile(const fs::path& path) : pending_(path, "image"), path_(path) {
    errno = 0;
    file_.reset(std::fopen(pending_.path().c_str(), "wb"));
    if (!file_) fail("it cannot be opened");
}

void OutputFile::finish() {
    errno = 0;
    const bool complete = std::ferror(file_.get()) == 0 && std::fflush(file_.get()) == 0;
    if (!complete || std::fclose(file_.release()) != 0) fail("it is not complete");
    pending_.finish();
}

void OutputFile::fail(const std::string& reason) const {
    if (errno != 0) pending_.fail(errno);
    throw Error(ExitCode::unavailable, fmt::format("cannot write the image \"{}\": {}; choose "
                                                   "another path",
                                                   path_.string(), reason));
}

}  // namespace camber::image
