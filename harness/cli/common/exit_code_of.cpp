#include "harness/cli/common/exit_code_of.hpp"

#include <algorithm>
#include <iterator>

#include "harness/base/error.hpp"

namespace camber {

int exit_code_of(const results::Document& document) {
    const auto count = [&](results::Status status) {
        return std::ranges::count(document.cases, status, &results::CaseRecord::status);
    };
    if (count(results::Status::failed) > 0) return static_cast<int>(ExitCode::wrong_result);
    const bool nothing =
        !document.cases.empty() && count(results::Status::skipped) == std::ssize(document.cases);
    return static_cast<int>(nothing ? ExitCode::usage : ExitCode::success);
}

}  // namespace camber
