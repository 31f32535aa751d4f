// Command `camber cat`: the text of files that may be compressed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"

namespace camber {
namespace {

struct CatOptions {
    std::vector<std::string> files;
    std::string out;
};

int run_cat(const CatOptions& options) {
    check_files(named(options.files), {{"--out", options.out}});
    if (!options.out.empty() && options.files.size() > 1)
        throw Error(ExitCode::usage,
                    fmt::format("--out {} takes one file, and {} are given: call camber cat for "
                                "each of them",
                                options.out, options.files.size()));
    for (const std::string& file : options.files) {
        const std::string text = read_file(file, "results file", "a file of results");
        if (!options.out.empty())
            AtomicFile(options.out, "results file").replace(text);
        else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
            break;  // main() reports the failed output
    }
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_cat_command(CLI::App& app, Action& chosen) {
    CLI::App* command =
        app.add_subcommand("cat", "Print results files, also compressed ones, as JSON");
    auto options = std::make_shared<CatOptions>();
    command->add_option("file", options->files, "Files to print, one after the other")
        ->type_name("FILE...")
        ->required();
    command
        ->add_option("--out", options->out,
                     "Write to this file instead, compressed if its name ends with .zst")
        ->type_name("FILE")
        ->check(is_file_name);
    command->footer(
        "All commands read FILE.json.zst (Zstandard) as they read FILE.json, and find it if that\n"
        "does not exist. Options such as --out write it if the name ends with .zst.\n"
        "\n"
        "Exit codes: 0 success, 2 for a file that cannot be read.\n"
        "\n"
        "Examples:\n"
        "  camber cat results/h200/life.json.zst | jq '.benchmarks[].name'\n"
        "  camber cat now.json --out now.json.zst            compress");
    command->callback([&chosen, options] { chosen = [options] { return run_cat(*options); }; });
}

}  // namespace camber
