#include "harness/cli/common/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

namespace camber {

namespace {

// Suffix of the names of groups whose options `--help` omits.
constexpr std::string_view rare_mark = ", rarely needed";
constexpr std::size_t page_width = 100;
constexpr std::size_t name_width = 30;

bool is_rare(std::string_view group) {
    return group.ends_with(rare_mark);
}

// Wraps `text` to lines of at most `width` characters; its own line breaks are preserved.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream paragraphs(text);
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        std::istringstream words(paragraph);
        std::string line;
        for (std::string word; words >> word;) {
            if (!line.empty() && line.size() + 1 + word.size() > width) {
                lines.push_back(line);
                line.clear();
            }
            line += (line.empty() ? "" : " ") + word;
        }
        lines.push_back(line);
    }
    return lines;
}

class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        all_ = mode == CLI::AppFormatMode::All;
        return CLI::Formatter::make_help(app, std::move(name), mode);
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
        std::string text;
        for (const std::string& line : wrapped(make_option_desc(option), page_width - name_width)) {
            if (name.size() + 2 > name_width) {
                text += name + "\n";
                name.clear();
            }
            text += fmt::format("{:<{}}{}\n", name, name_width, line);
            name.clear();
        }
        return text;
    }

  private:
    // " NAME=VALUE", " {on,off}=on": values that an option accepts, and its default.
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

    mutable bool all_ = false;  // for the group and the footer of the current page
};

}  // namespace

void OptionGroups::rare(const std::string& group) {
    if (command_.get_help_all_ptr() == nullptr)
        command_.set_help_all_flag("--help-all", "Print all options and exit");
    command_.option_defaults()->group(group + std::string(rare_mark));
}

void set_help_format(CLI::App& app) {
    app.formatter(std::make_shared<HelpFormatter>());
}

}  // namespace camber
