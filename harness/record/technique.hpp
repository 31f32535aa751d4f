// What a technique says of itself.
#pragma once

#include <array>
#include <string_view>

namespace camber {

// What a technique does differently from reading global memory cell by cell. Charts of dozens of
// techniques have a colour for each family.
enum class Family {
    global_memory,
    shared_memory,
    texture_or_constant,
    several_cells,        // a thread
    register_streaming,   // rows or columns that pass through registers
    several_generations,  // a launch
    other,                // no technique of camber's
};
inline constexpr std::array families{
    Family::global_memory, Family::shared_memory,      Family::texture_or_constant,
    Family::several_cells, Family::register_streaming, Family::several_generations,
    Family::other};
std::string_view name(Family family);  // "global memory"

// Lives as long as the program: made of literals.
struct TechniqueInfo {
    std::string_view name;
    std::string_view summary;  // one line: how memory is touched
    std::string_view source;   // author year, section
    // That of its last idea: a tile that carries two generations is of several_generations.
    Family family = Family::other;
};

}  // namespace camber
