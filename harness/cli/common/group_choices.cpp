// Groups of GPUs that the options choose, and the division of a study among them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/common/group_options.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

namespace {

// Parses --edge; 0 means exactly the rows that are sent.
int edge_share_in(const std::string& text) {
    if (text == "sent") return 0;
    int share = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), share);
    if (error != std::errc() || stop != text.data() + text.size() || share < 2 || share > 1 << 20)
        throw Error(
            ExitCode::usage,
            fmt::format(
                "--edge {} is neither a number from 2 to {} nor sent: write for example --edge 3",
                text, 1 << 20));
    return share;
}

// Device of each rank; empty if some ranks share a device.
std::vector<int> distinct_devices(Communicator& ranks, int own) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const std::vector<std::string> all = ranks.all_of(fmt::format("{} {}", own, host));
    if (std::set<std::string>(all.begin(), all.end()).size() < all.size()) return {};
    std::vector<int> devices;
    for (const std::string& device : all) devices.push_back(std::stoi(device));
    return devices;
}

}  // namespace

// Does not set the number of SMs, which choices() adds.
Start GroupOptions::chosen_start() const {
    const GroupOptions usual;
    if (start == usual.start) {
        if (start_blocks != usual.start_blocks)
            throw Error(ExitCode::usage,
                        fmt::format("--start-blocks {} applies to --start progressive only: give "
                                    "that, too, or leave it out",
                                    start_blocks));
        return {};
    }
    const auto refuse = [&](const std::string& option, const char* why) {
        throw Error(ExitCode::usage,
                    fmt::format("{} does not go with --start {}: {}; leave out one of the two",
                                option, start, why));
    };
    if (communicator) refuse("--ranks", "every rank is a process, and all of them start");
    if (partition != usual.partition)
        refuse("--partition " + partition, "the rows of a box are divided");
    if (!balance.empty())
        refuse("--balance " + balance, "rows follow the box, not the GPUs' times");
    if (halo_depth != usual.halo_depth)
        refuse(fmt::format("--halo-depth {}", halo_depth),
               "GPUs share something in the middle of every generation");
    for (const std::string& exchange : exchanges)
        if (exchange == name(ExchangePath::kernel) || exchange == name(ExchangePath::persistent))
            refuse("--exchange " + exchange,
                   "with several kernels per generation, no kernel sends edge rows");
    return {.progressive = true, .blocks_per_multiprocessor = start_blocks, .multiprocessors = {}};
}

Balancing GroupOptions::balancing() const {
    const GroupOptions usual;
    if (balance.empty()) {
        for (const auto& [option, value, usually] :
             {std::tuple{"--balance-every", std::to_string(balance_every),
                         std::to_string(usual.balance_every)},
              std::tuple{"--balance-rows", std::to_string(balance_rows),
                         std::to_string(usual.balance_rows)},
              std::tuple{"--balance-threshold", balance_threshold, usual.balance_threshold}})
            if (value != usually)
                throw Error(
                    ExitCode::usage,
                    fmt::format("{} {} applies to --balance only: give that, too, or leave it out",
                                option, value));
        return {};
    }
    if (communicator)
        throw Error(ExitCode::usage,
                    fmt::format("--balance {} works within one process, but --ranks uses one "
                                "process per GPU: leave out one of the two",
                                balance));
    return {balance_rule_named(balance), balance_every, balance_rows};
}

// Throws Error(usage) for options that do not apply if devices store columns.
void GroupOptions::refuse_with_columns() const {
    const GroupOptions usual;
    const auto refuse = [](const std::string& option, const char* why) {
        throw Error(
            ExitCode::usage,
            fmt::format("{} does not go with --partition columns: {}; leave out one of the two",
                        option, why));
    };
    if (communicator) refuse("--ranks", "ranks gather whole rows");
    if (!balance.empty()) refuse("--balance " + balance, "only rows can move, not columns");
    if (allocation != usual.allocation)
        refuse("--allocation " + allocation, "a device stores its own columns and its neighbors'");
    if (edge != usual.edge)
        refuse("--edge " + edge, "a device computes all of its columns at once");
}

// Throws Error(usage) for options that apply to none of these exchange paths.
void GroupOptions::refuse_without_host(const std::vector<ExchangePath>& paths) const {
    const GroupOptions usual;
    const auto refuse = [&](const char* option, const std::string& value, const char* ways) {
        throw Error(ExitCode::usage,
                    fmt::format("{} {} applies to {} only: give --exchange staged, or leave it out",
                                option, value, ways));
    };
    if (border_buffers != usual.border_buffers && std::ranges::none_of(paths, has_border_buffers))
        refuse("--border-buffers", border_buffers, "the ways staged and pageable");
    if (host_wait != usual.host_wait && std::ranges::none_of(paths, waits_on_host))
        refuse("--host-wait", host_wait, "the ways everything, staged, pageable and mpi");
}

