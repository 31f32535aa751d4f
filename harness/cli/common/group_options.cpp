#include "harness/cli/common/group_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "harness/cli/common/option_values.hpp"

namespace camber {

namespace {

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

}  // namespace camber
