#include "harness/cli/campaign/part_list.hpp"

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace camber {

// parts.json, which cmake/Campaigns.cmake embeds.
std::string_view part_list_text();

PartList read_part_list(std::string_view text) {
    const auto json = nlohmann::json::parse(text);
    PartList list;
    json.at("data").get_to(list.data);
    for (const auto& entry : json.at("parts")) {
        ListedPart& part = list.parts.emplace_back();
        entry.at("name").get_to(part.name);
        entry.at("purpose").get_to(part.purpose);
        part.data = entry.value("data", "");
        part.tables_first = entry.value("tables_first", "");
        std::istringstream words(entry.at("command").get<std::string>());
        part.command.assign(std::istream_iterator<std::string>(words), {});
        if (!entry.contains("variants")) continue;
        const auto& named = entry.at("variants");
        const auto& variants =
            named.is_string() ? json.at("variant_sets").at(named.get<std::string>()) : named;
        for (const auto& variant : variants)
            part.command.insert(part.command.end(), {"--variant", variant.get<std::string>()});
    }
    return list;
}

const PartList& listed_parts() {
    static const PartList list = read_part_list(part_list_text());
    return list;
}

}  // namespace camber
