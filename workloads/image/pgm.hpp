// PGM, Netpbm's portable graymap: https://netpbm.sourceforge.net/doc/pgm.html.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "workloads/image/image.hpp"

namespace camber::image {

// Puts the 16-bit greys of a row into a span of one value per column.
using GreyRows = std::function<void(int row, std::span<std::uint16_t> greys)>;

Size pgm_size(const std::filesystem::path& path);
Image read_pgm(const std::filesystem::path& path);

// Each line of `comment` becomes a # line.
void write_pgm(const std::filesystem::path& path, Size size, const GreyRows& rows,
               const std::string& comment);

}  // namespace camber::image
