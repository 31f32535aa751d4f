#include "harness/cli/common/final_case.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "harness/cli/common/flow_notes.hpp"

namespace camber {

using Json = nlohmann::ordered_json;

const Json* final_case(const Study& study, const Json& document) {
    for (const Case& candidate : cases_of(study)) {
        const std::string name = case_name(study, candidate);
        for (const Json& benchmark : document["benchmarks"])
            if (benchmark["name"] == name && benchmark.contains("camber") &&
                benchmark["camber"]["status"] == "ok")
                return &benchmark;
    }
    return nullptr;
}

const State& final_state_of(const Json& benchmark, const CaseRunner& runner) {
    if (!decided_by_statistics(benchmark)) return runner.expected();
    const State* own = runner.own_state(benchmark["name"]);
    if (!own)
        throw Error(ExitCode::unavailable,
                    fmt::format("the final state of {} was not kept: save it in a run of its own",
                                benchmark["camber"]["variant"].get<std::string>()));
    return *own;
}

std::string of_variant(const Json& benchmark) {
    return decided_by_statistics(benchmark)
               ? " of " + benchmark["camber"]["variant"].get<std::string>()
               : "";
}

}  // namespace camber
