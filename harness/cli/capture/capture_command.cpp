// Command `camber capture`.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <regex.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"
#include "harness/capture/limits.hpp"
#include "harness/cli/capture/launch_text.hpp"
#include "harness/cli/capture/program_run.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/machine/binary/code_identity.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using namespace capture;

struct CaptureOptions {
    std::vector<std::string> program;
    bool list = false;
    std::string kernel;
    std::string launch = "1";
    std::string out;
    std::string limit = "4G";
    std::string format = "table";
};

constexpr double ns_per_ms = 1e6;
constexpr std::size_t longest_name = 90;

std::string name_of(const std::string& symbol, std::size_t longest = longest_name) {
    const std::string name = printable(binary::readable_name(symbol), longest_sentence);
    return columns_of(name) <= longest ? name : std::string(cut(name, longest - 3)) + "...";
}

std::string extent(const Dimensions& d) {
    std::string text = fmt::format("{}", d[0]);
    if (d[1] != 1 || d[2] != 1) text += fmt::format("x{}", d[1]);
    if (d[2] != 1) text += fmt::format("x{}", d[2]);
    return text;
}

// "512M", "4G", or bytes.
std::uint64_t parse_bytes(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string unit(end, text.data() + text.size());
    const std::map<std::string, unsigned> shifts{
        {"", 0}, {"K", 10}, {"M", 20}, {"G", 30}, {"T", 40}};
    const auto shift = shifts.find(unit);
    if (error != std::errc() || number == 0 || shift == shifts.end() ||
        number > UINT64_MAX >> (shift->second + 2))
        throw Error(
            ExitCode::usage,
            fmt::format("--limit is '{}': give a number of bytes, such as 512M or 4G", text));
    return number << shift->second;
}

// Numbers of launches; 0 stands for the last.
std::vector<std::uint64_t> parse_launches(const std::string& text) {
    std::vector<std::uint64_t> launches;
    bool last = false;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string word = text.substr(at, end - at);
        at = end + 1;
        std::uint64_t number = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (word == "first")
            number = 1;
        else if (word == "last")
            last = true;
        else if (error != std::errc() || stop != word.data() + word.size() || number == 0)
            throw Error(ExitCode::usage,
                        fmt::format("--launch is '{}': give numbers from 1 on, first or last, "
                                    "such as 3 or first,last",
                                    text));
        if (number != 0) launches.push_back(number);
    }
    std::ranges::sort(launches);
    launches.erase(std::unique(launches.begin(), launches.end()), launches.end());
    if (last) launches.push_back(0);
    return launches;
}

void check_expression(const std::string& expression) {
    regex_t compiled;
    const int error = regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB);
    if (error != 0) {
        char reason[200];
        regerror(error, &compiled, reason, sizeof reason);
        throw Error(
            ExitCode::usage,
            fmt::format("--kernel '{}' is no extended regular expression: {}", expression, reason));
    }
    regfree(&compiled);
}

// Kernels of all processes, by total time.
std::vector<KernelTimes> merged(const std::vector<Report>& reports) {
    std::map<std::string, KernelTimes> all;
    for (const Report& report : reports)
        for (const KernelTimes& kernel : report.kernels) {
            KernelTimes& sum = all[kernel.name];
            // The median of the process with most launches.
            if (kernel.launches > sum.launches) sum.median_ns = kernel.median_ns;
            sum.name = kernel.name;
            sum.launches += kernel.launches;
            sum.total_ns += kernel.total_ns;
            sum.shapes.insert(sum.shapes.end(), kernel.shapes.begin(), kernel.shapes.end());
        }
    std::vector<KernelTimes> list;
    for (auto& [name, kernel] : all) list.push_back(std::move(kernel));
    std::ranges::stable_sort(list, std::ranges::greater(), &KernelTimes::total_ns);
    return list;
}

std::string list_table(const std::vector<KernelTimes>& kernels, double total) {
    TextTable table({{"GPU time"},
                     {"launches"},
                     {"median"},
                     {"grid x block", Align::left},
                     {"kernel", Align::left}});
    for (const KernelTimes& kernel : kernels) {
        const ShapeTimes& shape = kernel.shapes.front();
        std::string shapes = fmt::format("{} x {}", extent(shape.grid), extent(shape.block));
        if (kernel.shapes.size() > 1) shapes += fmt::format(" (+{})", kernel.shapes.size() - 1);
        table.add({percent(kernel.total_ns / total), fmt::format("{}", kernel.launches),
                   duration(kernel.median_ns), shapes, name_of(kernel.name)});
    }
    return table.plain();
}

