#include "harness/cli/run/outputs.hpp"

#include <fmt/format.h>

#include <string>

#include "harness/cli/common/files.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/groups/communicator.hpp"
#include "workloads/core/eruption.hpp"

namespace camber {

bool is_further_rank(const RunOptions& options) {
    return options.group.communicator && options.group.communicator->rank() > 0;
}

std::unique_ptr<results::ResultsFile> checked_outputs(const RunOptions& options,
                                                      const std::vector<Study>& studies) {
    if (is_further_rank(options)) return std::make_unique<results::ResultsFile>();
    using Existing = results::ResultsFile::Existing;
    std::vector<NamedFile> outputs{{"--out", results_path(options)}, {"--trace", options.trace}};
    for (const Study& study : studies)
        outputs.push_back({"--save", save_path(options, studies, study)});
    check_files({{"--input", options.input}}, outputs);
    auto results = std::make_unique<results::ResultsFile>(
        results_path(options), options.out || options.resume ? Existing::replaced : Existing::kept);
    if (options.save.empty()) return results;
    const Workload& workload = *studies.front().workload;
    for (const Study& study : studies) {
        const std::string path = save_path(options, studies, study);
        workload.check_save_path(path);
        // Else it would show after the whole run.
        if (!workload.eruption()) check_new_file(path, "final board");
    }
    return results;
}

Error with_what_is_kept(const Error& error, results::ResultsFile& results) {
    if (results.document().source.empty()) return error;  // of a rank that writes no file
    results.amend([](results::Document&) {});
    const std::size_t count = results.document().cases.size();
    return {error.code(),
            fmt::format("{}; {} contains {} case{} measured before", error.what(),
                        results.document().source, count, count == 1 ? "" : "s"),
            error.remedy(), error.remedy_value()};
}

Error with_last_state(const BrokenRun& broken, const RunOptions& options) {
    std::string sentence = broken.what();
    if (options.save.empty()) {
        sentence += ", or --save what it comes to before";
    } else if (!is_further_rank(options)) {
        const Workload& workload = workload_of(options);
        Run run{{.cell = cell_of(options, workload)}, broken.parameters(), broken.generations()};
        if (!options.input.empty()) run.initial.input = options.input;
        run.comment = fmt::format("camber: {}", broken.what());
        workload.check_save_path(options.save);
        workload.save(broken.last(), options.save, run);
        sentence += fmt::format("; {} has what it came to before", options.save);
    }
    return {broken.code(), sentence, broken.remedy(), broken.remedy_value()};
}

}  // namespace camber
