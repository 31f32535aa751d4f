#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/checks.hpp"
#include "harness/cli/common/device_choice.hpp"
#include "harness/cli/common/text_plot.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/ceiling_suite.hpp"
#include "harness/run/context.hpp"

namespace camber {

namespace {

struct Options {
    int device = 0;
    std::string json;
};

void print_row(const char* what, double value, const char* unit, const std::string& meaning) {
    fmt::print("  {:<20} {:>10.2f} {:<8} {}\n", what, value, unit, meaning);
}

void print_table(const Ceilings& ceilings, const DeviceInfo& device) {
    fmt::print("Limits of device {}, {} (compute capability {}.{}, {} SMs), measured\n\n",
               device.index, device.name, device.major, device.minor, device.sm_count);
    const std::string set = fmt::format("working set {}B, read + written",
                                        short_size(ceilings.copy.back().working_set_bytes));
    print_row("DRAM copy", *ceilings.dram_copy() * 1e-9, "GB/s", set);
    print_row("DRAM read", *ceilings.dram_read() * 1e-9, "GB/s", set);
    print_row("DRAM write", *ceilings.dram_write() * 1e-9, "GB/s", set);
    print_row("DRAM triad", ceilings.triad.back().bytes_per_second * 1e-9, "GB/s", set);
    print_row("L2", *ceilings.l2_bytes_per_second * 1e-9, "GB/s",
              "highest of the curves, working set an eighth to a half of L2");
    print_row("L1", *ceilings.l1_bytes_per_second * 1e-9, "GB/s", "loads of 16 bytes, all SMs");
    print_row("shared memory", *ceilings.shared_bytes_per_second * 1e-9, "GB/s",
              "loads of 16 bytes, all SMs");
    print_row("FP32", *ceilings.fp32_flops_per_second * 1e-12, "Tflop/s", "an FMA counts two");
    print_row("FP64", *ceilings.fp64_flops_per_second * 1e-12, "Tflop/s", "an FMA counts two");
    print_row("INT32 add", *ceilings.int32_adds_per_second * 1e-12, "Top/s", "");
    print_row("INT32 multiply-add", *ceilings.int32_multiply_adds_per_second * 1e-12, "Top/s",
              "a multiply-add counts one");
    print_row("LOP3", *ceilings.lop3_operations_per_second * 1e-12, "Top/s",
              "32-bit logic of three inputs");
    print_row("launch", *ceilings.launch_seconds * 1e6, "us", "per empty kernel, back to back");
    print_row("graph node", *ceilings.graph_node_seconds * 1e6, "us",
              "per empty kernel of a graph of 1000 in a row");
}

PlotCurve plotted(char mark, const char* name, const CeilingCurve& points) {
    PlotCurve curve{mark, name, {}};
    for (const CeilingCurvePoint& point : points)
        curve.points.push_back(
            {static_cast<std::size_t>(point.working_set_bytes), point.bytes_per_second * 1e-12});
    return curve;
}

int run(const Options& options, const CommandLine& command_line) {
    const DeviceInfo device =
        chosen_device(options.device, "a GPU's limits cannot be measured without one",
                      "run camber ceilings on a machine with a CUDA device");
    const auto queue = open_cuda(device.index);
    // Opened first: better no measurement than one that is lost.
    std::optional<results::ResultsFile> file;
    if (!options.json.empty()) file.emplace(options.json);
    const Ceilings ceilings = measure_ceiling_suite(*queue, device);

    print_table(ceilings, device);
    fmt::print(
        "\nBandwidth over the working set; L2 has {:.0f} MiB\n\n{}",
        static_cast<double>(device.l2_bytes) / (1 << 20),
        text_plot({plotted('c', "copy", ceilings.copy), plotted('r', "read", ceilings.read),
                   plotted('w', "write", ceilings.write), plotted('t', "triad", ceilings.triad)},
                  {.unit = "TB/s"}));
    if (file) {
        Ceilings of_run;
        of_run.copy_bytes_per_second = ceilings.dram_copy();
        file->amend([&](results::Document& document) {
            document.context = run_context(command_line, &device, of_run);
            document.ceilings = ceilings;
        });
        fmt::print("\nfigures: {}\n", options.json);
    }
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_ceilings_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command =
        app.add_subcommand("ceilings", "The most a GPU can do: bandwidths, arithmetic, launches");
    auto options = std::make_shared<Options>();
    command->add_option("--device", options->device, "CUDA device by index")->capture_default_str();
    command->add_option("--json", options->json, "Also write all figures, as JSON, to this file")
        ->check(is_file_name);
    command->footer(
        "Examples:\n"
        "  camber ceilings                       a table, and bandwidth over size as a plot\n"
        "  camber ceilings --device 1            of the second GPU\n"
        "  camber ceilings --json ceilings.json  all points of the plot, in bytes per second\n"
        "\n"
        "It takes some seconds and up to 4 GiB of the GPU's memory. Each figure is the median of\n"
        "11 samples; bandwidths count bytes read plus bytes written.");
    command->callback([&chosen, &command_line, options] {
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
