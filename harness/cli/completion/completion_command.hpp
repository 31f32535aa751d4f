// Completion of command lines in a shell: commands, options, and option values that the program
// provides.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace camber {

// Completions of the last of `words`, which may be empty; `words` follow the program's name.
// Completions are commands, options, and option values that the program provides: choices,
// workloads, and the variants of the workload on the line. Kernels that are not built yet are not
// included. Empty if a file name or free text is expected.
std::vector<std::string> completion_words(const CLI::App& app,
                                          const std::vector<std::string>& words);

}  // namespace camber
