// Exception types of camber. Each carries a sentence for the user and the exit code of the process.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace camber {

// Exit codes and the general exception type: a sentence for the user, and the exit code of the
// process

// Exit codes of the camber program. They are part of its interface: README.md lists them.
enum class ExitCode : int {
    success = 0,
    regression = 1,    // `compare` found a regression
    usage = 2,         // bad input: an unknown name, an impossible size, a malformed file
    incomparable = 3,  // two result files that cannot be compared
    wrong_result = 4,  // a variant failed verification
    unavailable =
        5,  // not possible on this machine: no GPU, too little memory, a file not writable
};

// Remedy for an Error if it is a different command-line choice. Code that does not know the options
// names the remedy; harness/cli/common/messages.hpp puts it in words.
enum class Remedy {
    none,  // the sentence contains the remedy, or there is none
    smaller_board,
    board_of_input,    // the size of the input file; value: that size, or ""
    no_position,       // the input fills the board
    another_position,  // of a pattern on the board
    another_output,    // value: "file" or "folder"
    parameter,         // value: an example, "sigma=1.5"
    another_device,
    host_backend,
    backend_with_graphs,
    backend_with_caches,
    no_graph,
    text_format,  // of a report
};

// Thrown for everything that a user can cause or fix. `what()` is one sentence that names the
// object and its value, and the remedy unless `remedy()` does; main() prints both and returns the
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

// Error with the output of another program, such as a compiler. Printed with its line feeds kept:
// the sentence on the first line, the output below it.
class ErrorWithLines : public Error {
  public:
    // `lines` begins with a line feed.
    ErrorWithLines(ExitCode code, const std::string& sentence, const std::string& lines)
        : Error(code, sentence + lines), lines_(lines) {}
    const std::string& lines() const { return lines_; }

  private:
    std::string lines_;
};

// Errors that variants and queues throw

// Thrown by an Execution for unsupported problems: the case is skipped, with the sentence as its
// reason.
class Unsupported : public Error {
  public:
    explicit Unsupported(const std::string& sentence, Remedy remedy = Remedy::none)
        : Error(ExitCode::unavailable, sentence, remedy) {}
};

// A kernel crashed on a GPU: for the rest of the process's lifetime, the GPU runs nothing else for
// it.
class DeviceLost : public Error {
  public:
    explicit DeviceLost(const std::string& sentence) : Error(ExitCode::wrong_result, sentence) {}
};

}  // namespace camber
