#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/scale/page.hpp"
#include "harness/cli/scale/series_file.hpp"
#include "harness/cli/scale/units.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/session.hpp"
#include "harness/record/document.hpp"
#include "harness/record/merge.hpp"

namespace camber {

// Starts this program as several ranks, by mpirun or another launcher.
class RankLauncher {
  public:
    // `asked`: launcher and its options, separated by blanks; "": the variable CAMBER_LAUNCHER, or
    // mpirun. Throws Error(unavailable) if the launcher does not exist or this program is built
    // without MPI, and Error(usage) if a launcher has started this process.
    explicit RankLauncher(const std::string& asked);

    // "mpirun".
    const std::string& name() const { return words_.front(); }

    // Results of `camber run --ranks` with these additional words on `ranks` ranks; nullopt if a
    // signal stopped it before any result. If it fails, throws an Error with the message of the
    // ranks or the launcher.
    std::optional<results::Document> run(int ranks, const std::vector<std::string>& words) const;

  private:
    std::string program_;             // path of the launcher
    std::vector<std::string> words_;  // command line, starting with the launcher's name
};

// Sentence about a failed launcher, from its output `said` to standard error.
std::string launch_failure(const std::string& launcher, int ranks, const std::string& said,
                           int exit_code);

namespace {

namespace fs = std::filesystem;

// Variables that launchers set in their processes: Open MPI, PMIx and PMI (MPICH, srun).
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

// File that collects the error messages of the ranks and their launcher.
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

// Message of the rank that ended the run; "" if there is none.
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
    // Exit codes of the launcher itself have another meaning.
    const bool is_own = !sentence_in(said).empty() && failed == static_cast<int>(ExitCode::usage);
    throw Error(is_own ? ExitCode::usage : ExitCode::unavailable,
                launch_failure(name(), ranks, said, failed));
}

namespace {

// Throws Error(usage) for options that require a single process, or that a series does not support.
void check_group(const GroupOptions& group) {
    if (group.gpus > 0)
        throw Error(ExitCode::usage,
                    fmt::format("--gpus {} is for --over gpus: with ranks, --units says how many "
                                "there are",
                                group.gpus));
    const bool several = group.exchanges.size() > 1 ||
                         std::ranges::find(group.exchanges, "all") != group.exchanges.end() ||
                         group.overlap == "both";
    if (several)
        throw Error(ExitCode::usage,
                    "a series has one exchange, and several are asked for: measure them one after "
                    "another");
}

// If no variant is named, chooses the plainest one that can be divided.
void choose_variant(Study& study, RunOptions& options) {
    if (!options.variants.empty() || !options.compositions.empty() || !options.candidates.empty())
        return;
    std::erase_if(study.variants, [&](const Variant* variant) {
        return !variant->group_factories.contains(study.backend);
    });
    if (study.variants.empty())
        throw Error(ExitCode::usage,
                    fmt::format("no variant of {} can be divided: choose another --workload",
                                study.workload->name()));
    options.variants = {study.variants.front()->info.name()};
}

// Command-line words for the ranks of a point, with the problem for this number of ranks.
std::vector<std::string> words_for(const ScaleOptions& options, const Study& point,
                                   const Study& whole) {
    RunOptions run = options.run;
    const bool grows = point.problem.size != whole.problem.size;
    if (grows && point.problem.parameters == whole.problem.parameters)
        run.size = fmt::format("{}x{}", point.problem.size.columns, point.problem.size.rows);
    // The number of particles grows by a smaller spacing, which is a parameter.
    for (const auto& [name, values] : point.problem.parameters.all())
        if (values != whole.problem.parameters.values(name))
            run.parameters.push_back(fmt::format("{}={}", name, fmt::join(values, ",")));
    std::vector<std::string> words = words_of(run);
    words.push_back(fmt::format("--rank-timeout={}", options.run.group.rank_timeout));
    return words;
}

bool is_of(const results::CaseRecord& record, int ranks) {
    return record.identity.scaling && record.identity.scaling->units == ranks;
}

bool has_times(const results::Document& document) {
    return std::ranges::any_of(document.cases, [](const results::CaseRecord& one) {
        return one.samples.has_value() && one.identity.backend != Backend::simt;
    });
}

// Without times there is no speedup to report.
void print_checked(const results::Document& document, Backend backend) {
    TextTable table({"ranks", "variant", "board", "exchange", "verified"});
    for (const results::CaseRecord& record : document.cases) {
        const results::Identity& identity = record.identity;
        table.add({fmt::format("{}", identity.scaling->units), identity.variant,
                   fmt::format("{}x{}", identity.size.columns, identity.size.rows),
                   identity.group ? identity.group->exchange_words() : "",
                   record.status == results::Status::ok ? "yes" : record.reason});
    }
    fmt::print("{}", table.plain());
    if (backend == Backend::simt)
        fmt::print(
            "The simt backend has no times, and so there are no speedups: they need a GPU "
            "for each rank.\n");
}

// Adds a point's cases to the series.
void take(results::Document& document, results::Document measured, const Study& point,
          const CommandLine& command_line, bool is_last) {
    if (!document.context.run) {
        document.context = measured.context;
        document.context.run->command = command_line;
    }
    for (results::CaseRecord& record : measured.cases) {
        record.identity.scaling = point.place;
        results::merge(document, std::move(record), point.sampling.seed);
    }
    auto& incomplete = document.context.run->incomplete;
    incomplete.reset();
    const auto done = static_cast<std::int64_t>(document.cases.size());
    const bool whole = measured.run() && !measured.run()->incomplete;
    if (!is_last || !whole) incomplete = {done, done + 1, done, done + 1};
}

}  // namespace

int scale_over_ranks(ScaleOptions options, const CommandLine& command_line) {
    const scaling::Mode mode = scaling::parse_mode(options.mode);
    check_group(options.run.group);
    RunOptions alone = options.run;
    alone.group = {};
    Study study = study_from(alone);
    choose_variant(study, options.run);
    const RankLauncher launcher(options.launcher);
    // The kernels are already built; several ranks would all try to build them.
    unsetenv("CAMBER_BUILDER");

    const Units units = rank_units(options.units, study.backend == Backend::cuda
                                                      ? static_cast<int>(cuda_devices().size())
                                                      : static_cast<int>(cpu_cores().size()));
    const StopSignals signals;
    SeriesFile file(options.run, command_line, device_of(study));
    results::ResultsFile& results = file.results();

    Progress progress;
    const int total = static_cast<int>(units.counts.size());
    for (int done = 0; done < total && stop_signal() == 0; ++done) {
        const int ranks = units.counts[static_cast<std::size_t>(done)];
        const auto& cases = results.document().cases;
        if (std::ranges::any_of(cases, [&](const auto& one) { return is_of(one, ranks); }))
            continue;
        progress.show(done, total, unit_words(ranks, scaling::Unit::rank));
        const Study point = study_on(study, units, ranks, mode, {});
        std::optional<results::Document> measured;
        try {
            measured = launcher.run(ranks, words_for(options, point, study));
        } catch (const Error& error) {
            if (cases.empty()) throw;
            throw Error(error.code(), fmt::format("{}; {} has the numbers of ranks before",
                                                  error.what(), file.path()));
        }
        if (measured)
            results.amend([&](results::Document& document) {
                take(document, std::move(*measured), point, command_line, done + 1 == total);
            });
    }
    progress.clear();
    const results::Document measured = file.measured();
    if (has_times(measured))
        file.conclude(measured, mode);
    else
        print_checked(measured, study.backend);
    return file.close(measured);
}

}  // namespace camber
