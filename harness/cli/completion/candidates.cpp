#include "harness/cli/completion/candidates.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include "harness/cli/completion/known_values.hpp"

namespace camber {

namespace {

using Words = std::vector<std::string>;

// The command that the line has chosen, and where its own words begin.
struct Chosen {
    const CLI::App* command = nullptr;
    std::size_t first = 0;
};

Chosen chosen_command(const CLI::App& app, const Words& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        for (const CLI::App* command : app.get_subcommands({}))
            if (command->get_name() == words[i]) return {command, i + 1};
    return {};
}

// The option of that name that takes a value.
const CLI::Option* option_with_value(const CLI::App& command, const std::string& word) {
    if (!word.starts_with('-')) return nullptr;
    const CLI::Option* const option = command.get_option_no_throw(word);
    return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

// "{a,b}" of a check CLI::IsMember, as the option's type has it.
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
        Words names = options_of(app);
        if (!last.starts_with('-')) {
            names.clear();
            for (const CLI::App* known : app.get_subcommands({}))
                names.push_back(known->get_name());
        }
        return beginning_with(last, names);
    }
    // bash parts "--name=value" into three words.
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
    return beginning_with(
        last, last.starts_with('-') ? options_of(*command) : positionals_of(*command, words));
}

}  // namespace camber
