// Shapes of named arrays, from texts such as "64x64x64", "u" (the shape of another array) and
// "(count.x+255)/256", and the words by which `camber:` lines refer to them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/own/source/expression.hpp"
#include "workloads/core/named_arrays.hpp"

namespace camber {

struct ShapeText {
    std::string text;
    std::string place;  // "stencil.cu:2" or "--shape", for messages
};

using Shapes = std::map<std::string, std::vector<std::int64_t>, std::less<>>;
using Words = std::map<std::string, ExpressionValue, std::less<>>;

// Adds the shapes of `texts` to `known`. `scalars`: named numbers. Throws Error(usage) with the
// place for an invalid text, for shapes that refer to each other, and for extents that are not
// whole numbers from 1 to 2147483647.
Shapes resolve_shapes(const std::map<std::string, ShapeText>& texts, Shapes known,
                      const Words& scalars);

// Adds count.NAME and shape.NAME[0] and so on.
void add_words_of(const std::string& name, const std::vector<std::int64_t>& shape, Words& words);

// Throws Error(usage) if the array is too large for the executor's two-dimensional layouts.
void check_extents(const NamedArray& array, const std::string& place);

}  // namespace camber
