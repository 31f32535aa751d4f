// How a candidate's time stands to those of other variants.
#pragma once

#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// A line for each variant in the document but the candidates themselves, and each candidate:
// "life/a.cu/32x8 against life/halo/32x8/align128: FASTER, 0.913 of its time (0.905 ... 0.921)".
// "" where there are no times.
std::string verdict_lines(const results::Document& document,
                          const std::vector<std::string>& candidates);

// "FASTER, 0.913 of its time (0.905 ... 0.921)", of a case against an earlier one; "" where one has
// no times.
std::string verdict_between(const results::CaseRecord& before, const results::CaseRecord& now);

// Those of the variants, in their order, whose times are not shown to be longer than that of
// `best`.
std::vector<std::string> not_slower(const results::Document& document, const std::string& best,
                                    const std::vector<std::string>& variants);

}  // namespace camber
