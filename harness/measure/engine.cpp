#include "harness/measure/engine.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"

namespace camber {

namespace {

// Forwards aggregates to the events. Single measurements are reported by the cases themselves.
class AggregateReporter final : public benchmark::BenchmarkReporter {
  public:
    explicit AggregateReporter(const EngineEvents& events) : events_(events) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        if (stopping()) return;  // the aggregates would cover incomplete repetitions
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Aggregate) continue;
            results::Aggregate aggregate;
            aggregate.case_name = run.run_name.str();
            aggregate.name = run.aggregate_name;
            aggregate.repetitions = static_cast<int>(run.repetitions);
            aggregate.iterations = run.repetitions;
            aggregate.percentage = run.aggregate_unit == benchmark::kPercentage;
            aggregate.real_time = run.GetAdjustedRealTime();
            aggregate.cpu_time = run.GetAdjustedCPUTime();
            events_.aggregated(aggregate);
        }
    }

  private:
    const EngineEvents& events_;
};

constexpr const char* flags[] = {"--benchmark_filter", "--benchmark_repetitions",
                                 "--benchmark_enable_random_interleaving",
                                 "--benchmark_list_tests"};

bool takes_effect(const std::string& argument) {
    return std::ranges::any_of(flags, [name = argument.substr(0, argument.find('='))](
                                          const char* flag) { return name == flag; });
}

}  // namespace

int configure_engine(std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments)
        if (argument.starts_with("--benchmark_") && !takes_effect(argument))
            throw Error(ExitCode::usage,
                        fmt::format("flag {} has no effect here: use --out for the results file, "
                                    "camber report --format csv for a table, or of Google "
                                    "Benchmark's flags {}",
                                    argument, fmt::join(flags, ", ")));
    int repetitions = 1;
    // Google Benchmark accepts 0 and negative values as "none", so they are rejected here.
    for (const std::string& argument : arguments)
        if (const std::string flag = "--benchmark_repetitions="; argument.starts_with(flag)) {
            const char* last = argument.data() + argument.size();
            const auto [end, error] =
                std::from_chars(argument.data() + flag.size(), last, repetitions);
            if (error != std::errc() || end != last || repetitions < 1)
                throw Error(ExitCode::usage, "flag " + argument + " needs a number from 1 on");
        }
    std::vector<char*> argv{const_cast<char*>("camber")};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    int argc = static_cast<int>(argv.size());
    benchmark::Initialize(&argc, argv.data());
    const std::vector<std::string> rest(argv.begin() + 1, argv.begin() + argc);
    for (const std::string& argument : rest)
        if (argument.starts_with("--benchmark_"))
            throw Error(ExitCode::usage,
                        "flag " + argument + " of Google Benchmark lacks its =VALUE");
    arguments = rest;
    return repetitions;
}

bool asks_for_list(const std::vector<std::string>& arguments) {
    const std::string flag = "--benchmark_list_tests";
    return std::ranges::any_of(arguments, [&](const std::string& argument) {
        return argument == flag || (argument.starts_with(flag + "=") &&
                                    argument != flag + "=false" && argument != flag + "=0");
    });
}

namespace {

// Runs the registered cases, or lists them if Google Benchmark's flags say so.
void run_registered(const Study& study, const EngineEvents& events) {
    AggregateReporter reporter(events);
    std::ostringstream complaint;  // "Failed to match any...", which the sentence below contains
    reporter.SetErrorStream(&complaint);
    const std::size_t matched = benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::ClearRegisteredBenchmarks();
    if (matched == 0)
        throw Error(ExitCode::usage,
                    "--benchmark_filter=" + benchmark::GetBenchmarkFilter() +
                        " lets no case pass: it is a regular expression matched against names "
                        "such as " +
                        case_name(study, {study.variants.front(), study.conditions.front()}));
}

void run_round(CaseRunner& runner, const EngineEvents& events, int round) {
    const Study& study = runner.study();
    std::map<std::string, int> repetition;
    bool any = false;
    for (const Case& chosen : order_of_round(study, round)) {
        if (events.done && events.done(chosen, round)) continue;
        any = true;
        const std::string name = case_name(study, chosen);
        const auto body = [&, chosen, name](benchmark::State& state) {
            for (auto _ : state) {
                CaseResult result;
                try {
                    check_stop();
                    events.starting(chosen);
                    result = runner.run(chosen, round + 1 == study.rounds);
                } catch (const Stopped&) {
                    state.SkipWithError("stopped");  // all remaining cases are stopped, too
                    break;
                }
                events.measured(result, repetition[name]++, round);
                if (result.record.status != results::Status::ok) {
                    state.SkipWithError(result.record.reason.c_str());
                    break;
                }
                state.SetIterationTime(result.seconds_per_generation());
            }
        };
        // One iteration is one complete measurement, because camber's own stopping rule determines
        // its samples.
        benchmark::RegisterBenchmark(name.c_str(), body)
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kNanosecond);
    }
    if (!any) return;
    run_registered(study, events);
}

}  // namespace

void list_cases(const Study& study) {
    for (const Case& chosen : cases_of(study))
        benchmark::RegisterBenchmark(case_name(study, chosen).c_str(), [](benchmark::State&) {})
            ->Iterations(1)
            ->UseManualTime();
    run_registered(study, {});
}

void run_cases(CaseRunner& runner, const EngineEvents& events) {
    for (int round = 0; round < runner.study().rounds; ++round) run_round(runner, events, round);
}

}  // namespace camber