// Exchange with the options that apply to the path.
Exchange GroupOptions::exchange_by(ExchangePath path, bool overlap) const {
    Exchange exchange{path, overlap};
    if (border_buffers == "single" && has_border_buffers(path))
        exchange.buffers = BorderBuffers::one;
    if (waits_on_host(path)) exchange.host_wait = host_wait_named(host_wait);
    if (minimum == "lagged") exchange.minimum = Minimum::lagged;
    return exchange;
}

std::vector<GroupChoice> GroupOptions::choices(Backend backend) const {
    if (gpus == 0 && devices.empty() && !communicator) {
        if (!words().empty())
            throw Error(ExitCode::usage, fmt::format("{} applies to a board that several GPUs "
                                                     "divide: give --gpus too, or leave it out",
                                                     words().front()));
        return {};
    }
    if (backend == Backend::cpu)
        throw Error(ExitCode::usage,
                    fmt::format("{} divides a board among GPUs, and the cpu backend has none: "
                                "choose cuda, or simt, which works as they do",
                                communicator ? "--ranks" : "--gpus"));
    GroupChoice choice;
    choice.ranks = communicator;
    const auto gpus_here = backend == Backend::cuda ? cuda_devices() : std::vector<DeviceInfo>();
    if (communicator)
        choice.devices = {backend == Backend::cuda
                              ? device_of_rank(communicator->rank(), communicator->local_rank(),
                                               devices, gpus_here)
                              : 0};
    else
        choice.devices = devices_of_places(gpus, devices);
    if (!communicator && backend == Backend::cuda)
        check_devices(choice.devices, !devices.empty(), gpus_here);
    if (communicator && backend == Backend::cuda)
        choice.rank_devices = distinct_devices(*communicator, choice.devices.front());
    const std::size_t places =
        communicator ? static_cast<std::size_t>(communicator->size()) : choice.devices.size();
    choice.division.weights.assign(places, 1);
    if (weights == "multiprocessors") {
        if (communicator || backend != Backend::cuda)
            throw Error(ExitCode::usage, fmt::format("--weights {} counts those of the GPUs of one "
                                                     "process: give a number for each {} instead",
                                                     weights, communicator ? "rank" : "place"));
        choice.division.weights = multiprocessors_of(choice.devices, gpus_here);
    } else if (!weights.empty()) {
        choice.division.weights = number_list(weights, "--weights", 1);
        if (choice.division.weights.size() != places)
            throw Error(ExitCode::usage,
                        fmt::format("--weights {} has {} number{} for {} {}: give one for each",
                                    weights, choice.division.weights.size(),
                                    choice.division.weights.size() == 1 ? "" : "s", places,
                                    communicator ? "ranks" : "GPUs"));
    }
    choice.division.partition = partition_named(partition);
    const bool columns = choice.division.partition == Partition::columns;
    if (columns) refuse_with_columns();
    choice.division.allocation = allocation == "whole" ? Allocation::whole : Allocation::slab;
    choice.division.halo_depth = halo_depth;
    choice.division.edge_share = edge_share_in(edge);
    choice.division.balancing = balancing();
    choice.division.start = chosen_start();
    const bool progressive = choice.division.start.progressive;
    if (progressive && backend == Backend::cuda)
        choice.division.start.multiprocessors = multiprocessors_of(choice.devices, gpus_here);
    // Rows may move to any device, so each allocates the whole board.
    if (!balance.empty() || progressive) choice.division.allocation = Allocation::whole;

    const std::span<const ExchangePath> known =
        communicator ? std::span<const ExchangePath>(rank_exchange_paths) : exchange_paths;
    std::vector<ExchangePath> paths;
    for (const std::string& exchange : exchanges)
        if (exchange == "all")
            paths.insert(paths.end(), known.begin(), known.end());
        else
            paths.push_back(exchange_path_named(exchange, known));
    if (paths.empty()) paths.push_back(communicator ? ExchangePath::mpi : ExchangePath::copies);
    refuse_without_host(paths);
    std::vector<GroupChoice> choices;
    for (const ExchangePath path : paths)
        for (const bool wanted : {true, false}) {
            if (overlap == (wanted ? "off" : "on")) continue;
            choice.exchange = exchange_by(path, !columns && overlaps(path, wanted));
            if (std::ranges::none_of(choices, [&](const GroupChoice& other) {
                    return other.exchange == choice.exchange;
                }))
                choices.push_back(choice);
        }
    return choices;
}

