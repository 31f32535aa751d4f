// How a texture addresses a field.
#pragma once

namespace camber {

// Two dimensions, or one line of elements whose index the view computes.
enum class TextureShape { pitched, linear };

// What a pitched texture yields outside the board: 0, or the nearest cell.
enum class Addressing { border, clamp };

}  // namespace camber
