#include "harness/cli/common/final_case.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "harness/cli/common/flow_notes.hpp"

namespace camber {

using results::CaseRecord;

const CaseRecord* final_case(const Study& study, const results::Document& document) {
    for (const Case& candidate : cases_of(study)) {
        const std::string name = case_name(study, candidate);
        for (const CaseRecord& record : document.cases)
            if (record.name == name && record.status == results::Status::ok) return &record;
    }
    return nullptr;
}

const State& final_state_of(const CaseRecord& record, const CaseRunner& runner) {
    if (!decided_by_statistics(record)) return runner.expected();
    const State* own = runner.own_state(record.name);
    if (!own)
        throw Error(ExitCode::unavailable,
                    fmt::format("the final state of {} was not kept: save it in a run of its own",
                                record.identity.variant));
    return *own;
}

std::string of_variant(const CaseRecord& record) {
    return decided_by_statistics(record) ? " of " + record.identity.variant : "";
}

}  // namespace camber
