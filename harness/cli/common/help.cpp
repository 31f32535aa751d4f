#include "harness/cli/common/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <regex>
#include <sstream>
#include <string_view>
#include <vector>

#include "harness/cli/common/terminal.hpp"

namespace camber {

namespace {

// End of the name of a group whose options `--help` leaves out.
constexpr std::string_view rare_mark = ", rarely needed";
constexpr std::size_t page_width = 100;
constexpr std::size_t name_width = 30;

bool is_rare(std::string_view group) {
    return group.ends_with(rare_mark);
}

class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        all_ = mode == CLI::AppFormatMode::All;
        const std::string page = CLI::Formatter::make_help(app, std::move(name), mode);
        return std::regex_replace(page, std::regex("\n{3,}"), "\n\n");
    }

    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override {
        if (is_rare(group) && !all_) return "";
        return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
    }

    std::string make_footer(const CLI::App* app) const override {
        const auto left_out =
            app->get_options([](const CLI::Option* one) { return is_rare(one->get_group()); });
        const std::string note = all_ || left_out.empty()
                                     ? ""
                                     : fmt::format("{} more options: camber {} --help-all\n\n",
                                                   left_out.size(), app->get_name());
        return note + CLI::Formatter::make_footer(app);
    }

    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        std::string name = "  " + make_option_name(option, is_positional) + value_of(*option);
        if (name.size() + 2 > name_width) name += "\n" + std::string(name_width, ' ');
        name.resize(std::max(name.size(), name_width), ' ');
        std::string text;
        std::istringstream paragraphs(make_option_desc(option));
        for (std::string paragraph; std::getline(paragraphs, paragraph);)
            text += wrapped(paragraph, page_width, name_width);
        return text.empty() ? name + "\n" : name + text.substr(name_width);
    }

  private:
    // " NAME=VALUE", " {on,off}=on": the values that an option takes and its default.
    static std::string value_of(const CLI::Option& option) {
        if (option.get_type_size() == 0) return "";
        std::string type = option.get_type_name();  // "INT:INT in [1 - 16]", "TEXT:{on,off}"
        if (const auto set = type.find(":{"); set != std::string::npos)
            type = type.substr(set + 1);
        else
            type = type.substr(0, type.find(':'));
        const std::string usual = option.get_default_str();
        const bool repeats = option.get_expected_max() > 1;
        return " " + type + (usual.empty() ? "" : "=" + usual) + (repeats ? " ..." : "");
    }

    mutable bool all_ = false;  // for the group and the footer of the page being made
};

}  // namespace

void OptionGroups::rare(const std::string& group) {
    if (command_.get_help_all_ptr() == nullptr)
        command_.set_help_all_flag("--help-all", "Print all options and exit")->group("Options");
    command_.option_defaults()->group(group + std::string(rare_mark));
}

void set_help_format(CLI::App& app) {
    app.formatter(std::make_shared<HelpFormatter>());
}

}  // namespace camber
