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

// Helpers for image files and their error messages.
struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

File open_to_read(const std::filesystem::path& path);  // throws Error(usage)

// Throws Error(usage) with the message "FILE: reason".
[[noreturn]] void reject(const std::filesystem::path& path, const std::string& reason);

// Throws Error(usage) if an image of this size is empty or larger than max_image_pixels.
void require_possible_size(const std::filesystem::path& path, std::int64_t columns,
                           std::int64_t rows);

// Output file that replaces an existing file only in finish(), when it is complete.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path);  // throws Error(unavailable)
    std::FILE* get() const { return file_.get(); }
    void finish();  // throws Error(unavailable) if anything could not be written

    // Throws Error(unavailable) with the system's error message or, if there is none, `reason`.
    [[noreturn]] void fail(const std::string& reason) const;

  private:
    NewFile pending_;
    std::filesystem::path path_;
    File file_;
};

}  // namespace camber::image

namespace camber {

// Maximum image size, which takes 8 GiB. Without a limit, a few header bytes could request any
// amount of memory.
constexpr std::int64_t max_image_pixels = (std::int64_t{1} << 31) - 1;

struct Image {
    Size size;
    std::vector<float> pixels;  // row-major, 0 black to 1 white: value / maximum value of the file
};

// Reads a PGM (P2, P5) or a PNG, identified by content. Up to 16 bits are preserved exactly. Colors
// are converted to gray by libpng's luminance weights; transparency is ignored. Throws Error(usage)
// with the file, the location if useful, the value and the remedy.
Image read_image(const std::filesystem::path& path);

// Returns the size in the file's header. Throws like read_image.
Size image_size(const std::filesystem::path& path);

// Values that are written as black and as white. Values between them are scaled linearly, values
// beyond are clamped, and NaN becomes black.
struct GreyScale {
    double black = 0;
    double white = 1;
};

// Writes the values of a row to a span with one element per column.
using RowSource = std::function<void(int row, std::span<float> values)>;

// Throws Error(usage) if the path's suffix is neither .pgm nor .png.
void check_image_suffix(const std::filesystem::path& path);

// Writes a 16-bit gray image, as PGM (P5) or PNG depending on the path's suffix, .pgm or .png. The
// file's comment states the values of black and white, and `comment`. Throws Error(usage) for
// another suffix, and Error(unavailable) if the file cannot be written; a partial file is then
// removed.
void write_image(const std::filesystem::path& path, Size size, const RowSource& row_values,
                 GreyScale scale, const std::string& comment);

}  // namespace camber

namespace camber::image {

// PGM, Netpbm's portable graymap: https://netpbm.sourceforge.net/doc/pgm.html.

// Writes the 16-bit grays of a row to a span with one element per column.
using GreyRows = std::function<void(int row, std::span<std::uint16_t> greys)>;

Size pgm_size(const std::filesystem::path& path);
Image read_pgm(const std::filesystem::path& path);

// Writes a PGM. Each line of `comment` becomes a # line.
void write_pgm(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment);

// PNG images through libpng: https://www.w3.org/TR/png/.
Size png_size(const std::filesystem::path& path);
Image read_png(const std::filesystem::path& path);

// Writes a PNG. `comment` becomes the file's "Comment" text.
void write_png(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment);

// Writes the pixels of a row to a span: red, green and blue of each column.
using ByteRows = std::function<void(int row, std::span<std::uint8_t> bytes)>;

// Writes a color PNG with 8 bits for each of red, green and blue.
void write_colour_png(const std::filesystem::path& path, Size size, const ByteRows& rows,
                      const std::string& comment);

}  // namespace camber::image
