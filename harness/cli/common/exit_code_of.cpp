#include "harness/cli/common/exit_code_of.hpp"

#include <algorithm>

#include "harness/base/error.hpp"

namespace camber {

int exit_code_of(const results::Document& document) {
    const bool failed = std::ranges::any_of(document.cases, [](const results::CaseRecord& one) {
        return one.status == results::Status::failed;
    });
    return static_cast<int>(failed ? ExitCode::wrong_result : ExitCode::success);
}

}  // namespace camber
