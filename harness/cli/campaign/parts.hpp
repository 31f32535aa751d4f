// Parts of a campaign: camber commands in descending order of importance.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/commands.hpp"

namespace camber {

// Settings that all parts of a campaign share.
struct CampaignSettings {
    std::string backend = "cuda";  // "cuda", "simt" or "cpu"
    bool quick = false;
    // Folders of terrain data that are not part of camber, by the option that names them:
    // "--etna2001".
    std::map<std::string, std::string> data;
    // True if the time is limited, so that dominated variants are left out.
    bool budgeted = false;
    // GPUs of this machine; if absent, as many as any part requests.
    std::optional<int> gpus = std::nullopt;
    // Parts over several GPUs are measured on 2, 3, ..., `most_gpus` GPUs.
    int most_gpus = 2;
};

struct Part {
    std::string name;      // base name of its files in the folder
    std::string group;     // its workload, or "limits" or "scaling"
    std::string purpose;   // one sentence
    CommandLine command;   // "camber", "run"..., without the options of time and output
    std::string left_out;  // why it cannot be measured so; "" where it can
    std::string alone;     // for a part over several GPUs: name of the same part on one GPU

    bool runs() const { return command[1] == "run"; }
    // True if the part can be resumed from its results.
    bool resumes() const { return runs() || command[1] == "scale"; }
    // True if the command has the option with this value.
    bool has(const char* option, const char* value) const;
    // True if the part leaves out variants that predicted times show to be dominated.
    bool leaves_out() const;
    // True if the part measures the CPU, as some parts of a GPU campaign do.
    bool on_cpu() const;
    // True if parts running at the same time would disturb the measurement, which uses several
    // GPUs, the CPU, or shared memory bandwidth.
    bool wants_whole_machine() const;
};

// Options that name folders of terrain data, with a description of their contents.
const std::map<std::string, std::string>& campaign_data();

// All parts, with unique names. Parts that the published tables need and that are not in the list
// are generated from the tables.
std::vector<Part> campaign_parts(const CampaignSettings& settings);

// Parts whose name or group is in `only`, or starts with a word of `only` that is neither; all
// parts for an empty list. Throws Error(usage) with suggestions for a word that matches nothing.
std::vector<Part> chosen_parts(std::vector<Part> parts, const std::vector<std::string>& only);

// List of all parts for a GPU, before they are adapted to the machine: parts.json.

struct ListedPart {
    std::string name;     // base name of its files in the folder
    std::string purpose;  // one sentence
    CommandLine command;  // words of a camber command
    std::string data;     // option that names its terrain, if that is not part of camber
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