int run_list(const CaptureOptions& options) {
    if (!options.kernel.empty() || !options.out.empty())
        throw Error(ExitCode::usage,
                    "--list lists all kernels and captures none: leave out --kernel and --out, or "
                    "leave out --list");
    Job job;
    job.list = true;
    job.program = options.program;
    const ProgramRun run = run_with_recorder(std::move(job));
    require_reports(run, options.program);
    note_exit_code(run);
    const std::vector<KernelTimes> kernels = merged(run.reports);
    if (kernels.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("the program '{}' launched no kernel", options.program.front()));
    if (options.format == "json") {
        results::Json list = results::Json::array();
        for (const KernelTimes& kernel : kernels) {
            results::Json one = results::written(kernel);
            one["readable_name"] = binary::readable_name(kernel.name);
            list.push_back(std::move(one));
        }
        print_verbatim(results::Json{{"kernels", std::move(list)}}.dump(1) + "\n");
        return static_cast<int>(ExitCode::success);
    }
    double total = 0;
    std::uint64_t launches = 0;
    for (const KernelTimes& kernel : kernels) {
        total += kernel.total_ns;
        launches += kernel.launches;
    }
    fmt::print("{}\n{} launches of {} kernels took {:.3f} ms on the GPU\n",
               list_table(kernels, total), launches, kernels.size(), total / ns_per_ms);
    return static_cast<int>(ExitCode::success);
}

// Throws an Error with the reason for which nothing was recorded.
[[noreturn]] void explain_nothing(const std::vector<Report>& reports, const Job& job) {
    std::map<std::string, std::uint64_t> launched;
    std::uint64_t in_graphs = 0;
    std::string chosen;
    for (const Report& report : reports) {
        for (const auto& [name, launches] : report.launched) launched[name] += launches;
        in_graphs += report.in_graphs;
    }
    regex_t expression;
    regcomp(&expression, job.kernel.c_str(), REG_EXTENDED | REG_NOSUB);
    std::uint64_t most = 0;
    for (const auto& [symbol, launches] : launched)
        if (regexec(&expression, symbol.c_str(), 0, nullptr, 0) == 0 ||
            regexec(&expression, binary::readable_name(symbol).c_str(), 0, nullptr, 0) == 0)
            most = std::max(most, launches);
    regfree(&expression);
    if (most == 0 && in_graphs > 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("the kernel '{}' was launched {} times into a graph that was being "
                                "recorded, where it does not run: run the program without CUDA "
                                "graphs",
                                job.kernel, in_graphs));
    if (most > 0)
        throw Error(ExitCode::usage,
                    fmt::format("the kernel '{}' was launched {} times, so there is no launch {}: "
                                "give a smaller --launch",
                                job.kernel, most, job.launches.front()));
    std::vector<std::string> names;
    for (const auto& [symbol, launches] : launched)
        if (launches > 0 && names.size() < 5) names.push_back(name_of(symbol, 60));
    throw Error(ExitCode::usage,
                names.empty()
                    ? fmt::format("the program launched no kernel, so none is '{}'", job.kernel)
                    : fmt::format("no launched kernel is '{}'; launched were {}{}: see camber "
                                  "capture --list",
                                  job.kernel, fmt::join(names, ", "),
                                  launched.size() > names.size() ? ", and others" : ""));
}

// Counts the kernel's launches in a first run of the program, and replaces "last" by their number.
void count_launches(Job& job) {
    if (job.launches.back() != 0) return;
    fmt::print(stderr, "camber: the program runs twice, to count the launches first\n");
    Job counting = job;
    counting.count = true;
    counting.launches = {1};
    const ProgramRun run = run_with_recorder(counting);
    require_reports(run, job.program);
    std::uint64_t last = 0;
    for (const Report& report : run.reports) last = std::max(last, report.matched);
    if (last == 0) explain_nothing(run.reports, counting);
    job.launches.back() = last;
    std::erase_if(job.launches, [&](std::uint64_t number) { return number > last; });
    job.launches.erase(std::unique(job.launches.begin(), job.launches.end()), job.launches.end());
}

// Creates the folder for a capture; throws Error if it has content.
fs::path new_folder(const std::string& out) {
    std::error_code error;
    const fs::path folder = fs::absolute(out);
    if (fs::exists(folder, error) && (!fs::is_directory(folder, error) || !fs::is_empty(folder)))
        throw Error(
            ExitCode::unavailable,
            fmt::format("the folder \"{}\" exists and is not empty: give another --out", out),
            Remedy::none);
    fs::create_directories(folder, error);
    // The capture contains the program's data.
    if (error || chmod(folder.c_str(), S_IRWXU) != 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot create the folder \"{}\": {}; give another --out", out,
                                error ? error.message() : "its mode cannot be changed"));
    return folder;
}

