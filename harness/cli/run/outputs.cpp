#include "harness/cli/run/run_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/record/merge.hpp"
#include "workloads/core/optional_interfaces.hpp"

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
        workload.check_save_path(path, study.initial.options);
        // Otherwise the error would appear only after the whole run.
        if (!workload.capabilities().eruption) check_new_file(path, "final board");
    }
    return results;
}

Error with_stored_results(const Error& error, results::ResultsFile& results) {
    if (results.document().source.empty()) return error;  // a rank that writes no file
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
        run.initial.options = options.workload_options;
        run.comment = fmt::format("camber: {}", broken.what());
        workload.check_save_path(options.save);
        workload.save(broken.last(), options.save, run);
        sentence += fmt::format("; {} has what it came to before", options.save);
    }
    return {broken.code(), sentence, broken.remedy(), broken.remedy_value()};
}

CommandLine significant_words(const CommandLine& command_line) {
    constexpr std::string_view with_value[] = {"--budget", "--out", "--json", "--keep",
                                               "--launcher"};
    constexpr std::string_view flags[] = {"--resume", "--leave-out-hopeless", "--dry-run"};
    CommandLine words;
    for (std::size_t k = 1; k < command_line.size(); ++k) {
        const std::string& word = command_line[k];
        const std::string_view name = std::string_view(word).substr(0, word.find('='));
        if (std::ranges::find(flags, name) != std::end(flags)) continue;
        if (name == "--ceilings") {
            const bool alone = name.size() == word.size() && k + 1 < command_line.size();
            const std::string value = alone ? command_line[k + 1] : word.substr(name.size() + 1);
            if (names_file(value)) {
                k += alone;
                continue;
            }
        }
        if (std::ranges::find(with_value, name) != std::end(with_value)) {
            if (name.size() == word.size()) ++k;  // the value is a separate word
            continue;
        }
        words.push_back(word);
    }
    return words;
}

std::optional<results::Document> results_to_resume(const std::filesystem::path& path,
                                                   const CommandLine& command_line,
                                                   const results::Run& now) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    results::Document document = results::read_document(path);
    const auto refuse = [&](const std::string& why) {
        return Error(ExitCode::usage,
                     fmt::format("--resume cannot continue {}: {}; choose another --out, or start "
                                 "over without --resume",
                                 path.string(), why));
    };
    if (!document.run()) throw refuse("it was not written by camber run");
    const CommandLine before = significant_words(document.run()->command);
    if (before != significant_words(command_line))
        throw refuse(
            fmt::format("it belongs to another command, camber {}", fmt::join(before, " ")));
    const std::string difference = results::difference_of_origin(*document.run(), now);
    if (!difference.empty()) throw refuse("it was measured elsewhere, " + difference);
    return document;
}

std::optional<results::Document> earlier_results(const RunOptions& options,
                                                 const std::filesystem::path& path,
                                                 const CommandLine& command_line,
                                                 const std::optional<DeviceInfo>& device) {
    if (!options.resume) return std::nullopt;
    return results_to_resume(path, command_line,
                             *run_context(command_line, device ? &*device : nullptr, {}).run);
}

}  // namespace camber
