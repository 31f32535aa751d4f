#include "harness/cli/profile/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/common/device_choice.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/results/context.hpp"
#include "harness/run/ceilings.hpp"
#include "harness/run/record.hpp"
#include "harness/static/kernel_code.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

std::string without_workload(const std::string& name) {
    return name.substr(name.find('/') + 1);
}

const Variant& variant_named(const Study& study, const std::string& name) {
    const auto found = std::ranges::find_if(
        study.variants, [&](const Variant* variant) { return variant->info.name() == name; });
    if (found == study.variants.end())
        throw Error(ExitCode::unavailable,
                    fmt::format("{} is not built for the cuda backend: build camber where nvcc is "
                                "found",
                                name));
    return **found;
}

Json measured(CaseRunner& runner, const Variant& variant, const Ceilings& ceilings,
              const FinalState& final) {
    const CaseResult result = runner.run(variant);
    if (result.status != Status::ok) {
        const bool wrong = result.verification && !result.verification->passed();
        throw Error(wrong ? ExitCode::wrong_result : ExitCode::unavailable,
                    fmt::format("{} cannot be profiled: {}", variant.info.name(), result.reason));
    }
    return record(runner.study(), result, derive(runner.study(), result, ceilings), final, 0, 1, 0);
}

}  // namespace

std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place) {
    std::vector<std::string> found;
    std::vector<std::string> candidates;
    for (const std::string& name : names) {
        const std::string brief = without_workload(name);
        candidates.push_back(name);
        candidates.push_back(brief);
        if (name == wanted || brief == wanted) return name;
        if (matches_glob(wanted, name) || matches_glob(wanted, brief)) found.push_back(name);
    }
    if (found.empty())
        throw Error(ExitCode::usage, fmt::format("no variant {} is named '{}'{}", place, wanted,
                                                 suggestion(wanted, candidates)));
    if (found.size() > 1)
        throw Error(
            ExitCode::usage,
            fmt::format("'{}' means {} variants, and a profile explains one: choose {}, for "
                        "example, or rank them all with camber run",
                        wanted, found.size(), fmt::join(found.begin(), found.begin() + 2, " or ")));
    return found.front();
}

ProfileSource measure_profile(RunOptions options, const std::vector<std::string>& variants,
                              const CommandLine& command_line) {
    const DeviceInfo device = chosen_device(
        options.device, "camber profile needs a GPU, or a results file with --from",
        "without one, camber model predicts memory transactions and camber run --backend simt "
        "verifies variants");
    options.backend = "cuda";
    options.counters = "all";
    options.variants = variants;
    const Study study = study_from(options);
    KernelCode::of_this_program().prepare(device.major, device.minor, 2);

    ProfileSource source;
    Progress progress;
    const int total = static_cast<int>(variants.size());
    progress.show(0, total, "computing the reference");
    CaseRunner runner(study);
    const FinalState final = study.workload->final_state(runner.expected());
    runner.use(open_instruments(study));
    progress.show(0, total, "measuring the device's limits");
    const Ceilings ceilings = measure_ceilings(runner.queue(), &device);
    KernelCode::of_this_program().wait();
    source.document = {{"context", run_context(command_line, &device, ceilings)},
                       {"benchmarks", Json::array()}};
    int done = 0;
    for (const std::string& name : variants) {
        progress.show(done++, total, name);
        source.document["benchmarks"].push_back(
            measured(runner, variant_named(study, name), ceilings, final));
    }
    progress.clear();
    // The page still has times, static facts and what follows from them.
    for (const auto& [what, why] : runner.instrument_failures())
        source.remarks.push_back(fmt::format("No {}: {}.", what, why));
    return source;
}

Json read_results(const std::string& path) {
    errno = 0;
    std::ifstream file(path);
    if (!file)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot open the results file \"{}\": {}; give one that camber run "
                                "--counters all wrote",
                                path, std::strerror(errno)));
    const Json document = Json::parse(file, nullptr, false);
    if (!document.is_object())
        throw Error(ExitCode::usage, fmt::format("\"{}\" is no results file of camber: it is not a "
                                                 "JSON document",
                                                 path));
    return document;
}

const Json& case_of(const Json& document, const std::string& variant) {
    const Json* reason = nullptr;
    for (const Json& benchmark : document.at("benchmarks")) {
        if (!benchmark.contains("camber")) continue;  // an aggregate
        const Json& facts = benchmark.at("camber");
        if (facts.at("variant") != variant) continue;
        // Older files know the usual conditions only.
        const bool usual =
            facts.value("cache", "hot") == "hot" && facts.value("submission", "stream") == "stream";
        if (facts.at("status") == "ok" && facts.at("backend") == "cuda" && usual) return benchmark;
        reason = &facts;
    }
    if (reason == nullptr) throw std::logic_error("no case " + variant);
    throw Error(ExitCode::usage,
                fmt::format("{} was not timed on a GPU, with warm caches and without graphs, in "
                            "this file (backend {}, status {}): choose another, or measure it with "
                            "camber run --backend cuda",
                            variant, reason->at("backend").get<std::string>(),
                            reason->at("status").get<std::string>()));
}

}  // namespace camber
