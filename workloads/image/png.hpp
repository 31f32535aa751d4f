// PNG images through libpng: https://www.w3.org/TR/png/.
#pragma once

#include <filesystem>
#include <string>

#include "workloads/image/pgm.hpp"

namespace camber::image {

Size png_size(const std::filesystem::path& path);
Image read_png(const std::filesystem::path& path);

// `comment` becomes the text "Comment" of the file.
void write_png(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment);

}  // namespace camber::image
