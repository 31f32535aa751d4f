#include "harness/registry/division.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/error.hpp"

namespace camber {

std::string_view name(ExchangePath path) {
    switch (path) {
        case ExchangePath::everything:
            return "everything";
        case ExchangePath::staged:
            return "staged";
        case ExchangePath::pageable:
            return "pageable";
        case ExchangePath::copies:
            return "copies";
        case ExchangePath::stores:
            return "stores";
        case ExchangePath::kernel:
            return "kernel";
        case ExchangePath::persistent:
            return "persistent";
        case ExchangePath::nccl:
            return "nccl";
        case ExchangePath::mpi:
            return "mpi";
    }
    return "";
}

std::string_view summary(ExchangePath path) {
    switch (path) {
        case ExchangePath::everything:
            return "the whole board through the host, every time";
        case ExchangePath::staged:
            return "edge rows through page-locked memory of the host, which waits for them";
        case ExchangePath::pageable:
            return "edge rows through pageable memory of the host, which waits for them";
        case ExchangePath::copies:
            return "edge rows from device to device, ordered by events";
        case ExchangePath::stores:
            return "edge rows stored into the neighbour's memory by a kernel that counts them";
        case ExchangePath::kernel:
            return "edge rows stored into the neighbour's memory by the step's own kernel";
        case ExchangePath::persistent:
            return "the same by a kernel that stays for many steps";
        case ExchangePath::nccl:
            return "edge rows by messages between devices";
        case ExchangePath::mpi:
            return "edge rows by messages between ranks, through page-locked memory of the host";
    }
    return "";
}

bool overlaps(ExchangePath path, bool wanted) {
    return is_by_kernels(path) || (wanted && path != ExchangePath::everything);
}

bool has_border_buffers(ExchangePath path) {
    return path == ExchangePath::staged || path == ExchangePath::pageable;
}

bool waits_on_host(ExchangePath path) {
    return has_border_buffers(path) || path == ExchangePath::everything ||
           path == ExchangePath::mpi;
}

bool is_by_kernels(ExchangePath path) {
    return path == ExchangePath::kernel || path == ExchangePath::persistent;
}

ExchangePath exchange_path_named(std::string_view text, std::span<const ExchangePath> known) {
    std::vector<std::string_view> names;
    for (const ExchangePath path : known) {
        if (name(path) == text) return path;
        names.push_back(name(path));
    }
    throw Error(ExitCode::usage,
                fmt::format("exchange '{}' is unknown: choose {}", text, fmt::join(names, " or ")));
}

std::string_view name(BalanceRule rule) {
    switch (rule) {
        case BalanceRule::none:
            return "none";
        case BalanceRule::published:
            return "published";
        case BalanceRule::improved:
            return "improved";
    }
    return "";
}

BalanceRule balance_rule_named(std::string_view text) {
    for (const BalanceRule rule : balance_rules)
        if (name(rule) == text) return rule;
    throw Error(ExitCode::usage,
                fmt::format("balancing '{}' is unknown: choose published or improved", text));
}

std::string_view name(Partition partition) {
    switch (partition) {
        case Partition::rows:
            return "rows";
        case Partition::columns:
            return "columns";
        case Partition::transposed:
            return "transposed";
    }
    return "";
}

Partition partition_named(std::string_view text) {
    for (const Partition partition : partitions)
        if (name(partition) == text) return partition;
    throw Error(ExitCode::usage,
                fmt::format("partition '{}' is unknown: choose rows, columns or transposed", text));
}

std::string_view name(Allocation allocation) {
    return allocation == Allocation::slab ? "slab" : "whole";
}

}  // namespace camber
