// Grayscale images in files: PGM and PNG, with checks and error messages.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/state.hpp"

namespace camber::image {

// Image files, and error messages about them.
struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

File open_to_read(const std::filesystem::path& path);  // throws Error(usage)

// Throws Error(usage): "FILE: reason".
[[noreturn]] void reject(const std::filesystem::path& path, const std::string& reason);

// Throws Error(usage) where an image of this size is empty or larger than max_image_pixels.
void require_possible_size(const std::filesystem::path& path, std::int64_t columns,
                           std::int64_t rows);

// A file that is there as a whole once finish() was reached; until then, what was there before.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);  // throws Error(unavailable)
    std::FILE* get() const { return file_.get(); }
    void finish();  // throws Error(unavailable) where anything could not be written

    // Throws Error(unavailable) with the system's reason or, where it has none, `reason`.
    [[noreturn]] void fail(const std::string& reason) const;

  private:
    NewFile pending_;
    std::filesystem::path path_;
    File file_;
};

}  // namespace camber::image

namespace camber {

// Grayscale images in files: PGM and PNG.

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

namespace camber::image {

// PGM, Netpbm's portable graymap: https://netpbm.sourceforge.net/doc/pgm.html.

// Puts the 16-bit greys of a row into a span of one value per column.
using GreyRows = std::function<void(int row, std::span<std::uint16_t> greys)>;

Size pgm_size(const std::filesystem::path& path);
Image read_pgm(const std::filesystem::path& path);

// Each line of `comment` becomes a # line.
void write_pgm(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment);

// PNG images through libpng: https://www.w3.org/TR/png/.
Size png_size(const std::filesystem::path& path);
Image read_png(const std::filesystem::path& path);

// `comment` becomes the text "Comment" of the file.
void write_png(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment);

// Puts the pixels of a row into a span: of each column red, green and blue.
using ByteRows = std::function<void(int row, std::span<std::uint8_t> bytes)>;

// The same in color, 8 bits for each of red, green and blue.
void write_colour_png(const std::filesystem::path& path, Size size, const ByteRows& rows,
                      const std::string& comment);

}  // namespace camber::image
