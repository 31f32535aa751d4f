// The options of `camber run` as typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/group_options.hpp"

namespace CLI {
class App;
}

namespace camber {

// Where results go that --out sends nowhere else.
constexpr const char* default_results = "camber-results.json";

struct RunOptions {
    std::string workload = "life";
    std::vector<std::string> variants;         // globs
    std::vector<std::string> compositions;     // STEP=TECHNIQUE/SHAPE[+STEP=...]
    std::vector<std::string> candidates;       // files of kernels, and folders of them
    std::vector<std::string> sweeps;           // NAME=VALUE[,VALUE...], of candidates
    std::vector<std::string> settings;         // NAME=VALUE, of candidates
    std::vector<std::string> definitions;      // NAME[=VALUE], macros for candidates
    std::vector<std::string> include_folders;  // for candidates
    std::vector<std::string> left_out;         // origins of candidates that are not to be tried
    double timeout = 20;                       // s, of a candidate's block on the executor
    std::string size;                          // COLUMNSxROWS
    int generations = 0;                       // 0: by backend
    std::string boundary;                      // "": the workload's usual one
    std::string cell;
    std::string rule;  // "": the input's, or the workload's usual one
    std::string input;
    std::vector<std::string> parameters;  // NAME=NUMBER[,NUMBER...]
    std::string at;                       // COLUMN,ROW
    std::optional<std::uint64_t> seed;    // absent: 1
    std::optional<double> density;        // absent: half of the cells, or what the input has
    std::string tiles;                    // COLUMNSxROWS
    int refinement = 1;
    std::string ground;  // "": the input's, or the volcano
    std::string backend = "auto";
    int device = 0;
    int threads = 0;
    std::optional<std::string> out;  // absent: the command's usual name
    std::string save;
    std::string trace;              // file; "": none
    std::string counters;           // metric sets and names
    std::string cache = "hot";      // hot, cold or both
    std::string ceilings = "kept";  // kept, fresh or a file
    bool leave_out_hopeless = false;
    std::vector<std::string> keep;  // globs of variants that are not left out
    bool dry_run = false;
    bool graph = false;
    bool from_start = false;
    int intervals = 0;
    double sample_seconds = 0.002;
    int rounds = 0;  // 0: by backend
    int processes = 1;
    int process_index = -1;                   // of a process that another one started
    std::optional<std::uint64_t> order_seed;  // absent: a new one
    bool quick = false;
    bool resume = false;
    std::string budget;         // see parse_duration(); "": none
    std::string sort = "time";  // of the table
    bool all_rows = false;      // no summary instead of many rows
    GroupOptions group;

    // All options.
    void add_to(CLI::App& command);
    // Those that say what is computed and on which device; not which variants and how measured.
    void add_problem_to(CLI::App& command);
    // --seed alone.
    void add_seed_to(CLI::App& command);
    // --rule alone.
    void add_rule_to(CLI::App& command);
    void add_parameters_to(CLI::App& command);
    // --compose alone.
    void add_compositions_to(CLI::App& command);
    // --candidate, --sweep and --timeout.
    void add_candidates_to(CLI::App& command);
    void add_sweeps_to(CLI::App& command);
    // --set, -D and -I, for candidates.
    void add_settings_to(CLI::App& command);
    void add_timeout_to(CLI::App& command);
};

// Whether this value of --ceilings is a file.
bool names_file(const std::string& ceilings);

// The options of `camber run` that say this, without those that have their usual values: what
// add_to() reads again.
std::vector<std::string> words_of(const RunOptions& options);

}  // namespace camber
