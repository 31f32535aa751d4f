// The rows of a profile's page: what is shown, in which section and unit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/profile/page.hpp"

namespace camber {

struct ProfileRow {
    std::string label;
    std::string text;              // the value as shown
    std::optional<double> number;  // for the ratio of two variants
    std::optional<double> share;   // of a ceiling, for a bar
    std::string note;
};

struct ProfileSection {
    std::string title;
    std::vector<ProfileRow> rows;
};

// Rows whose values are not known are left out, and so are sections without rows.
std::vector<ProfileSection> profile_sections(const ProfiledCase& profiled);

}  // namespace camber
