#include "harness/cli/completion/completion_command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/campaign/parts.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/course/exercise.hpp"
#include "harness/cli/try/starting_points.hpp"
#include "harness/registry/division.hpp"
#include "harness/registry/kernels.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

// Option values that the program itself provides.

// Values of the command's option `option` (without hyphens, such as "workload") on a command line
// for `workload`. Empty if the option takes a file, a number, or other free text.
std::vector<std::string> known_values(const std::string& command, const std::string& option,
                                      const std::string& workload);

namespace {

using Words = std::vector<std::string>;

void add_once(Words& words, std::string word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
}

Words workload_names() {
    Words names;
    for (const auto& workload : workloads()) names.emplace_back(workload->name());
    return names;
}

// Variant names without the workload, as --variant accepts them.
Words variant_names(const std::string& workload, bool techniques) {
    Words names;
    load_built_kernels(workload);
    for (const Variant& variant : registry().variants()) {
        if (variant.info.workload != workload) continue;
        const std::string name = variant.info.name();
        add_once(names, techniques ? std::string(variant.info.technique.name)
                                   : name.substr(workload.size() + 1));
    }
    return names;
}

Words facts_of(const std::string& option, const std::string& workload) {
    Words words;
    const Workload* const known = find_workload(workload);
    if (known == nullptr) return words;
    if (option == "cell")
        for (const ElementType cell : known->facts().cell_types)
            words.emplace_back(info(cell).name);
    if (option == "boundary")
        for (const Boundary boundary : known->facts().boundaries)
            words.emplace_back(name(boundary));
    if (option == "param")
        for (const ParameterInfo& parameter : known->facts().parameters)
            words.push_back(parameter.name + "=");
    return words;
}

// Names of the exchange paths, with and without ranks.
Words exchange_names() {
    Words names{"all"};
    for (const ExchangePath path : exchange_paths) add_once(names, std::string(name(path)));
    for (const ExchangePath path : rank_exchange_paths) add_once(names, std::string(name(path)));
    return names;
}

Words part_names() {
    Words names;
    for (const Part& part : campaign_parts({})) {
        add_once(names, part.name);
        add_once(names, part.group);
    }
    return names;
}

Words starting_point_names() {
    Words names;
    for (const StartingPoint& point : starting_points()) names.emplace_back(point.workload);
    return names;
}

Words exercise_names() {
    Words names;
    for (const course::Exercise& exercise : course::exercises()) names.push_back(exercise.name);
    return names;
}

Words table_names() {
    Words names;
    for (const published::Table& table : published::tables()) names.push_back(table.id);
    return names;
}

}  // namespace

Words known_values(const std::string& command, const std::string& option,
                   const std::string& workload) {
    static const std::map<std::string, Words> fixed{
        {"backend", {"auto", "cuda", "simt", "cpu"}},
        {"cache", {"hot", "cold", "both"}},
        {"mode", {"strong", "weak"}},
        {"counters", {"memory", "shared", "compute", "all"}},
        {"only", {"model", "deterministic", "time"}},
        {"shell", {"bash", "zsh"}},
    };
    if (option == "only" && command == "campaign") return part_names();
    if (const auto found = fixed.find(option); found != fixed.end()) return found->second;
    if (option == "exchange") return exchange_names();
    if (option == "workload") return workload_names();
    if (option == "technique") return variant_names(workload, true);
    if (option == "variant") return variant_names(workload, false);
    if (option == "TABLE") return table_names();
    if (option == "new") return starting_point_names();
    if (option == "exercise") return exercise_names();
    return facts_of(option, workload);
}

namespace {

using Words = std::vector<std::string>;

// Command on the command line, and the start of its own words.
struct Chosen {
    const CLI::App* command = nullptr;
    std::size_t first = 0;
};

Chosen chosen_command(const CLI::App& app, const Words& words, std::size_t start = 0) {
    for (std::size_t i = start; i + 1 < words.size(); ++i)
        for (const CLI::App* command : app.get_subcommands({}))
            if (command->get_name() == words[i]) {
                const Chosen inner = chosen_command(*command, words, i + 1);
                return inner.command != nullptr ? inner : Chosen{command, i + 1};
            }
    return {};
}

Words commands_of(const CLI::App& app) {
    Words names;
    for (const CLI::App* known : app.get_subcommands({})) names.push_back(known->get_name());
    return names;
}

// Option with that name, if it takes a value.
const CLI::Option* option_with_value(const CLI::App& command, const std::string& word) {
    if (!word.starts_with('-')) return nullptr;
    const CLI::Option* const option = command.get_option_no_throw(word);
    return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

// Choices "{a,b}" of CLI::IsMember, taken from the option's type name.
Words choices_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto begin = type.find('{');
    const auto end = type.find('}', begin);
    Words choices;
    if (begin == std::string::npos || end == std::string::npos) return choices;
    std::istringstream list(type.substr(begin + 1, end - begin - 1));
    for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
    return choices;
}

std::string value_of(const std::string& option, const Words& words, const std::string& otherwise) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == option && i + 1 < words.size()) return words[i + 1];
        if (words[i].starts_with(option + "=")) return words[i].substr(option.size() + 1);
    }
    return otherwise;
}

