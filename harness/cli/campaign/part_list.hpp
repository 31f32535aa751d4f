// List of all campaign parts for a GPU, before they are adapted to the machine.
#pragma once

#include <span>

namespace camber {

struct ListedPart {
    const char* name;       // base name of its files in the folder
    const char* purpose;    // one sentence
    const char* command;    // words of a camber command, separated by single spaces
    const char* data = "";  // option that names its terrain data, if they are not part of camber
};

// Parts in descending order of importance. The parts that the published tables need are inserted
// before the parts with these names: those for a GPU, and those for the CPU.
constexpr const char* part_after_tables = "life-256-graph";
constexpr const char* part_after_cpu_tables = "sciara_fv2-etna2006";
std::span<const ListedPart> listed_parts();

}  // namespace camber
