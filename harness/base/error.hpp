// Exception types of camber. Each carries a sentence for the user and the exit code of the process.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace camber {

// The one exception type of camber: a sentence for a person, and the exit code of the process.

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
// options names it; harness/cli/common/messages.hpp puts it in words.
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

// Errors that show what another program said, such as a compiler.

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

// What a variant or its queue says where it cannot do what others can.

// Thrown by an Execution: the case is skipped, with the sentence as its reason.
class Unsupported : public Error {
  public:
    explicit Unsupported(const std::string& sentence, Remedy remedy = Remedy::none)
        : Error(ExitCode::unavailable, sentence, remedy) {}
};

// A kernel crashed on a GPU: until the process ends, the GPU runs nothing else for it.
class DeviceLost : public Error {
  public:
    explicit DeviceLost(const std::string& sentence) : Error(ExitCode::wrong_result, sentence) {}
};

}  // namespace camber
