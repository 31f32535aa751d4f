#include "harness/cli/campaign/part_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <sstream>
#include <system_error>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/campaign/folder.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/record/merge.hpp"

namespace camber {

ExpectedTimes::ExpectedTimes(const std::vector<std::string_view>& campaigns,
                             const CampaignSettings& settings, const std::string& gpu) {
    for (const std::string_view text : campaigns) {
        results::Document document = results::parse_document(text, "an embedded campaign.json");
        if (!document.run() || !document.campaign) continue;
        if (document.campaign->backend != settings.backend ||
            document.campaign->quick != settings.quick)
            continue;
        const bool same_card = document.gpu() == gpu;
        if (!from_ || same_card) from_ = std::move(document);
        if (same_card) break;
    }
}

std::optional<double> ExpectedTimes::of(const Part& part) const {
    if (!from_) return std::nullopt;
    const auto& parts = from_->campaign->parts;
    for (const std::string& name : {part.name, part.alone}) {
        const auto found = std::ranges::find(parts, name, &results::CampaignPart::name);
        if (found != parts.end() && found->status == results::PartStatus::whole)
            return found->seconds;
    }
    return std::nullopt;
}

std::string ExpectedTimes::origin() const {
    if (!from_) return "";
    const std::string card = from_->gpu();
    return fmt::format("{}, commit {}", card.empty() ? "this CPU's kind" : card,
                       results::commit_text(*from_->run()));
}

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {
        if (number < 0)
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot open a file for a part's output: "
                                    "{}",
                                    std::strerror(errno)));
    }
    ~Descriptor() { close(number_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    std::string content() const {
        std::string text;
        char buffer[4096];
        lseek(number_, 0, SEEK_SET);
        for (ssize_t count; (count = read(number_, buffer, sizeof buffer)) > 0;)
            text.append(buffer, static_cast<std::size_t>(count));
        return text;
    }

  private:
    int number_;
};

// Prints the messages of a part and returns the last one.
std::string passed_on(const Part& part, const std::string& said) {
    constexpr std::string_view own = "camber: ";
    std::istringstream lines(said);
    std::string last;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        last = line.starts_with(own) ? line.substr(own.size()) : line;
        fmt::print(stderr, "camber: {}: {}\n", part.name, last);
    }
    return last;
}

std::string describe_end(const std::optional<int>& code, int status, const std::string& last) {
    if (!code)
        return fmt::format("signal {} ({}) ended it", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
    return last.empty() ? fmt::format("it ended with exit code {}", *code) : last;
}

}  // namespace

std::optional<std::string> what_is_left_out(const Part& part, std::optional<double> seconds) {
    CommandLine words = part.command;
    words.emplace_back("--dry-run");
    const Descriptor out(memfd_create("answer", MFD_CLOEXEC));
    const Descriptor err(memfd_create("messages", MFD_CLOEXEC));
    const Clock::time_point start = Clock::now();
    ChildProcess child(words, {out.number(), err.number()});
    const auto code = wait_for(child, [&] {
        const std::chrono::duration<double> age = Clock::now() - start;
        if (stop_signal() != 0) return stop_signal();
        return seconds && age.count() > *seconds ? SIGTERM : 0;
    });
    passed_on(part, err.content());
    const std::string said = out.content();
    const auto end = said.find(" variants ");
    if (code != static_cast<int>(ExitCode::success) || end == said.npos) return std::nullopt;
    return said.substr(0, end);
}

PartOutcome measure_part(const Part& part, const fs::path& folder, bool goes_on,
                         std::optional<double> seconds, const MachineShare& share) {
    const fs::path results = results_file(folder, part.name);
    CommandLine words = part.command;
    // The part runs in the folder, so that its output contains no paths of this machine.
    words.insert(words.end(),
                 {words[1] == "ceilings" ? "--json" : "--out", results.filename().string()});
    if (goes_on) words.emplace_back("--resume");
    const double patience = part.runs() ? 60 : 0;  // the part enforces its budget itself
    if (seconds && part.runs())
        words.push_back(fmt::format("--budget={:.0f}", std::max(1.0, std::floor(*seconds))));

    NewFile table(folder / (part.name + ".txt"), "table");
    const Descriptor out(open(table.path().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    const Descriptor err(memfd_create("messages", MFD_CLOEXEC));
    const Clock::time_point start = Clock::now();
    const auto age = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    constexpr double longest_silence = 900;
    bool silent = false;
    fs::file_time_type stored;
    double stored_at = 0;
    const auto wish = [&] {
        if (stop_signal() != 0) return stop_signal();
        if (seconds && age() > *seconds + patience) return SIGTERM;
        std::error_code ignored;
        if (const auto written = fs::last_write_time(results, ignored);
            !ignored && written != stored) {
            stored = written;
            stored_at = age();
        }
        silent = age() - stored_at > longest_silence;
        return silent ? SIGKILL : 0;
    };
    ChildProcess child(words, {out.number(), err.number()}, folder.string(), "/proc/self/exe",
                       share);
    const std::optional<int> code = wait_for(child, wish);

    PartOutcome outcome;
    outcome.seconds = age();
    const std::string last = passed_on(part, err.content());
    const bool ended = code == static_cast<int>(ExitCode::success) ||
                       code == static_cast<int>(ExitCode::wrong_result);
    if (lseek(out.number(), 0, SEEK_END) > 0) table.finish();
    const bool out_of_time = seconds && outcome.seconds + 1 >= *seconds;
    if (silent)
        outcome.failure = "it stored nothing for a quarter of an hour, and was killed";
    else if (!ended && stop_signal() == 0 && !out_of_time)
        outcome.failure = describe_end(code, *child.status(), last);
    return outcome;
}

}  // namespace camber
