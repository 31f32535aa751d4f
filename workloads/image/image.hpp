// Grayscale images in files: PGM and PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/state.hpp"

namespace camber {

// A few bytes of a file can ask for any number of pixels; this many take 8 GiB.
constexpr std::int64_t max_image_pixels = (std::int64_t{1} << 31) - 1;

struct Image {
    Size size;
    std::vector<float> pixels;  // row-major, 0 black to 1 white: the file's value / its largest
};

// Reads a PGM (P2, P5) or a PNG, whatever the file's name; up to 16 bits are kept exactly. Colors
// become gray by libpng's weights for luminance, transparency is ignored. Throws Error(usage) that
// names the file, the location if useful, the value and the remedy.
Image read_image(const std::filesystem::path& path);

// The size that the file's header states. Throws as read_image.
Size image_size(const std::filesystem::path& path);

// The values that are written as black and white; those between become greys in proportion, those
// beyond become black or white. What is no number becomes black.
struct GreyScale {
    double black = 0;
    double white = 1;
};

// Puts the values of a row into a span of one value per column.
using RowSource = std::function<void(int row, std::span<float> values)>;

// Throws Error(usage) where the path's suffix is neither .pgm nor .png.
void check_image_suffix(const std::filesystem::path& path);

// Writes a 16-bit gray image, as PGM (P5) or PNG by the path's suffix, .pgm or .png. The file says
// what black and white stand for, and `comment`. Throws Error(usage) for another suffix, and
// Error(unavailable) where the file cannot be written; what was written of it is then removed.
void write_image(const std::filesystem::path& path, Size size, const RowSource& row_values,
                 GreyScale scale, const std::string& comment);

}  // namespace camber
