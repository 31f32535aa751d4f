// Runs the real program in a separate process, as a user or a script would.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/built_paths.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::cli_test {

namespace fs = std::filesystem;
using results_test::TestFolder;
using results_test::text_of;
using results_test::write_text;
using Json = nlohmann::json;

using Arguments = std::vector<std::string>;
inline Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

inline const fs::path source_folder = CAMBER_SOURCE_DIR;

struct Outcome {
    int exit_code = -1;  // -1: ended by `signal`
    int signal = 0;
    std::string out;
    std::string err;
};

// The program running in `folder` with all GPUs hidden, so that a test behaves the same on every
// machine. Errors of the test itself (for example, if no process can be created) are reported as
// std::runtime_error.
class Program {
  public:
    Program(const Arguments& arguments, const fs::path& folder,
            const char* program = built::program);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    void send(int signal) const;
    // True if the program has not ended yet.
    bool running();
    // Standard output so far.
    std::string output() const;
    Outcome wait();

  private:
    void keep_status(int status);

    pid_t pid_ = 0;  // 0: has ended
    int out_ = -1;
    int err_ = -1;
    Outcome outcome_;
};

Outcome run_program(const Arguments& arguments, const fs::path& folder,
                    const char* program = built::program);

// Runs the program with standard error on a terminal: `err` is the terminal's input.
Outcome run_on_terminal(const Arguments& arguments, const fs::path& folder);

std::vector<std::string> lines_of(const std::string& text);

// Names of a workload's variants from `camber list variants`, for a backend and a cell type if the
// list depends on them; workload "": all workloads.
std::vector<std::string> listed_variants(const std::string& backend,
                                         const std::string& workload = "life",
                                         const std::string& cell = "uint32");

// Parses the results file of a run; throws if it is not valid JSON.
Json results_in(const fs::path& file);

// Defects of a results document: schema violations, duplicate names, and entries that tools for
// Google Benchmark's JSON could not read. Empty if there are none.
std::vector<std::string> defects(const Json& results);

// Results as if they were measured with another commit, or on another GPU.
Json of_another_commit(Json results);
Json of_another_card(Json results);

}  // namespace camber::cli_test
