#include "harness/cli/scale/rank_launcher.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/base/temporary_folder.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/cli/scale/page.hpp"
#include "harness/groups/communicator.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// What launchers tell the processes that they start: Open MPI, PMIx and PMI (MPICH, srun).
constexpr const char* rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

std::string found_program(const std::string& name) {
    if (name.find('/') != std::string::npos)
        return access(name.c_str(), X_OK) == 0 ? name : std::string();
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path file = fs::path(folder) / name; access(file.c_str(), X_OK) == 0)
            return file;
    return "";
}

// Where the ranks and their launcher complain.
class Complaints {
  public:
    Complaints() : number_(memfd_create("messages", MFD_CLOEXEC)) {
        if (number_ < 0)
            throw Error(ExitCode::unavailable, "cannot open a file for what the ranks say");
    }
    ~Complaints() { close(number_); }
    Complaints(const Complaints&) = delete;
    Complaints& operator=(const Complaints&) = delete;

    int number() const { return number_; }
    std::string text() const {
        std::string text;
        char buffer[4096];
        for (ssize_t count;
             (count = pread(number_, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
            text.append(buffer, static_cast<std::size_t>(count));
        return text;
    }

  private:
    int number_;
};

// The sentence of the rank that ended the run; "": none said one.
std::string sentence_in(const std::string& said) {
    constexpr std::string_view own = "camber: ";
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(own)) return line.substr(own.size());
    return "";
}

std::string first_line(const std::string& said) {
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
        if (line.find_first_not_of("- \t") != std::string::npos) return line;
    return "";
}

}  // namespace

std::string launch_failure(const std::string& launcher, int ranks, const std::string& said,
                           int exit_code) {
    const std::string units = unit_words(ranks, scaling::Unit::rank);
    const auto says = [&](std::string_view words) { return said.find(words) != said.npos; };
    if (const std::string sentence = sentence_in(said); !sentence.empty())
        return fmt::format("with {}: {}", units, sentence);
    if (says("not enough slots") || says("More processors requested"))
        return fmt::format(
            "{} has no room for {}: give fewer as --units, more hosts to the launcher, or "
            "let ranks share cores, as --launcher 'mpirun --oversubscribe' does",
            launcher, units);
    if (says("run as root"))
        return fmt::format(
            "{} refuses to start ranks for root: work as another user, or give --launcher "
            "'mpirun --allow-run-as-root'",
            launcher);
    const std::string line = first_line(said);
    return fmt::format("{} did not start {}, and ended with exit code {}{}{}", launcher, units,
                       exit_code, line.empty() ? "" : ": ", line);
}

RankLauncher::RankLauncher(const std::string& asked) {
    for (const char* variable : rank_variables)
        if (std::getenv(variable))
            throw Error(
                ExitCode::usage,
                fmt::format(
                    "camber scale --over ranks starts its ranks itself, and was started as one of "
                    "several ({} is set): start it alone, or give each number of ranks a run of "
                    "its own, as mpirun -n 2 camber run --ranks --out ranks-2.json, and all files "
                    "to camber scale with --from",
                    variable));
    if (const std::string why = why_no_ranks(); !why.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("--over ranks needs MPI, and {}: install it (on Debian and "
                                "Ubuntu: libopenmpi-dev and openmpi-bin), and in a clone of camber "
                                "remove the folder build and run ./camber again",
                                why));
    const char* const variable = std::getenv("CAMBER_LAUNCHER");
    std::istringstream words(!asked.empty() ? asked
                             : variable     ? std::string(variable)
                                            : std::string());
    words_ = std::vector<std::string>(std::istream_iterator<std::string>(words), {});
    if (words_.empty()) words_ = {"mpirun"};
    program_ = found_program(name());
    if (program_.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("there is no program {} to start ranks with: install an MPI (on "
                                "Debian and Ubuntu: openmpi-bin), or name what starts them here, "
                                "as --launcher srun",
                                name()));
}

std::optional<results::Document> RankLauncher::run(int ranks,
                                                   const std::vector<std::string>& words) const {
    const TemporaryFolder folder("write the results of ranks");
    const fs::path file = folder.path() / "ranks.json";
    std::vector<std::string> arguments = words_;
    for (const std::string& word :
         {std::string("-n"), fmt::format("{}", ranks), fs::read_symlink("/proc/self/exe").string(),
          std::string("run"), std::string("--ranks")})
        arguments.push_back(word);
    arguments.insert(arguments.end(), words.begin(), words.end());
    arguments.push_back("--out=" + file.string());
    const Complaints complaints;
    ChildProcess child(arguments, {-1, complaints.number()}, "", program_);
    const std::optional<int> code = wait_for(child);
    std::error_code ignored;
    const bool stopped = stop_signal() != 0;
    if (stopped || code == static_cast<int>(ExitCode::success) ||
        code == static_cast<int>(ExitCode::wrong_result)) {
        if (fs::exists(file, ignored)) return results::read_document(file);
        if (stopped) return std::nullopt;
    }
    const int failed = code.value_or(static_cast<int>(ExitCode::unavailable));
    const std::string said = complaints.text();
    // A launcher's own exit codes mean something else.
    const bool is_own = !sentence_in(said).empty() && failed == static_cast<int>(ExitCode::usage);
    throw Error(is_own ? ExitCode::usage : ExitCode::unavailable,
                launch_failure(name(), ranks, said, failed));
}

}  // namespace camber
