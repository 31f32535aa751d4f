#include "harness/cli/run/resume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/measure/context.hpp"
#include "harness/record/origin.hpp"

namespace camber {

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
            if (name.size() == word.size()) ++k;  // the value is a word of its own
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
