#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "harness/backend/devices.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/list/listings.hpp"
#include "harness/cli/list/technique_matrix.hpp"
#include "harness/registry/kernels.hpp"

namespace camber {

namespace {

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
        "simt  usable: the kernels, thread by thread on the CPU; checks them, times nothing\n");
    fmt::print("cpu   usable: the plain reference, serial or on all CPU threads\n");
}

}  // namespace

void add_list_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("list", "What this camber can run");
    auto what = std::make_shared<std::string>();
    auto matrix = std::make_shared<bool>(false);
    CLI::Option* list =
        command
            ->add_option("what", *what, "workloads, variants, steps or backends; all if not given")
            ->check(CLI::IsMember({"workloads", "variants", "steps", "backends"}));
    command
        ->add_flag("--matrix", *matrix,
                   "Techniques by workloads, as a Markdown page (docs/techniques.md)")
        ->excludes(list);
    command->footer(
        "Examples:\n"
        "  camber list\n"
        "  camber list variants\n"
        "  camber list steps                   what camber run --compose can put together\n"
        "  camber list --matrix                which techniques every workload has, and why\n"
        "  camber list backends                which GPUs can be used, and why not");
    command->callback([&chosen, what, matrix] {
        chosen = [what, matrix] {
            if (*what != "workloads" && *what != "backends") load_all_kernels();
            if (*matrix) {
                fmt::print("{}", technique_matrix(registry()));
                return 0;
            }
            const bool all = what->empty();
            if (all) fmt::print("WORKLOADS\n");
            if (all || *what == "workloads") fmt::print("{}", workload_list());
            if (all) fmt::print("\nVARIANTS\n");
            if (all || *what == "variants") fmt::print("{}", variant_list(registry()));
            if (all) fmt::print("\nSTEPS\n");
            if (all || *what == "steps") fmt::print("{}", step_list(registry()));
            if (all) fmt::print("\nBACKENDS\n");
            if (all || *what == "backends") list_backends();
            return 0;
        };
    });
}

}  // namespace camber
