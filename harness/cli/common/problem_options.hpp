// Options that define a problem by the user's own files: a reference kernel or a captured launch,
// arrays, correct results and how they are compared.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace camber {

struct OwnProblemOptions {
    std::string reference;            // file with a kernel, or folder of a captured launch
    std::vector<std::string> inputs;  // .npy files, each as FILE or NAME=FILE, separated by commas
    std::string fill = "random";
    double tolerance = -1;  // below 0: determined by the cell type
    std::string output;     // .npy file for the candidate's result
    // For problems of named arrays, each as NAME=TEXT.
    std::vector<std::string> shapes;
    std::vector<std::string> scalars;
    std::vector<std::string> expected;  // .npy files with the correct results
    std::vector<std::string> rules;     // comparison rules

    // Adds --reference, --input, --fill, --shape and --scalar.
    void add_problem_to(CLI::App& command);
    // Adds all options.
    void add_to(CLI::App& command);
    // Adds all options but --input, which such a command has already, and --out-npy. Most are rare
    // ones of the problem's group.
    void add_rare_to(CLI::App& command);

    // True if an option is given.
    bool is_given() const;

  private:
    void add_reference_to(CLI::App& command);
    void add_arrays_to(CLI::App& command);
    void add_comparison_to(CLI::App& command);
};

}  // namespace camber
