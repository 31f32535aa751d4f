// The one exception type of camber: a sentence for a person, and the exit code of the process.
#pragma once

#include <stdexcept>
#include <string>

namespace camber {

// Exit codes of the camber program. They are part of its interface: README.md lists them.
enum class ExitCode : int {
    success = 0,
    regression = 1,    // `compare` found one
    usage = 2,         // bad input: an unknown name, an impossible size, a malformed file
    incomparable = 3,  // two results files that cannot be compared
    wrong_result = 4,  // a variant failed verification
    unavailable = 5,   // this machine cannot do it: no GPU, too little memory, a file not writable
};

// Thrown for everything a user can cause or mend. `what()` is one sentence that names the thing,
// the value and the remedy; main() prints it and returns the code.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

}  // namespace camber
