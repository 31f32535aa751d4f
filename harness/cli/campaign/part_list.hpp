// List of all campaign parts for a GPU, before they are adapted to the machine.
#pragma once

#include <span>

namespace camber {

struct ListedPart {
    const char* name;       // of its files in the folder, without their endings
    const char* purpose;    // a sentence
    const char* command;    // words of camber, with single blanks in between
    const char* data = "";  // the option that names its terrain, where that is no part of camber
};

// In the order of their worth. Before the parts of these names, those that published tables need of
// a GPU and of the CPU have their place.
constexpr const char* part_after_tables = "life-256-graph";
constexpr const char* part_after_cpu_tables = "sciara_fv2-etna2006";
std::span<const ListedPart> listed_parts();

}  // namespace camber
