// Command `camber list`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/list/listings.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/registry/kernels.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

struct ListOptions {
    std::string what;
    VariantFilter filter;
    std::string format = "table";
    bool matrix = false;
};

void list_backends() {
    const auto devices = cuda_devices();
    if (devices.empty()) {
        fmt::print("cuda  not usable: {}\n", why_no_cuda());
    } else {
        const CudaVersions versions = cuda_versions();
        for (const DeviceInfo& device : devices)
            fmt::print(
                "cuda  device {}: {}, compute capability {}.{}, {} SMs, {:.1f} GiB "
                "(driver supports CUDA {}, runtime {})\n",
                device.index, device.name, device.major, device.minor, device.sm_count,
                static_cast<double>(device.memory_bytes) / (1 << 30), versions.driver,
                versions.runtime);
    }
    fmt::print(
        "simt  usable: executes kernels thread by thread on the CPU; verifies and checks, no "
        "times\n");
    fmt::print("cpu   usable: the reference, serial or on all CPU threads\n");
    if (const std::string why = why_no_nccl(); why.empty())
        fmt::print("nccl  usable: --exchange nccl with several GPUs\n");
    else
        fmt::print("nccl  not usable: {}\n", why);
    const std::string why_not = why_no_ranks();
    if (why_not.empty())
        fmt::print(
            "ranks usable: mpirun -n N camber run --ranks; with the cuda and simt backends\n");
    else
        fmt::print("ranks not usable: {}\n", why_not);
}

void load_listed(const std::string& workload) {
    if (workload.empty()) return load_all_kernels();
    std::vector<std::string> names;
    for (const auto& known : workloads()) names.emplace_back(known->name());
    if (find_workload(workload) == nullptr) {
        const std::string near = suggestion(workload, names);
        throw Error(
            ExitCode::usage,
            fmt::format("workload '{}' is unknown{}", workload,
                        near.empty() ? fmt::format(": choose {}", fmt::join(names, ", ")) : near));
    }
    load_kernels(workload);
}

void list_variants(const ListOptions& options) {
    load_listed(options.filter.workload);
    if (options.format == "json")
        print_verbatim(variants_json(registry(), options.filter));
    else if (options.filter.workload.empty() && options.filter.technique.empty())
        fmt::print("{}", technique_list(registry()));
    else
        fmt::print("{}", variant_list(registry(), options.filter));
}

int run(const ListOptions& options) {
    const std::string& what = options.what;
    const bool filtered = !options.filter.workload.empty() || !options.filter.technique.empty();
    if (filtered && what != "variants")
        throw Error(ExitCode::usage,
                    "--workload and --technique select variants: write camber list variants");
    if (options.format == "json" && (what == "steps" || what == "backends"))
        throw Error(
            ExitCode::usage,
            fmt::format("--format json supports workloads and variants, not {}: leave it out",
                        what));
    if (options.matrix) {
        load_all_kernels();
        print_verbatim(technique_matrix(registry()));
    } else if (what == "variants") {
        list_variants(options);
    } else if (what == "steps") {
        load_all_kernels();
        fmt::print("{}", step_list(registry()));
    } else if (what == "backends") {
        list_backends();
    } else if (options.format == "json") {
        print_verbatim(workloads_json());
    } else {
        fmt::print("{}", what.empty() ? front_page() : workload_list());
    }
    return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_list_command(CLI::App& app, Action& chosen) {
    CLI::App* command =
        app.add_subcommand("list", "List workloads, variants, pipeline steps and backends");
    auto options = std::make_shared<ListOptions>();
    CLI::Option* list =
        command
            ->add_option("what", options->what,
                         "workloads, variants, steps or backends (default: an overview of the "
                         "workloads)")
            ->check(CLI::IsMember({"workloads", "variants", "steps", "backends"}));
    command->add_option("--workload", options->filter.workload,
                        "With variants: only this workload");
    command->add_option("--technique", options->filter.technique,
                        "With variants: only this technique");
    command->add_option("--format", options->format, "Output format")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "json"}));
    command
        ->add_flag(
            "--matrix", options->matrix,
            "Print a matrix of techniques and workloads as a Markdown page (docs/techniques.md)")
        ->excludes(list);
    command->footer(
        "Examples:\n"
        "  camber list\n"
        "  camber list variants --workload life\n"
        "  camber list variants --workload life --technique shared_tile\n"
        "  camber list steps                   steps that camber run --compose combines\n"
        "  camber list --matrix                which workload has which techniques, and why\n"
        "  camber list backends                usable GPUs, or the reason for none");
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace camber
