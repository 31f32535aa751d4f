// A kernel crashed on a GPU: until the process ends, the GPU runs nothing else for it.
#pragma once

#include "harness/base/error.hpp"

namespace camber {

class DeviceLost : public Error {
  public:
    explicit DeviceLost(const std::string& sentence) : Error(ExitCode::wrong_result, sentence) {}
};

}  // namespace camber
