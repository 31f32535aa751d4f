// Techniques by what they do differently, so that a page with dozens of them needs few colours.
#pragma once

#include <array>
#include <string_view>

namespace camber::report {

// In the order of legends. The last is for what has no technique: Google Benchmark's cases.
inline constexpr std::array<std::string_view, 7> technique_families = {"global memory",
                                                                       "shared memory",
                                                                       "texture, constant",
                                                                       "several cells a thread",
                                                                       "register streaming",
                                                                       "several generations",
                                                                       "other"};

// The index of a technique's family, found by the words in its name: the last of its ideas counts,
// a tile that carries two generations is of "several generations". A name without any of the words
// reads global memory directly.
int family_of(std::string_view technique);

}  // namespace camber::report
