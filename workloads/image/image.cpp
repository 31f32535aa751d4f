#include "workloads/image/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "harness/base/error.hpp"
#include "workloads/image/file.hpp"
#include "workloads/image/pgm.hpp"
#include "workloads/image/png.hpp"

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
