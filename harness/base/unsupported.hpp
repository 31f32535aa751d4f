// What a variant says where it cannot start from a state that others can start from.
#pragma once

#include <string>

#include "harness/base/error.hpp"

namespace camber {

// Thrown by Execution::upload(): the case is skipped, with the sentence as its reason.
class Unsupported final : public Error {
  public:
    explicit Unsupported(const std::string& sentence) : Error(ExitCode::unavailable, sentence) {}
};

}  // namespace camber
