// List of all campaign parts for a GPU, before they are adapted to the machine: parts.json.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/commands.hpp"

namespace camber {

struct ListedPart {
    std::string name;      // base name of its files in the folder
    std::string purpose;   // one sentence
    CommandLine command;   // words of a camber command
    std::string data;      // option that names its terrain, if that is not part of camber
    // "gpu" or "cpu": the parts that the published tables need there are inserted before this one.
    std::string tables_first;
};

struct PartList {
    std::vector<ListedPart> parts;            // in descending order of importance
    std::map<std::string, std::string> data;  // options that name folders of terrain, with help
};

// Reads parts.json or a text of its form; throws nlohmann::json::exception if the text is not.
PartList read_part_list(std::string_view text);

// The list in parts.json.
const PartList& listed_parts();

}  // namespace camber
