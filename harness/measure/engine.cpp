#include "harness/measure/engine.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"

namespace camber {

namespace {

constexpr std::string_view benchmark_prefix = "--benchmark_";
constexpr std::string_view list_flag = "--benchmark_list_tests";
constexpr std::string_view repetitions_flag = "--benchmark_repetitions";
constexpr std::string_view flags[] = {"--benchmark_filter", repetitions_flag,
                                      "--benchmark_enable_random_interleaving", list_flag};

// Name and value of "NAME=VALUE"; the value is empty if absent.
std::pair<std::string_view, std::string_view> parts_of(std::string_view argument) {
    const std::size_t equals = std::min(argument.find('='), argument.size());
    return {argument.substr(0, equals), argument.substr(std::min(equals + 1, argument.size()))};
}

int repetitions_of(std::string_view argument, std::string_view value) {
    int repetitions = 0;
    const char* const last = value.data() + value.size();
    const auto [end, error] = std::from_chars(value.data(), last, repetitions);
    if (error != std::errc() || end != last || repetitions < 1)
        throw Error(ExitCode::usage, fmt::format("flag {} needs a number from 1 on", argument));
    return repetitions;
}

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

template <class Body>
void add_benchmark(const std::string& name, Body body) {
    benchmark::RegisterBenchmark(name.c_str(), std::move(body))
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kNanosecond);
}

// Runs the added benchmarks, or lists them if the flags say so.
void run_benchmarks(const Study& study, const EngineEvents& events) {
    AggregateReporter reporter(events);
    std::ostringstream complaint;  // "Failed to match any...", which the sentence below contains
    reporter.SetErrorStream(&complaint);
    const std::size_t matched = benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::ClearRegisteredBenchmarks();
    if (matched == 0)
        throw Error(
            ExitCode::usage,
            fmt::format("--benchmark_filter={} lets no case pass: it is a regular "
                        "expression matched against names such as {}",
                        benchmark::GetBenchmarkFilter(),
                        case_name(study, {study.variants.front(), study.conditions.front()})));
}

// Measures the case within an iteration. Returns false if there is no time.
bool measure(CaseRunner& runner, const EngineEvents& events, const Case& chosen, int repetition,
             int round, benchmark::State& state) {
    CaseResult result;
    try {
        check_stop();
        events.starting(chosen);
        result = runner.run(chosen, round + 1 == runner.study().rounds);
    } catch (const Stopped&) {
        state.SkipWithError("stopped");  // all remaining cases are stopped, too
        return false;
    }
    events.measured(result, repetition, round);
    if (result.record.status != results::Status::ok) {
        state.SkipWithError(result.record.reason.c_str());
        return false;
    }
    state.SetIterationTime(result.seconds_per_generation());
    return true;
}

}  // namespace

int configure_engine(std::vector<std::string>& arguments) {
    int repetitions = 1;
    std::vector<char*> argv{const_cast<char*>("camber")};
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
        const auto [name, value] = parts_of(argument);
        if (name.starts_with(benchmark_prefix) && std::ranges::find(flags, name) == std::end(flags))
            throw Error(ExitCode::usage,
                        fmt::format("flag {} has no effect here: use --out for the results file, "
                                    "camber report --format csv for a table, or of Google "
                                    "Benchmark's flags {}",
                                    argument, fmt::join(flags, ", ")));
        // Google Benchmark accepts 0 and negative values as "none".
        if (name == repetitions_flag && name.size() < argument.size())
            repetitions = repetitions_of(argument, value);
    }
    int argc = static_cast<int>(argv.size());
    benchmark::Initialize(&argc, argv.data());
    arguments = std::vector<std::string>(argv.begin() + 1, argv.begin() + argc);
    for (const std::string& argument : arguments)
        if (argument.starts_with(benchmark_prefix))
            throw Error(ExitCode::usage,
                        "flag " + argument + " of Google Benchmark lacks its =VALUE");
    return repetitions;
}

bool asks_for_list(const std::vector<std::string>& arguments) {
    return std::ranges::any_of(arguments, [](const std::string& argument) {
        const auto [name, value] = parts_of(argument);
        return name == list_flag && value != "false" && value != "0";
    });
}

void list_cases(const Study& study) {
    for (const Case& chosen : cases_of(study))
        add_benchmark(case_name(study, chosen), [](benchmark::State&) {});
    run_benchmarks(study, {});
}

void run_cases(CaseRunner& runner, const EngineEvents& events) {
    const Study& study = runner.study();
    for (int round = 0; round < study.rounds; ++round) {
        std::map<std::string, int> repetitions;  // so far, by case
        bool any = false;
        for (const Case& chosen : order_of_round(study, round)) {
            if (events.done && events.done(chosen, round)) continue;
            any = true;
            const std::string name = case_name(study, chosen);
            add_benchmark(name, [&, chosen, name, round](benchmark::State& state) {
                for (auto _ : state)
                    if (!measure(runner, events, chosen, repetitions[name]++, round, state)) break;
            });
        }
        if (any) run_benchmarks(study, events);
    }
}

}  // namespace camber
