// What a campaign measures: commands of camber, in the order of their worth.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"

namespace camber {

// What all parts of a campaign have in common.
struct CampaignSettings {
    std::string backend = "cuda";  // "cuda", "simt" or "cpu"
    bool quick = false;
    // Folders of terrain that is no part of camber, by the option that names them: "--etna2001".
    std::map<std::string, std::string> data;
    // Whether the time is limited, so that hopeless variants are left out.
    bool budgeted = false;
    // Of this machine; where nothing is said, as many as a part asks for.
    std::optional<int> gpus = std::nullopt;
    // Parts over several GPUs are measured on two, three and so on up to so many.
    int most_gpus = 2;
};

struct Part {
    std::string name;      // of its files in the folder, without their endings
    std::string group;     // its workload, or "limits" or "scaling"
    std::string purpose;   // a sentence
    CommandLine command;   // "camber", "run"..., without the options of time and output
    std::string left_out;  // why it cannot be measured so; "" where it can
    std::string alone;     // of a part over several GPUs: the part that has the same on one

    bool runs() const { return command[1] == "run"; }
    // Whether it can go on with what it has.
    bool resumes() const { return runs() || command[1] == "scale"; }
    // Whether it leaves out variants that predicted times show to be hopeless.
    bool leaves_out() const;
    // Whether it measures the CPU, as some parts of a GPU's campaign do.
    bool on_cpu() const;
    // Whether it measures what other parts would disturb if they were measured at once: several
    // GPUs, the CPU, memory that all share.
    bool wants_whole_machine() const;
};

// The options that name folders of terrain, with what each is to hold.
const std::map<std::string, std::string>& campaign_data();

// All parts; no two have one name. Those that the published tables need and no other part brings
// are made from the tables.
std::vector<Part> campaign_parts(const CampaignSettings& settings);

// Those whose name or group is among `only`, or begins with a word of it that is neither; all for
// an empty list. Throws Error(usage) with suggestions for what nothing begins with.
std::vector<Part> chosen_parts(std::vector<Part> parts, const std::vector<std::string>& only);

}  // namespace camber
