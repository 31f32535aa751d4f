// A running campaign: the parts to measure and their progress.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cli/campaign/folder.hpp"
#include "harness/cli/campaign/part_process.hpp"
#include "harness/cli/campaign/parts.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/cli/common/messages.hpp"

namespace camber {

struct CampaignOptions {
    std::string out;
    std::vector<std::string> only;
    std::string budget;  // "": none
    std::string backend = "auto";
    std::optional<int> gpus;
    int at_once = 1;  // parts that are measured at the same time
    bool quick = false;
    bool resume = false;
    bool list = false;
    bool pages = false;   // only writes the pages
    std::string summary;  // folder for a summary of the campaign; "": none is asked for
    std::map<std::string, std::string> data;  // folders by option name
};

// Throws Error if the options request more GPUs than this machine has, before a folder is created.
void check_machine(const CampaignOptions& options);

class Campaign {
  public:
    // Reads the campaign folder, or creates it. Throws Error if the folder contains other files.
    Campaign(const CampaignOptions& options, const CommandLine& command_line);

    // Predicts how many variants the remaining parts leave out; plan() reports the counts.
    void ask_what_is_left_out();
    std::string plan() const;
    // Measures the remaining parts and returns the exit code.
    int run();

  private:
    results::CampaignPart& record_of(const Part& part);
    const results::CampaignPart& record_of(const Part& part) const;
    bool to_do(const Part& part) const;
    // True if the part is measured at the same time as others.
    bool beside_others(const Part& part) const;
    // Remaining seconds of a part, divided by the number of parts that run at the same time.
    double rest_of(const Part& part) const;
    // Seconds of the budget left for measuring; nullopt without a budget.
    std::optional<double> left() const;
    // Measures parts of `parts`, starting at `next`, that no other thread has taken.
    void work(const std::vector<const Part*>& parts, std::size_t& next, const MachineShare& share);
    void measure(const Part& part, const MachineShare& share);
    void show_progress();
    void store(bool all_pages);
    int conclude() const;

    const CampaignOptions& options_;
    CampaignFolder folder_;
    CampaignSettings settings_;
    std::vector<Part> all_;
    std::vector<Part> chosen_;  // parts selected by --only
    results::Context context_;
    results::Campaign record_;
    double seconds_before_ = 0;
    std::optional<ExpectedTimes> expected_;
    std::vector<std::string> left_out_;  // "9 of 79 in life", of parts that leave out variants

    // Protects records, files and output of threads that measure parts concurrently.
    std::mutex mutex_;
    std::set<std::string> at_work_;
    int done_ = 0;
    std::optional<Progress> progress_;
};

}  // namespace camber
