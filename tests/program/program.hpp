// Runs the real program as a process of its own, as a person or a script would.
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

// The program at work in `folder`, with no GPU in sight, so that a test means the same on every
// machine. An error of the test's own (no process to be had) is a std::runtime_error.
class Program {
  public:
    Program(const Arguments& arguments, const fs::path& folder,
            const char* program = built::program);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    void send(int signal) const;
    // Whether it has not ended yet.
    bool running();
    // What it has written to standard output so far.
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

// With standard error on a terminal: `err` is what the terminal received.
Outcome run_on_terminal(const Arguments& arguments, const fs::path& folder);

std::vector<std::string> lines_of(const std::string& text);

// The names of a workload's variants that `camber list variants` shows for a backend and a cell
// type, where they depend on it; workload "": of all.
std::vector<std::string> listed_variants(const std::string& backend,
                                         const std::string& workload = "life",
                                         const std::string& cell = "uint32");

// The results file of a run; throws when it is no JSON.
Json results_in(const fs::path& file);

// What is wrong with a results document: schema violations, a name that occurs twice, an entry
// that tools for Google Benchmark's JSON could not read. Empty when nothing is.
std::vector<std::string> defects(const Json& results);

// The results of a run as if somebody else had measured them.
Json of_another_commit(Json results);
Json of_another_card(Json results);

}  // namespace camber::cli_test
