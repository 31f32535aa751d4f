// Profiles as JSON, for programs.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/profile/page.hpp"
#include "harness/record/context.hpp"

namespace camber {

// Facts, figures and diagnosis of each case; of two, also how they compare.
std::string profiles_text(const results::Context& context, const std::vector<ProfiledCase>& cases);

}  // namespace camber
