#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "harness/backend/devices.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/registry/registry.hpp"
#include "harness/results/build_info.hpp"
#include "workloads/workload.hpp"

namespace camber {

namespace {

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

void list_workloads() {
    for (const auto& workload : workloads()) {
        std::vector<std::string> cells;
        for (const ElementType cell : workload->cell_types()) cells.emplace_back(info(cell).name);
        fmt::print("{}\n  {}\n  cells: {}; boundaries: dead, torus; source: {}\n", workload->name(),
                   workload->summary(), joined(cells), workload->source());
    }
}

std::string parameters_text(const VariantInfo& info) {
    std::vector<std::string> parts;
    for (const Parameter& parameter : info.parameters)
        parts.push_back(std::visit(
            [&](const auto& value) { return fmt::format("{}={}", parameter.name, value); },
            parameter.value));
    return joined(parts);
}

// Technique by technique; cell types share their names, so the default one stands for all.
void list_variants() {
    std::vector<std::string> techniques;
    std::map<std::string, std::vector<const Variant*>> by_technique;
    for (const Variant& variant : registry().variants()) {
        const Workload* workload = find_workload(variant.info.workload);
        if (workload && workload->cell_types().front() != variant.info.cell) continue;
        auto& variants = by_technique[variant.info.technique];
        if (variants.empty()) techniques.push_back(variant.info.technique);
        variants.push_back(&variant);
    }
    for (const std::string& technique : techniques) {
        const VariantInfo& first = by_technique[technique].front()->info;
        fmt::print("{}: {}\n  source: {}\n", technique, first.summary, first.source);
        for (const Variant* variant : by_technique[technique]) {
            std::vector<std::string> backends;
            for (const auto& [backend, factory] : variant->factories)
                backends.emplace_back(name(backend));
            fmt::print("    {:<58} {} [{}]\n", variant->info.name(), parameters_text(variant->info),
                       joined(backends));
        }
    }
}

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
    command->add_option("what", *what, "workloads, variants or backends; all three if not given")
        ->check(CLI::IsMember({"workloads", "variants", "backends"}));
    command->footer(
        "Examples:\n"
        "  camber list\n"
        "  camber list variants\n"
        "  camber list backends                which GPUs can be used, and why not");
    command->callback([&chosen, what] {
        chosen = [what] {
            const bool all = what->empty();
            if (all) fmt::print("WORKLOADS\n");
            if (all || *what == "workloads") list_workloads();
            if (all) fmt::print("\nVARIANTS\n");
            if (all || *what == "variants") list_variants();
            if (all) fmt::print("\nBACKENDS\n");
            if (all || *what == "backends") list_backends();
            return 0;
        };
    });
}

}  // namespace camber
