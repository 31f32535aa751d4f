// A report as one HTML page that loads nothing from elsewhere.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace camber {

// Whether the charts' library was there when camber was built. Without it there are no pages.
bool can_write_page();

// `report`: what report::to_json() returns. Throws Error(unavailable) where !can_write_page().
std::string html_page(const nlohmann::ordered_json& report, const std::string& title);

// JSON as a script element may hold it: no "</script" and no "<!--" can occur in it.
std::string json_for_script(const nlohmann::ordered_json& json);

}  // namespace camber
