#include "harness/cli/common/group_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "harness/base/error.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/machine/queue/devices.hpp"

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

// Returns the reason why `text` is no threshold, or "".
std::string is_threshold(const std::string& text) {
    double share = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), share);
    const bool is_number = error == std::errc() && stop == text.data() + text.size();
    if (text == "adaptive" || (is_number && share >= 0.001 && share <= 1000)) return "";
    return fmt::format(
        "{} is neither a number from 0.001 to 1000 nor adaptive: write for example "
        "--balance-threshold 0.25",
        text);
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

void GroupOptions::add_ranks_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(devices_group);
    command.add_flag("--ranks", ranks,
                     "Divide the board among the processes started by mpirun, one GPU each (on the "
                     "simt backend: the CPU); rank 0 prints and writes the results");
    add_timeout_to(command);
}

void GroupOptions::add_timeout_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.rare(devices_group);
    command
        .add_option("--rank-timeout", rank_timeout,
                    "Seconds after which a rank that does not answer or join ends the run")
        ->capture_default_str()
        ->check(CLI::Range(0.1, 1e6));
}

void GroupOptions::add_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(devices_group);
    command
        .add_option(
            "--gpus", gpus,
            "Divide the board among this many GPUs (on the simt backend: simulated devices)")
        ->check(CLI::Range(1, 1024));
    groups.rare(devices_group);
    command
        .add_option("--devices", devices,
                    "GPUs by index, such as 0,1; 0,0 lets one GPU do the work of two, as a test")
        ->check(not_empty);
    groups.common(devices_group);
    command
        .add_option("--exchange", exchanges,
                    "How GPUs exchange edge rows: everything, staged, pageable, copies, stores, "
                    "kernel, persistent or nccl (default: copies); with --ranks: everything or mpi "
                    "(default: mpi); all: every way in turn; repeatable")
        ->check(not_empty);
    groups.rare(devices_group);
    command
        .add_option("--overlap", overlap,
                    "Overlap the exchange of edge rows with the computation of interior rows: on, "
                    "off or both")
        ->capture_default_str()
        ->check(CLI::IsMember({"on", "off", "both"}));
    command
        .add_option("--halo-depth", halo_depth,
                    "Generations between two exchanges; a larger depth computes more rows twice")
        ->capture_default_str()
        ->check(CLI::Range(1, 64));
    command
        .add_option("--weights", weights,
                    "Shares of rows or columns: a number per GPU, such as 2,1, or multiprocessors "
                    "for shares in proportion to the SM counts (default: equal shares)")
        ->check(not_empty);
    command
        .add_option("--allocation", allocation,
                    "Memory allocated on each GPU: slab (its rows and the neighbors' edge rows) or "
                    "whole (the board)")
        ->capture_default_str()
        ->check(CLI::IsMember({"slab", "whole"}));
    command
        .add_option("--edge", edge,
                    "With overlap: fraction of its rows that a GPU computes first at each edge, 16 "
                    "for 1/16, at least the rows to send; sent: exactly the rows to send")
        ->capture_default_str()
        ->check(not_empty);
    command
        .add_option("--border-buffers", border_buffers,
                    "With --exchange staged or pageable, host buffers per edge: double (two in "
                    "turn) or single (with a second wait)")
        ->capture_default_str()
        ->check(CLI::IsMember({"double", "single"}));
    command
        .add_option("--host-wait", host_wait,
                    "With exchanges through the host, how it waits for a GPU: driver (the driver's "
                    "default), blocking (asleep) or busy (polling)")
        ->capture_default_str()
        ->check(CLI::IsMember({"driver", "blocking", "busy"}));
    command
        .add_option("--minimum", minimum,
                    "For magflow: base the time step on the fluxes of the current step (current), "
                    "or of the previous step (lagged), for which no GPU has to wait")
        ->capture_default_str()
        ->check(CLI::IsMember({"current", "lagged"}));
}

void GroupOptions::add_partition_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.rare(devices_group);
    command
        .add_option("--partition", partition,
                    "Part of the board on each GPU: rows, columns (exchanges a few bytes of every "
                    "row, without overlap) or transposed (columns, stored as rows)")
        ->capture_default_str()
        ->check(CLI::IsMember({"rows", "columns", "transposed"}));
}

void GroupOptions::add_balancing_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.rare(devices_group);
    command
        .add_option(
            "--balance", balance,
            "Move rows from slower to faster GPUs at run time: published (Rustico 2012, section "
            "8.10) or improved (which converges); every GPU allocates the whole board")
        ->check(CLI::IsMember({"published", "improved"}));
    command
        .add_option("--balance-every", balance_every,
                    "With --balance: generations between two comparisons of the GPUs' times")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000));
    command.add_option("--balance-rows", balance_rows, "With --balance: rows moved at once")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000));
    command
        .add_option("--balance-threshold", balance_threshold,
                    "With --balance, for particles: a GPU's time may differ from the mean by this "
                    "fraction of the time for a slice (H_LB); adaptive: by one that rises when "
                    "slices move back, and decays")
        ->capture_default_str()
        ->check(is_threshold);
    command
        .add_option("--divide-by", divide_by,
                    "For particles: each GPU begins with an equal share of the estimated work, of "
                    "the particles, or of those at the start of the scene (start, as published)")
        ->capture_default_str()
        ->check(CLI::IsMember({"work", "particles", "start"}));
    command
        .add_option("--divide-along", divide_along,
                    "For particles: axis of the slices; along a longer one there are more, so that "
                    "balancing has a finer grain (auto: the fullest slice has the fewest)")
        ->capture_default_str()
        ->check(CLI::IsMember({"auto", "x", "y", "z"}));
}

void GroupOptions::add_start_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.rare(devices_group);
    command
        .add_option("--start", start,
                    "For models that compute a growing box of cells: start with all GPUs (all), or "
                    "with one and add another when the active ones are saturated (progressive); "
                    "every GPU then allocates the whole board")
        ->capture_default_str()
        ->check(CLI::IsMember({"all", "progressive"}));
    command
        .add_option("--start-blocks", start_blocks,
                    "With --start progressive: blocks per SM above which a GPU counts as saturated "
                    "(a simulated device has one SM)")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000));
}

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

std::vector<std::string> GroupOptions::words() const {
    const GroupOptions usual;
    std::vector<std::string> words;
    const auto add = [&](const char* option, const auto& value, const auto& if_not) {
        if (value != if_not) words.insert(words.end(), {option, fmt::format("{}", value)});
    };
    add("--gpus", gpus, usual.gpus);
    add("--devices", devices, usual.devices);
    for (const std::string& exchange : exchanges) add("--exchange", exchange, std::string());
    add("--overlap", overlap, usual.overlap);
    add("--halo-depth", halo_depth, usual.halo_depth);
    add("--partition", partition, usual.partition);
    add("--weights", weights, usual.weights);
    add("--allocation", allocation, usual.allocation);
    add("--edge", edge, usual.edge);
    add("--border-buffers", border_buffers, usual.border_buffers);
    add("--host-wait", host_wait, usual.host_wait);
    add("--minimum", minimum, usual.minimum);
    add("--balance", balance, usual.balance);
    add("--balance-every", balance_every, usual.balance_every);
    add("--balance-rows", balance_rows, usual.balance_rows);
    add("--balance-threshold", balance_threshold, usual.balance_threshold);
    add("--divide-by", divide_by, usual.divide_by);
    add("--divide-along", divide_along, usual.divide_along);
    add("--start", start, usual.start);
    add("--start-blocks", start_blocks, usual.start_blocks);
    return words;
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

}  // namespace camber
