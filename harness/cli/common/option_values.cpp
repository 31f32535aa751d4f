#include "harness/cli/common/option_values.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

// True if the whole text is a T.
template <class T>
bool reads_as(const std::string& text, T& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

}  // namespace

std::string not_empty(const std::string& text) {
    return text.empty() ? "the value is empty" : "";
}

std::string is_seed(const std::string& text) {
    std::uint64_t value = 0;
    if (reads_as(text, value)) return "";
    return fmt::format("'{}' is no whole number from 0 to {}", text,
                       std::numeric_limits<std::uint64_t>::max());
}

Check is_within(double least, double most) {
    return [=](const std::string& text) {
        double value = 0;
        if (reads_as(text, value) && value >= least && value <= most) return std::string();
        return fmt::format("'{}' is no number from {} to {}", text, least, most);
    };
}

std::string is_file_name(const std::string& text) {
    return text == "-" ? "'-' is no file; give a name, or ./- for a file of that name"
                       : not_empty(text);
}

std::optional<double> parse_duration(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc()) return std::nullopt;
    const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
    if (unit == "m")
        value *= 60;
    else if (unit == "h")
        value *= 3600;
    else if (unit != "s" && !unit.empty())
        return std::nullopt;
    constexpr double most = 3.6e6;
    if (!(value >= 1 && value <= most)) return std::nullopt;
    return value;
}

std::string is_duration(const std::string& text) {
    if (parse_duration(text)) return "";
    return fmt::format(
        "'{}' is no length of time from one second to a thousand hours: write for "
        "example 90s, 20m or 1h",
        text);
}

Size parse_size(const std::string& text) {
    constexpr std::int64_t longest = 1 << 25;  // a tile of such long rows still has 32-bit offsets
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    if (!parse_pair(text, 'x', columns, rows))
        throw Error(
            ExitCode::usage,
            fmt::format("size '{}' is not COLUMNSxROWS: write for example 1600x1200", text));
    if (columns < 1 || rows < 1 || columns > longest || rows > longest)
        throw Error(ExitCode::usage,
                    fmt::format("size {} is impossible: columns and rows must be between 1 and {}",
                                text, longest));
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

namespace {

// Sizes from `first` to `last`, doubled at each step.
std::vector<std::string> doubled(const std::string& first, const std::string& last) {
    const Size end = parse_size(last);
    std::vector<std::string> sizes;
    for (Size size = parse_size(first); size.columns <= end.columns && size.rows <= end.rows;
         size = {2 * size.columns, 2 * size.rows}) {
        sizes.push_back(fmt::format("{}x{}", size.columns, size.rows));
        if (size == end) return sizes;
    }
    throw Error(ExitCode::usage,
                fmt::format("sizes {}..{} do not double: columns and rows of the last size must "
                            "be 2, 4, 8... times those of the first; write for example "
                            "64x64..1024x1024",
                            first, last));
}

}  // namespace

std::vector<std::string> sizes_in(const std::string& list) {
    std::vector<std::string> sizes;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        const std::string item = list.substr(start, end - start);
        const auto dots = item.find("..");
        if (dots == std::string::npos) {
            if (!list.empty()) parse_size(item);
            sizes.push_back(item);
        } else {
            std::ranges::copy(doubled(item.substr(0, dots), item.substr(dots + 2)),
                              std::back_inserter(sizes));
        }
        start = end + 1;
    }
    for (auto size = sizes.begin(); size != sizes.end(); ++size)
        if (std::find(sizes.begin(), size, *size) != size)
            throw Error(ExitCode::usage,
                        fmt::format("size {} is given twice: leave out one", *size));
    return sizes;
}

std::vector<int> number_list(const std::string& text, const char* option, int least) {
    std::vector<int> numbers;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        int number = 0;
        const auto [stop, error] = std::from_chars(text.data() + start, text.data() + end, number);
        if (error != std::errc() || stop != text.data() + end || number < least)
            throw Error(ExitCode::usage,
                        fmt::format("{} {} is not NUMBER[,NUMBER...] from {} on: write for example "
                                    "{} {},{}",
                                    option, text, least, option, least, least + 1));
        numbers.push_back(number);
        start = end + 1;
    }
    return numbers;
}

std::vector<int> devices_of_places(int gpus, const std::string& list) {
    if (list.empty()) {
        std::vector<int> devices(static_cast<std::size_t>(gpus));
        std::iota(devices.begin(), devices.end(), 0);
        return devices;
    }
    std::vector<int> devices = number_list(list, "--devices", 0);
    if (gpus > 0 && gpus != static_cast<int>(devices.size()))
        throw Error(ExitCode::usage,
                    fmt::format("--gpus {} and the {} devices of --devices {} differ: leave "
                                "out one of the two",
                                gpus, devices.size(), list));
    return devices;
}

void check_devices(const std::vector<int>& devices, bool named,
                   const std::vector<DeviceInfo>& known) {
    if (!named && devices.size() > known.size())
        throw Error(ExitCode::unavailable,
                    fmt::format("{} GPUs are asked for, and this machine has {}: give fewer, or "
                                "one of them several times with --devices {}",
                                devices.size(), known.size(), "0,0"));
    for (const int device : devices) device_at(known, device);
}

std::vector<int> multiprocessors_of(const std::vector<int>& devices,
                                    const std::vector<DeviceInfo>& known) {
    std::vector<int> counts;
    for (const int device : devices) counts.push_back(device_at(known, device).sm_count);
    return counts;
}

int device_of_rank(int rank, int local, const std::string& list,
                   const std::vector<DeviceInfo>& known) {
    std::vector<int> devices(known.size());
    std::iota(devices.begin(), devices.end(), 0);
    if (!list.empty()) devices = number_list(list, "--devices", 0);
    if (static_cast<std::size_t>(local) >= devices.size())
        throw Error(ExitCode::unavailable,
                    fmt::format("rank {} has no GPU: it is number {} of its machine, for which "
                                "there are {}: start fewer, or give one several times with "
                                "--devices 0,0",
                                rank, local + 1, devices.size()));
    const int device = devices[static_cast<std::size_t>(local)];
    device_at(known, device);
    return device;
}

DeviceInfo chosen_device(int index, const std::string& need, const std::string& instead) {
    const auto devices = cuda_devices();
    if (devices.empty())
        throw Error(ExitCode::unavailable, fmt::format("{}: {}; {}", need, why_no_cuda(), instead));
    return device_at(devices, index);
}

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
        std::string page = CLI::Formatter::make_help(app, std::move(name), mode);
        for (std::size_t at; (at = page.find("\n\n\n")) != std::string::npos;) page.erase(at, 1);
        return page;
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
