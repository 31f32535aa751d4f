// Completion of command lines in a shell: commands, options, and option values that the program
// provides.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace camber {

// The words that the last of `words`, which may be empty, can be completed to; `words` are those
// behind the program's name. Commands, options, and the values of options as far as the program
// knows them: choices, workloads, and the variants of the workload that the line names. Of kernels
// that are still to be built none. Empty where a file may stand, or anything.
std::vector<std::string> completion_words(const CLI::App& app,
                                          const std::vector<std::string>& words);

}  // namespace camber
