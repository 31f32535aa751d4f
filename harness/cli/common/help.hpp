// Help pages of commands: options in groups, the common ones first. `--help` leaves out rare
// options, `--help-all` prints every option.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace camber {

inline constexpr const char* problem_group = "Problem";
inline constexpr const char* variant_group = "Variants";
inline constexpr const char* measurement_group = "Measurement";
inline constexpr const char* devices_group = "Several GPUs";
inline constexpr const char* output_group = "Output";

// Assigns the options that are added to `command` next to a group, until it is destroyed. Rare
// options appear only with --help-all, which rare() adds to the command.
class OptionGroups {
  public:
    explicit OptionGroups(CLI::App& command)
        : command_(command), outer_(command.option_defaults()->get_group()) {}
    OptionGroups(const OptionGroups&) = delete;
    OptionGroups& operator=(const OptionGroups&) = delete;
    ~OptionGroups() { command_.option_defaults()->group(outer_); }

    void common(const std::string& group) { command_.option_defaults()->group(group); }
    void rare(const std::string& group);

  private:
    CLI::App& command_;
    std::string outer_;
};

// Sets this format for `app` and for commands that are added to it later.
void set_help_format(CLI::App& app);

}  // namespace camber
