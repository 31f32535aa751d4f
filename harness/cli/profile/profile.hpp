// Cases that a profile explains, selected from a results file or measured with all counters, and the
// page that explains one variant, or two side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/diagnosis.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/problem_options.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Selection of the variants to profile, and of their cases in a results file.

// Returns the one of `names` that `wanted` selects: a name with or without the workload in front,
// or a glob. Throws Error(usage) if none or several match. `place` completes the error "no variant
// ...".
std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place);

// The first repetition of `variant` (a full name) under the default conditions. Throws Error(usage)
// if it was not timed on a GPU.
const results::CaseRecord& case_of(const results::Document& document, const std::string& variant);

// Measurement of the cases to profile.
struct MeasuredProfile {
    results::Document document;
    // Sentences for the page, such as the reason for missing counters.
    std::vector<std::string> remarks;
};

// Measures `variants` (full names) with all counters. Throws Error(unavailable) without a GPU and
// Error(wrong_result) if a variant fails verification.
MeasuredProfile measure_profile(RunOptions options, const std::vector<std::string>& variants,
                                const CommandLine& command_line);

// The same for a captured launch, which own.reference names: the original and the candidates. If the
// device is a built-in card, its ceilings are those of the card.
MeasuredProfile measure_captured_profile(const OwnProblemOptions& own, RunOptions options,
                                         const CommandLine& command_line);

// Throws Error if a case of the variant was not measured.
void require_measured_case(const results::Document& document, const std::string& variant);

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
