// What a variant or its queue says where it cannot do what others can.
#pragma once

#include <string>

#include "harness/base/error.hpp"

namespace camber {

// Thrown by an Execution: the case is skipped, with the sentence as its reason.
class Unsupported : public Error {
  public:
    explicit Unsupported(const std::string& sentence, Remedy remedy = Remedy::none)
        : Error(ExitCode::unavailable, sentence, remedy) {}
};

}  // namespace camber
