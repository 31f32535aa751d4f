// Page that explains a variant, or two variants side by side, and the rows of its sections.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/diagnosis.hpp"

namespace camber {

// One page that explains a variant, or two variants side by side.
struct ProfiledCase {
    std::string problem;  // e.g. "life 2048x2048, uint32 cells, dead boundary"
    profile::Facts facts;
    profile::Diagnosis diagnosis;
};

// At most 60 lines of at most 100 columns for one or two cases; with two, a third column holds the
// first's value over the second's. `remarks`: sentences that stand before the explanation, such as
// why there are no counters.
std::string profile_page(const std::vector<ProfiledCase>& cases,
                         const std::vector<std::string>& remarks);

// The rows of a profile's page: what is shown, in which section and unit.
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
