// The ranked table that a run prints.
#pragma once

#include <string>
#include <vector>

#include "harness/run/record.hpp"

namespace camber {

struct TableRow {
    const CaseResult* result = nullptr;
    std::optional<Derived> derived;  // absent where times mean nothing
};

// Fastest first, then the cases that failed and that were skipped, each with its reason. On the
// simt backend, whose times say nothing of a GPU, the order is that of the study and no times are
// shown.
std::string ranking(const Study& study, const std::vector<TableRow>& rows,
                    const Ceilings& ceilings);

}  // namespace camber
