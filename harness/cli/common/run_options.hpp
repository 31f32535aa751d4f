// Options of `camber run`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/group_options.hpp"
#include "workloads/core/workload_options.hpp"

namespace CLI {
class App;
}

namespace camber {

// Default results file if --out is not given.
constexpr const char* default_results = "camber-results.json";

struct RunOptions {
    std::string workload = "life";
    std::vector<std::string> variants;         // globs
    std::vector<std::string> compositions;     // STEP=TECHNIQUE/SHAPE[+STEP=...]
    std::vector<std::string> candidates;       // kernel files, and folders of them
    std::vector<std::string> sweeps;           // NAME=VALUE[,VALUE...], for candidates
    std::vector<std::string> settings;         // NAME=VALUE, for candidates
    std::vector<std::string> definitions;      // NAME[=VALUE], macros for candidates
    std::vector<std::string> include_folders;  // for candidates
    std::vector<std::string> left_out;         // origins of candidates that are skipped
    double timeout = 20;   // in seconds, for one block of a candidate on the executor
    std::string size;      // COLUMNSxROWS
    int generations = 0;   // 0: depends on the backend
    std::string boundary;  // "": the workload's usual one
    std::string cell;
    std::string input;
    std::vector<std::string> parameters;  // NAME=NUMBER[,NUMBER...]
    std::string at;                       // COLUMN,ROW
    std::optional<std::uint64_t> seed;    // absent: 1
    std::optional<double> density;        // absent: half of the cells, or the density of the input
    OptionValues workload_options;        // of the workload's own options
    std::string backend = "auto";
    int device = 0;
    int threads = 0;
    std::optional<std::string> out;  // absent: the command's default name
    std::string save;
    std::string trace;              // file; "": none
    std::string counters;           // metric sets and names
    std::string cache = "hot";      // hot, cold or both
    std::string ceilings = "kept";  // kept (cached), fresh or a file
    bool leave_out_dominated = false;
    std::vector<std::string> keep;  // globs of variants that are never left out
    bool dry_run = false;
    bool graph = false;
    bool from_start = false;
    int intervals = 0;
    int begin = 0;                   // generation of the developed state that the run begins with
    int states = 0;                  // number of saved states; 0: none
    std::string states_in;           // folder of saved states; "": in the user's cache folder
    std::vector<std::string> whole;  // globs of variants that are timed over the whole run, too
    int reference_generations = 0;   // 0: all
    double sample_seconds = 0.002;
    int rounds = 0;  // 0: depends on the backend
    int processes = 1;
    int process_index = -1;                   // of a process that another one started
    std::optional<std::uint64_t> order_seed;  // absent: a new seed
    bool quick = false;
    bool resume = false;
    std::string budget;         // see parse_duration(); "": none
    std::string sort = "time";  // sort order of the table
    bool all_rows = false;      // prints many rows instead of a summary
    GroupOptions group;

    // Adds all options, including those of the workload that `command_line` names.
    void add_to(CLI::App& command, const std::vector<std::string>& command_line);
    // Adds the options that determine the problem and the device, but not the variants and the
    // measurement.
    void add_problem_to(CLI::App& command, const std::vector<std::string>& command_line);
    // Adds only --cell, whose help lists the types with at least `min_bits` of all workloads that
    // have several.
    void add_cell_to(CLI::App& command, int min_bits = 1);
    // Adds only --seed.
    void add_seed_to(CLI::App& command);
    // Adds only --rule, whatever the workload, because a candidate's file may name the workload.
    void add_rule_to(CLI::App& command);
    void add_parameters_to(CLI::App& command);
    // Adds only --compose.
    void add_compositions_to(CLI::App& command);
    // Adds --candidate, --sweep and --timeout.
    void add_candidates_to(CLI::App& command);
    void add_sweeps_to(CLI::App& command);
    // Adds --set, -D and -I for candidates.
    void add_settings_to(CLI::App& command);
    void add_timeout_to(CLI::App& command);
};

// True if this value of --ceilings is a file name.
bool names_file(const std::string& ceilings);

// Command-line words for options that differ from their defaults; add_to() parses them back.
std::vector<std::string> words_of(const RunOptions& options);

}  // namespace camber
