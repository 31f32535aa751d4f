// Errors that show what another program said, such as a compiler.
#pragma once

#include <string>

#include "harness/base/error.hpp"

namespace camber {

// Printed with its line feeds kept: the sentence on the first line, what the program said below it.
class ErrorWithLines : public Error {
  public:
    // `lines` begins with a line feed.
    ErrorWithLines(ExitCode code, const std::string& sentence, const std::string& lines)
        : Error(code, sentence + lines), lines_(lines) {}
    const std::string& lines() const { return lines_; }

  private:
    std::string lines_;
};

}  // namespace camber
