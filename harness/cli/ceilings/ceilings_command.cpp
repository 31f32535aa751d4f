// Command `camber ceilings`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/ceilings/page.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/record/document.hpp"

namespace camber {

namespace {

struct CeilingsOptions {
    int device = 0;
    std::string json;
};

int run(const CeilingsOptions& options, const CommandLine& command_line) {
    const StopSignals signals;
    const DeviceInfo device =
        chosen_device(options.device, "the ceilings of a GPU cannot be measured without a GPU",
                      "run camber ceilings on a machine with a CUDA device");
    const auto queue = open_cuda(device.index);
    // Opens the file first, so that no measurement is lost because the file cannot be written.
    std::optional<results::ResultsFile> file;
    if (!options.json.empty()) file.emplace(options.json);
    const Ceilings ceilings = measure_ceiling_suite(*queue, device);
    const CeilingRows rows = ceiling_rows(ceilings);
    if (rows.measured == 0) throw Stopped();

    fmt::print("{}", ceilings_page(ceilings, device));
    if (file) {
        Ceilings of_run;
        of_run.copy_bytes_per_second = ceilings.dram_copy();
        file->amend([&](results::Document& document) {
            document.context = run_context(command_line, &device, of_run);
            document.ceilings = ceilings;
            if (rows.measured < rows.all)
                document.context.run->incomplete = {rows.measured, rows.all, rows.measured,
                                                    rows.all};
        });
        fmt::print("\nfigures: {}\n", options.json);
    }
    if (rows.measured < rows.all)
        say_stopped(static_cast<int>(rows.measured), static_cast<int>(rows.all),
                    "figures measured");
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_ceilings_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand("ceilings",
                                           "Measure the ceilings of a GPU: bandwidths, latencies, "
                                           "arithmetic and launch rates");
    auto options = std::make_shared<CeilingsOptions>();
    command->add_option("--device", options->device, "CUDA device by index")->capture_default_str();
    command->add_option("--json", options->json, "Also write all figures to this file, as JSON")
        ->check(is_file_name);
    command->footer(
        "Examples:\n"
        "  camber ceilings                       a table, and a plot of bandwidth over working "
        "set\n"
        "  camber ceilings --device 1            ceilings of the second GPU\n"
        "  camber ceilings --json ceilings.json  all points of the plot, in bytes per second\n"
        "\n"
        "The measurement takes some seconds and up to 4 GiB of GPU memory. Each figure is the "
        "median of\n"
        "11 samples; bandwidths count bytes read plus bytes written.");
    command->callback([&chosen, &command_line, options] {
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
