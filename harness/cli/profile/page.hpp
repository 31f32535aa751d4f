// Page that explains one variant, or two side by side, and the rows of its sections.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/diagnosis.hpp"

namespace camber {

// A case to explain on a page.
struct ProfiledCase {
    std::string problem;  // e.g. "life 2048x2048, uint32 cells, dead boundary"
    profile::Facts facts;
    profile::Diagnosis diagnosis;
};

// At most 60 lines of at most 100 columns for one or two cases; with two, a third column contains
// the ratio of the first to the second. `remarks`: sentences before the explanation, such as the
// reason for missing counters.
std::string profile_page(const std::vector<ProfiledCase>& cases,
                         const std::vector<std::string>& remarks);

// Row of a profile page.
struct ProfileRow {
    std::string label;
    std::string text;              // the formatted value
    std::optional<double> number;  // for the ratio of two variants
    std::optional<double> share;   // of a ceiling, drawn as a bar
    std::string note;
};

struct ProfileSection {
    std::string title;
    std::vector<ProfileRow> rows;
};

// Sections of a page. Rows without values and sections without rows are omitted.
std::vector<ProfileSection> profile_sections(const ProfiledCase& profiled);

}  // namespace camber
