// Command `camber inspect`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/inspect/inspected.hpp"

namespace camber {
namespace {

struct InspectOptions {
    std::string file;
    KernelChoice choice;
    std::vector<int> blocks;
    bool mix = false;
    std::string format = "table";
    std::string out;
};

int run_inspect(InspectOptions options) {
    check_files(named({options.file}), {{"--out", options.out}});
    if (options.format != "table" && options.format != "json")
        throw Error(ExitCode::usage,
                    fmt::format("--format does not know '{}'{}; choose from table, json",
                                options.format, suggestion(options.format, {"table", "json"})));
    if (!options.blocks.empty()) options.choice.blocks = options.blocks;
    constexpr int most_threads = 1024;
    for (const int threads : options.choice.blocks)
        if (threads < 1 || threads > most_threads)
            throw Error(ExitCode::usage, fmt::format("--block is {}: a block has 1 to {} threads",
                                                     threads, most_threads));
    const results::CodeInspection inspection = inspected(options.file, options.choice);
    const std::string text = options.format == "json" ? results::to_text(inspection)
                                                      : inspection_table(inspection, options.mix);
    if (!options.out.empty())
        AtomicFile(options.out, "inspection").replace(text);
    else if (options.format == "json")
        print_verbatim(text);
    else
        fmt::print("{}", text);
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_inspect_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "inspect",
        "List the kernels in compiled code with their resources; needs no GPU or toolkit");
    auto options = std::make_shared<InspectOptions>();
    command
        ->add_option("file", options->file,
                     "Program, shared library, object file, archive, cubin, fat binary or PTX")
        ->type_name("FILE")
        ->required();
    command->add_option("--kernel", options->choice.kernels,
                        "Only kernels that match this glob, repeatable: names with or without "
                        "scope and parameters, or mangled");
    command->add_option("--arch", options->choice.architectures,
                        "Only this architecture, repeatable: sm_90, or compute_90 for PTX");
    command->add_option("--block", options->blocks,
                        "Threads per block for the occupancy, repeatable (default: 128, 256, 512, "
                        "1024)");
    command->add_flag("--mix", options->mix, "Show the instructions of each kernel by pipe");
    command->add_option("--format", options->format, "How to print")
        ->type_name("TEXT:{table,json}")
        ->capture_default_str();
    command->add_option("--out", options->out, "Write to this file")
        ->type_name("FILE")
        ->check(is_file_name);
    command->footer(
        "Columns: registers per thread; stack bytes per thread; local loads and stores, which are\n"
        "spills or arrays with variable indices; static shared memory per block; constant memory;\n"
        "instructions; bytes; occupancy by threads per block; hash. Kernels with equal hashes "
        "have\n"
        "equal machine code. camber compare judges two files.\n"
        "\n"
        "Exit codes: 0 success, 2 no compiled code, or a damaged file.\n"
        "\n"
        "Examples:\n"
        "  camber inspect build/app                          all kernels, by architecture\n"
        "  camber inspect libcusparse.so --arch sm_90 --kernel '*csrmv*' --mix\n"
        "  camber inspect build/app --format json --out base.json\n"
        "  camber compare base.json build/app");
    command->callback([&chosen, options] { chosen = [options] { return run_inspect(*options); }; });
}

}  // namespace camber
