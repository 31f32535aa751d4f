#include "workloads/image/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"

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

namespace camber {

namespace {

enum class Format { pgm, png };

Format format_of(const std::filesystem::path& path) {
    const image::File file = image::open_to_read(path);
    std::array<unsigned char, 4> start{};
    const std::size_t count = std::fread(start.data(), 1, start.size(), file.get());
    if (count == start.size() && std::memcmp(start.data(), "\x89PNG", start.size()) == 0)
        return Format::png;
    if (count >= 2 && start[0] == 'P' && start[1] >= '1' && start[1] <= '7') return Format::pgm;
    if (std::ferror(file.get()))
        image::reject(path, fmt::format("it cannot be read: {}; check the file and its disk",
                                        std::strerror(errno)));
    image::reject(path, count == 0
                            ? "the file is empty; give a PGM (P2, P5) or PNG image"
                            : "this is neither a PGM (P2, P5) nor a PNG image; convert it to "
                              "one of them");
}

Format format_by_suffix(const std::filesystem::path& path) {
    std::string suffix = path.extension().string();
    for (char& c : suffix)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (suffix == ".pgm") return Format::pgm;
    if (suffix == ".png") return Format::png;
    throw Error(ExitCode::usage,
                fmt::format("image file {} has {}: end its name in .pgm or .png", path.string(),
                            suffix.empty() ? "no suffix" : "the suffix " + suffix));
}

std::uint16_t grey(float value, GreyScale scale) {
    const double share = (value - scale.black) / (scale.white - scale.black);
    if (!(share > 0)) return 0;
    return static_cast<std::uint16_t>(std::lround(65535.0 * std::min(share, 1.0)));
}

}  // namespace

Image read_image(const std::filesystem::path& path) {
    return format_of(path) == Format::pgm ? image::read_pgm(path) : image::read_png(path);
}

Size image_size(const std::filesystem::path& path) {
    return format_of(path) == Format::pgm ? image::pgm_size(path) : image::png_size(path);
}

void check_image_suffix(const std::filesystem::path& path) {
    format_by_suffix(path);
}

void write_image(const std::filesystem::path& path, Size size, const RowSource& row_values,
                 GreyScale scale, const std::string& comment) {
    const auto write = format_by_suffix(path) == Format::pgm ? image::write_pgm : image::write_png;
    std::vector<float> values(static_cast<std::size_t>(size.columns));
    const auto greys = [&](int row, std::span<std::uint16_t> target) {
        row_values(row, values);
        std::ranges::transform(values, target.begin(),
                               [&](float value) { return grey(value, scale); });
    };
    write(path, size, greys,
          fmt::format("{}\nblack is {}, white is {}", comment, scale.black, scale.white));
}

}  // namespace camber
