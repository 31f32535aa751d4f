#include "harness/cli/scale/over_ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/common/text_table.hpp"
#include "harness/cli/scale/page.hpp"
#include "harness/cli/scale/rank_launcher.hpp"
#include "harness/cli/scale/series_file.hpp"
#include "harness/cli/scale/study_on.hpp"
#include "harness/cli/scale/units.hpp"
#include "harness/measure/pinned_threads.hpp"
#include "harness/measure/session.hpp"
#include "harness/record/merge.hpp"
#include "harness/record/results_file.hpp"

namespace camber {

namespace {

// What belongs to places of one process, and what a series cannot have.
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

// One variant where none is named: the plainest that divides.
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

// What the ranks of a point are told: the problem as it is for so many.
std::vector<std::string> words_for(const ScaleOptions& options, const Study& point,
                                   const Study& whole) {
    RunOptions run = options.run;
    const bool grows = point.problem.size != whole.problem.size;
    if (grows && point.problem.parameters == whole.problem.parameters)
        run.size = fmt::format("{}x{}", point.problem.size.columns, point.problem.size.rows);
    // Particles grow in number, by their spacing.
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

// Without times there is no speedup to speak of.
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

// A point's cases as those of the series.
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
    // The kernels are built by now, and several ranks would build them at once.
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
