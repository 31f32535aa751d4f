// PNG images through libpng: https://www.w3.org/TR/png/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "workloads/image/pgm.hpp"

namespace camber::image {

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