namespace {

// Throws Error(usage) if no variant of the workload can start on one GPU. Otherwise variants that
// cannot are skipped.
void check_start(const Study& study, const Start& start) {
    const std::string_view workload = study.workload->name();
    const auto can = [&](const Variant& variant) {
        return variant.info.workload == workload && variant.divides_box;
    };
    if (start.progressive && std::ranges::none_of(registry().variants(), can))
        throw Error(
            ExitCode::usage,
            fmt::format("--start progressive goes by a box of cells at work that grows, and "
                        "no variant of {} has one whose rows GPUs share: leave it out, or "
                        "choose --workload magflow",
                        workload));
}

// Workload parameters of the division into slices.
constexpr const char* threshold_parameter = "balance_threshold";
constexpr const char* measure_parameter = "divide_by";
constexpr const char* axis_parameter = "divide_along";

// Workload parameter with which the reference uses a lagged minimum, too.
constexpr const char* lag_parameter = "lag";

void lag(Study& study, Minimum minimum) {
    if (minimum == Minimum::current) return;
    ParameterSet& parameters = study.problem.parameters;
    if (!parameters.all().contains(lag_parameter))
        throw Error(ExitCode::usage,
                    fmt::format("--minimum lagged is for a model whose steps are as long as its "
                                "cells allow, and whose reference can lag, and {} is none: leave "
                                "it out, or choose --workload magflow",
                                study.workload->name()));
    parameters.set(lag_parameter, {1});
}

}  // namespace

void choose_slices(Study& study, const GroupOptions& options) {
    const GroupOptions usual;
    ParameterSet& parameters = study.problem.parameters;
    const auto set = [&](const char* option, const std::string& text, const char* parameter,
                         double value) {
        if (!parameters.all().contains(parameter))
            throw Error(ExitCode::usage,
                        fmt::format("{} {} is for particles, which GPUs share in slices, and {} "
                                    "has none: leave it out, or choose --workload sph",
                                    option, text, study.workload->name()));
        parameters.set(parameter, {value});
    };
    if (options.balance_threshold != usual.balance_threshold)
        set("--balance-threshold", options.balance_threshold, threshold_parameter,
            options.balance_threshold == "adaptive" ? 0 : std::stod(options.balance_threshold));
    if (options.divide_by != usual.divide_by)
        set("--divide-by", options.divide_by, measure_parameter,
            options.divide_by == "particles" ? 1 : 2);
    if (options.divide_along != usual.divide_along)
        set("--divide-along", options.divide_along, axis_parameter,
            options.divide_along.front() - 'x' + 1);
}

void divide(Study& study, const std::vector<GroupChoice>& choices) {
    check_start(study, choices.front().division.start);
    lag(study, choices.front().exchange.minimum);
    std::vector<const Variant*> divided;
    for (const Variant* variant : study.variants)
        for (const GroupChoice& choice : choices) {
            study.composed.push_back(std::make_shared<Variant>(on_group(*variant, choice)));
            divided.push_back(study.composed.back().get());
        }
    study.variants = std::move(divided);
    if (study.backend == Backend::cuda) study.device = choices.front().devices.front();
}

void check_graph(const RunOptions& options) {
    if (!options.graph) return;
    if (!options.group.balance.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--balance {} moves rows while the GPUs work, and a graph is "
                                "replayed as it is: leave out --graph or --balance",
                                options.group.balance));
    if (options.group.start == "progressive")
        throw Error(ExitCode::usage,
                    fmt::format("--start {} divides rows anew while the GPUs work, and a graph is "
                                "replayed as it is: leave out --graph or --start",
                                options.group.start));
    if (options.group.minimum == "lagged")
        throw Error(
            ExitCode::usage,
            "--minimum lagged has work under way from step to step, and a graph is replayed "
            "as it is: leave out --graph or --minimum");
    for (const std::string& exchange : options.group.exchanges)
        if (exchange == name(ExchangePath::persistent))
            throw Error(ExitCode::usage,
                        fmt::format("--exchange {} has one launch for all generations, and a graph "
                                    "is replayed as it is: leave out --graph, or choose kernel",
                                    exchange));
    for (const std::string& exchange : options.group.exchanges)
        if (exchange != "all" && !is_recordable(exchange_path_named(exchange)))
            throw Error(ExitCode::usage,
                        fmt::format("--exchange {} waits on the host, which no graph can: leave "
                                    "out --graph, or choose copies or stores",
                                    exchange));
}

}  // namespace camber