Words values_of(const CLI::App& command, const CLI::Option& option, const Words& words) {
    const Words choices = choices_of(option);
    return choices.empty() ? known_values(command.get_name(), option.get_single_name(),
                                          value_of("--workload", words, "life"))
                           : choices;
}

Words options_of(const CLI::App& command) {
    Words names;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty()) continue;
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

Words positionals_of(const CLI::App& command, const Words& words) {
    Words all;
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional() && !option->get_group().empty())
            for (std::string& value : values_of(command, *option, words))
                all.push_back(std::move(value));
    return all;
}

Words beginning_with(const std::string& prefix, const Words& candidates) {
    Words found;
    for (const std::string& candidate : candidates)
        if (candidate.starts_with(prefix) && std::ranges::find(found, candidate) == found.end())
            found.push_back(candidate);
    return found;
}

}  // namespace

Words completion_words(const CLI::App& app, const Words& given) {
    Words words = given;
    if (words.empty()) words.emplace_back();
    const std::string& last = words.back();
    const auto [command, first] = chosen_command(app, words);
    if (command == nullptr) {
        return beginning_with(last, last.starts_with('-') ? options_of(app) : commands_of(app));
    }
    // bash splits "--name=value" into three words.
    const bool after_equals = words.size() >= 2 && words[words.size() - 2] == "=";
    const std::size_t back = last == "=" || after_equals ? (last == "=" ? 2 : 3) : 2;
    if (words.size() >= first + back)
        if (const auto* option = option_with_value(*command, words[words.size() - back]))
            return beginning_with(last == "=" ? "" : last, values_of(*command, *option, words));
    if (const auto equals = last.find('='); last.starts_with("--") && equals != std::string::npos) {
        const std::string name = last.substr(0, equals);
        const auto* option = option_with_value(*command, name);
        if (option == nullptr) return {};
        Words values = beginning_with(last.substr(equals + 1), values_of(*command, *option, words));
        for (std::string& value : values) value = name + "=" + value;
        return values;
    }
    if (last.starts_with('-')) return beginning_with(last, options_of(*command));
    const Words commands = commands_of(*command);
    return beginning_with(last, commands.empty() ? positionals_of(*command, words) : commands);
}

// camber completion: scripts for shells, and the completions that they request from the program.

namespace {

// Both scripts request completions from the program, so that they fit any version of its options.
// If there are none, a file name is completed. In bash, a variant's name may contain a colon or an
// equals sign, at which bash splits words; bash's own functions rejoin them.
constexpr const char* bash_script = R"(# camber completion bash: source it, or save it as
# ~/.local/share/bash-completion/completions/camber
_camber() {
    local IFS=$'\n'
    COMPREPLY=($("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    if [ ${#COMPREPLY[@]} -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _camber camber ./camber
)";

constexpr const char* zsh_script = R"(#compdef camber
# camber completion zsh: save it as _camber in a folder of $fpath, or source it after compinit
_camber() {
    local -a candidates
    candidates=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    candidates=(${candidates:#})
    if (( $#candidates )); then compadd -a candidates; else _files; fi
}
if [ "$funcstack[1]" = "_camber" ]; then _camber "$@"; else compdef _camber camber ./camber; fi
)";

}  // namespace

void add_completion_command(CLI::App& app, Action& chosen) {
    CLI::App* command =
        app.add_subcommand("completion", "Print what makes a shell complete camber's words");
    auto shell = std::make_shared<std::string>();
    auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("shell", *shell, "bash or zsh")
        ->required()
        ->check([](const std::string& name) {
            // The scripts call `words`.
            return name == "bash" || name == "zsh" || name == "words"
                       ? std::string()
                       : fmt::format("'{}' is no shell that is known: choose bash or zsh", name);
        });
    command->add_option("words", *words)->group("");
    command->footer(
        "Examples:\n"
        "  source <(camber completion bash)\n"
        "  camber completion bash > ~/.local/share/bash-completion/completions/camber\n"
        "  camber completion zsh > \"${fpath[1]}/_camber\"");
    command->callback([&app, &chosen, shell, words] {
        chosen = [&app, shell, words] {
            if (*shell == "words") {
                std::string text;
                for (const std::string& word : completion_words(app, *words)) text += word + "\n";
                print_verbatim(text);
            } else {
                print_verbatim(*shell == "bash" ? bash_script : zsh_script);
            }
            return static_cast<int>(ExitCode::success);
        };
    });
}

}  // namespace camber
