// A diagnosis in sentences.
#pragma once

#include <string>

#include "analysis/profile/diagnosis.hpp"

namespace camber::profile {

// From a diagnosis that is complete except for this.
std::string paragraph(const Facts& facts, const Diagnosis& diagnosis);

}  // namespace camber::profile
