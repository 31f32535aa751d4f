// A campaign at work: what is to be done, and how far it has come.
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
    int at_once = 1;  // parts
    bool quick = false;
    bool resume = false;
    bool list = false;
    bool pages = false;   // alone
    std::string summary;  // folder for a summary of the campaign; "": none is asked for
    std::map<std::string, std::string> data;  // by the option
};

// Throws Error where the options ask for GPUs that this machine lacks, before a folder is made.
void check_machine(const CampaignOptions& options);

class Campaign {
  public:
    // Reads the folder, or makes it. Throws Error where it holds something else.
    Campaign(const CampaignOptions& options, const CommandLine& command_line);

    // What the parts to come leave out, which is then in the plan.
    void ask_what_is_left_out();
    std::string plan() const;
    // Measures what is to do; gives the exit code.
    int run();

  private:
    results::CampaignPart& record_of(const Part& part);
    const results::CampaignPart& record_of(const Part& part) const;
    bool to_do(const Part& part) const;
    // Whether others are measured at the same time.
    bool beside_others(const Part& part) const;
    // Seconds that it still takes; where others are measured at the same time, its share of them.
    double rest_of(const Part& part) const;
    // Seconds that the budget leaves for measuring; nothing without a budget.
    std::optional<double> left() const;
    // One after another, those of `parts` that nobody else has taken.
    void work(const std::vector<const Part*>& parts, std::size_t& next, const MachineShare& share);
    void measure(const Part& part, const MachineShare& share);
    void show_progress();
    void store(bool all_pages);
    int conclude() const;

    const CampaignOptions& options_;
    CampaignFolder folder_;
    CampaignSettings settings_;
    std::vector<Part> all_;
    std::vector<Part> chosen_;  // of them, by --only
    results::Context context_;
    results::Campaign record_;
    double seconds_before_ = 0;
    std::optional<ExpectedTimes> expected_;
    std::vector<std::string> left_out_;  // "9 of 79 in life", of parts that leave out variants

    // Of threads that measure parts at once: records, files and what is printed.
    std::mutex mutex_;
    std::set<std::string> at_work_;
    int done_ = 0;
    std::optional<Progress> progress_;
};

}  // namespace camber
