#include "harness/cli/common/workload_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "harness/base/error.hpp"
#include "harness/cli/common/help.hpp"
#include "harness/cli/common/option_values.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

constexpr std::string_view workload_word = "--workload";

// "workload life has no option --tile: leave it out, or choose --workload sciara_fv2 or magflow".
std::string missing_option(std::string_view workload, std::string_view option) {
    std::vector<std::string_view> others;
    for (const auto& other : workloads())
        if (other->option(option)) others.push_back(other->name());
    return fmt::format("workload {} has no option --{}: leave it out{}", workload, option,
                       others.empty() ? ""
                                      : fmt::format(", or choose {} {}", workload_word,
                                                    fmt::join(others, " or ")));
}

}  // namespace

std::string named_workload(const std::vector<std::string>& command_line, std::string_view usual) {
    for (std::size_t i = 0; i < command_line.size(); ++i) {
        const std::string& word = command_line[i];
        if (word.starts_with(workload_word) && word.substr(workload_word.size()).starts_with('='))
            return word.substr(workload_word.size() + 1);
        if (word != workload_word) continue;
        ++i;
        // A shell that completes a line splits "--workload=NAME" into three words.
        if (i < command_line.size() && command_line[i] == "=") ++i;
        if (i < command_line.size()) return command_line[i];
    }
    return std::string(usual);
}

void add_workload_options(CLI::App& command, const Workload& workload, OptionValues& values) {
    OptionGroups groups(command);
    groups.common(fmt::format("Options of {}", workload.name()));
    for (const WorkloadOption& option : workload.facts().options)
        command
            .add_option_function<std::string>(
                fmt::format("--{}", option.name),
                [&option, &values](const std::string& value) {
                    check_value(option, value);
                    values[std::string(option.name)] = value;
                },
                std::string(option.help))
            ->type_name(value_form(option))
            ->default_str(std::string(option.usual))
            ->check(not_empty);
}

void check_workload_options(const Workload& workload, const OptionValues& values) {
    for (const auto& [name, value] : values) {
        const WorkloadOption* const option = workload.option(name);
        if (option == nullptr) throw Error(ExitCode::usage, missing_option(workload.name(), name));
        check_value(*option, value);
    }
}

std::string option_of_others(const std::vector<std::string>& arguments, std::string_view workload) {
    if (find_workload(workload) == nullptr) return "";
    for (const std::string& argument : arguments) {
        if (!argument.starts_with("--")) continue;
        const std::string option = argument.substr(2, argument.find('=') - 2);
        for (const auto& other : workloads())
            if (other->option(option)) return missing_option(workload, option);
    }
    return "";
}

}  // namespace camber