void print_capture(const Capture& capture, const CaptureOptions& options) {
    const LaunchFile& file = capture.file;
    fmt::print("kernel  {}\n", name_of(file.kernel, longest_sentence));
    for (const CapturedLaunch& launch : file.launches) {
        std::uint64_t bytes = 0;
        std::uint64_t changed = 0;
        std::size_t variables = 0;
        for (const Buffer& buffer : launch.buffers) {
            bytes += buffer.bytes;
            if (buffer.after) changed += buffer.after->bytes;
            if (buffer.kind == BufferKind::variable) ++variables;
        }
        fmt::print(
            "launch  number {}, grid {}, block {}; {} allocations and {} variables with "
            "{:.1f} MB, of which {:.1f} MB changed\n",
            launch.number, extent(launch.grid), extent(launch.block),
            launch.buffers.size() - variables, variables, static_cast<double>(bytes) / 1e6,
            static_cast<double>(changed) / 1e6);
    }
    if (file.times)
        fmt::print("time    {} in the program, median of {} {}\n", duration(file.times->median_ns),
                   file.times->launches,
                   file.times->undisturbed ? "other launches" : "launches after the copies");
    for (const std::string& note : file.notes) fmt::print("note    {}\n", printable(note));
    fmt::print("folder  {}: {}, with the program's data and machine code\n", options.out,
               folder_size(capture.folder));
    fmt::print("next    camber try {}\n", options.out);
}

int run_record(const CaptureOptions& options) {
    if (options.kernel.empty())
        throw Error(ExitCode::usage,
                    "--kernel is required: name the kernel by an extended regular expression, or "
                    "see all by --list");
    if (options.out.empty())
        throw Error(ExitCode::usage, "--out is required: name a folder for the capture");
    check_expression(options.kernel);
    Job job;
    job.kernel = options.kernel;
    job.launches = parse_launches(options.launch);
    job.most_bytes = parse_bytes(options.limit);
    job.program = options.program;
    recorder_library();
    std::error_code error;
    const bool existed = fs::exists(options.out, error);
    const fs::path folder = new_folder(options.out);
    job.folder = folder.string();
    const auto discard = [&] {
        for (const auto& entry : fs::directory_iterator(folder)) fs::remove(entry, error);
        if (!existed) fs::remove(folder, error);
    };
    try {
        count_launches(job);
        const ProgramRun run = run_with_recorder(job);
        require_reports(run, options.program);
        note_exit_code(run);
        std::size_t recorded = 0;
        for (const Report& report : run.reports)
            recorded = std::max(recorded, report.recorded.size());
        if (recorded == 0) explain_nothing(run.reports, job);
        const Capture capture = read_capture(folder);
        if (const std::string why = unsupported_construct(capture); !why.empty())
            throw Error(ExitCode::unavailable, why);
        if (recorded < job.launches.size())
            say_error(
                fmt::format("the kernel was launched fewer than {} times: {} of {} launches "
                            "are captured",
                            job.launches.back(), recorded, job.launches.size()));
        print_capture(capture, options);
    } catch (...) {
        discard();
        throw;
    }
    return static_cast<int>(ExitCode::success);
}

int run_capture(const CaptureOptions& options) {
    if (options.program.empty())
        throw Error(ExitCode::usage,
                    "a program is required: give it with its arguments after --, such as camber "
                    "capture --list -- ./application input.dat");
    if (options.format != "table" && options.format != "json")
        throw Error(ExitCode::usage,
                    fmt::format("--format does not know '{}'{}; choose from table, json",
                                options.format, suggestion(options.format, {"table", "json"})));
    return options.list ? run_list(options) : run_record(options);
}

}  // namespace

void add_capture_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "capture", "Record a kernel launch of a running program, to replay and improve it");
    auto options = std::make_shared<CaptureOptions>();
    command->add_option("program", options->program, "The program and its arguments, after --")
        ->type_name("PROGRAM");
    command->add_flag("--list", options->list,
                      "List the program's kernels by their share of GPU time; capture none");
    command
        ->add_option("--kernel", options->kernel,
                     "Kernel to capture: an extended regular expression that its symbol or its "
                     "readable name contains")
        ->type_name("REGEX")
        ->check(not_empty);
    command
        ->add_option("--launch", options->launch,
                     "Launches to capture, by number or as first and last, such as 3 or "
                     "first,last; for last, the program runs twice")
        ->type_name("N[,N...]")
        ->capture_default_str()
        ->check(not_empty);
    command->add_option("--out", options->out, "Folder for the capture")
        ->type_name("FOLDER")
        ->check(is_file_name);
    command
        ->add_option("--limit", options->limit,
                     "Largest memory of a launch, in bytes or with K, M, G")
        ->type_name("BYTES")
        ->capture_default_str()
        ->check(not_empty);
    command->add_option("--format", options->format, "Output of --list: table or json")
        ->capture_default_str();
    command->footer(
        "The program runs unmodified. The GPU driver loads a recorder into it, which uses CUPTI;\n"
        "profilers cannot watch the program at the same time. Everything that a launch can reach "
        "is\n"
        "copied before and after it: the folder contains the program's data and machine code.\n"
        "\n"
        "Not captured: launches into CUDA graphs, textures and surfaces, memory allocated in the\n"
        "kernel, and kernels that wait for other processes.\n"
        "\n"
        "Examples:\n"
        "  camber capture --list -- python3 train.py\n"
        "  camber capture --kernel 'avg_pool2d.*' --out pool -- python3 train.py\n"
        "  camber try pool --candidate faster.cu");
    command->callback([&chosen, options] { chosen = [options] { return run_capture(*options); }; });
}

}  // namespace camber
