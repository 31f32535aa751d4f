// What a campaign is and how far it has come: the file campaign.json of its folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber::results {

enum class PartStatus : std::uint8_t {
    not_started,
    incomplete,  // gone on with by the next call
    whole,
    failed,    // started again by the next call
    left_out,  // by what is missing on this machine
};

std::string_view name(PartStatus status);  // "not started"...

// One command of camber, and the file that it writes.
struct CampaignPart {
    std::string name;                  // of its files in the folder, without their endings
    std::vector<std::string> command;  // "camber", "run"...
    std::string purpose;               // a sentence
    PartStatus status = PartStatus::not_started;
    std::string reason;      // why it failed or was left out; else ""
    double seconds = 0;      // of all calls together
    std::int64_t cases = 0;  // stored
    std::int64_t wrong = 0;  // of them, which failed verification
    // Of them, which were left out for their predicted times; absent: none.
    std::optional<std::int64_t> hopeless;
};

struct Campaign {
    std::string backend;  // "cuda", "simt" or "cpu"
    bool quick = false;
    // Up to how many GPUs parts over several of them go; absent: as many as the list names.
    std::optional<int> most_gpus;
    // How many of its parts were measured at once at most, each on a GPU and some of the CPU's
    // cores of its own; absent: one after another.
    std::optional<int> at_once;
    std::map<std::string, std::string> data;  // folders of terrain, by the option that names them
    double seconds = 0;                       // of all calls together, with their pages
    std::vector<CampaignPart> parts;          // in the order of their worth
};

}  // namespace camber::results
