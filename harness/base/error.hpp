// The one exception type of camber: a sentence for a person, and the exit code of the process.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

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

// What mends an Error where that is another choice of the command's user. Code that knows no
// options names it; harness/cli/common/remedies.hpp puts it in words.
enum class Remedy {
    none,  // the sentence says itself what helps, or nothing does
    smaller_board,
    board_of_input,    // the size of what is read; value: that size, or ""
    no_position,       // what is read fills the board
    another_position,  // of what is placed on the board
    another_output,    // value: "file" or "folder"
    parameter,         // value: an example, "sigma=1.5"
    another_device,
    host_backend,
    backend_with_graphs,
    backend_with_caches,
    no_graph,
    text_format,  // of a report
};

// Thrown for everything a user can cause or mend. `what()` is one sentence that names the thing
// and the value, and how to mend it unless `remedy()` does; main() prints both and returns the
// code.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& sentence, Remedy remedy = Remedy::none,
          std::string value = "")
        : std::runtime_error(sentence), code_(code), remedy_(remedy), value_(std::move(value)) {}
    ExitCode code() const { return code_; }
    Remedy remedy() const { return remedy_; }
    const std::string& remedy_value() const { return value_; }

  private:
    ExitCode code_;
    Remedy remedy_;
    std::string value_;
};

}  // namespace camber
