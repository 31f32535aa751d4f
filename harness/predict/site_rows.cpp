#include "harness/predict/site_rows.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "analysis/memory/shared_rules.hpp"

namespace camber {

namespace {

SiteRow transfer_row(const TransferCounts& counts, Space space, Operation operation) {
    SiteRow row;
    row.space = space;
    row.operation = operation;
    row.requests = counts.requests;
    row.sectors = counts.sectors;
    row.bytes_moved = counts.bytes_moved;
    row.bytes_used = counts.useful_bytes;
    return row;
}

// `pass_bytes`: what one pass delivers.
SiteRow pass_row(const SharedCounts& counts, Space space, Operation operation,
                 std::int64_t pass_bytes) {
    SiteRow row;
    row.space = space;
    row.operation = operation;
    row.requests = counts.instructions;
    row.passes = counts.passes;
    row.conflicts = counts.conflicts();
    row.bytes_moved = counts.passes * pass_bytes;
    row.bytes_used = counts.minimum * pass_bytes;
    return row;
}

std::vector<SiteRow> rows_of(const AccessCounts& counts, RuleSet rules) {
    const std::int64_t banks = bank_count(rules) * word_bytes;
    std::vector<SiteRow> rows = {
        transfer_row(counts.global_load, Space::global, Operation::load),
        transfer_row(counts.global_store, Space::global, Operation::store),
        transfer_row(counts.global_atomic, Space::global, Operation::atomic),
        transfer_row(counts.texture_load, Space::texture, Operation::load),
        transfer_row(counts.bulk_load, Space::bulk, Operation::load),
        transfer_row(counts.local_load, Space::local, Operation::load),
        transfer_row(counts.local_store, Space::local, Operation::store),
        pass_row(counts.shared_load, Space::shared, Operation::load, banks),
        pass_row(counts.shared_store, Space::shared, Operation::store, banks),
        pass_row(counts.shared_atomic, Space::shared, Operation::atomic, banks),
        pass_row(counts.distributed_load, Space::distributed, Operation::load, banks),
        pass_row(counts.distributed_store, Space::distributed, Operation::store, banks),
        pass_row(counts.distributed_atomic, Space::distributed, Operation::atomic, banks),
        pass_row(counts.constant_load, Space::constant, Operation::load, word_bytes)};
    std::erase_if(rows, [](const SiteRow& row) { return row.requests == 0; });
    return rows;
}

double share_of(std::int64_t part, std::int64_t whole, double if_none) {
    return whole == 0 ? if_none : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double SiteRow::efficiency() const {
    return share_of(bytes_used, bytes_moved, 1);
}

double SiteRow::per_request() const {
    return share_of(in_passes(space) ? passes : sectors, requests, 0);
}

std::string kind(const SiteRow& row) {
    constexpr std::array spaces = {"global",   "shared", "texture",    "local",
                                   "constant", "bulk",   "distributed"};
    constexpr std::array operations = {"load", "store", "atomic"};
    return std::string(spaces.at(static_cast<std::size_t>(row.space))) + " " +
           operations.at(static_cast<std::size_t>(row.operation));
}

std::vector<SiteRow> site_rows(const Prediction& prediction) {
    std::vector<SiteRow> rows;
    std::array<std::int64_t, 7> moved{};  // by space
    for (std::size_t k = 0; k < prediction.kernels.size(); ++k) {
        const LaunchModel& model = prediction.kernels[k].model;
        for (const SiteCounts& site : model.sites) {
            for (SiteRow row : rows_of(site.counts, model.rules)) {
                row.kernel = k;
                row.site = site.site;
                moved.at(static_cast<std::size_t>(row.space)) += row.bytes_moved;
                rows.push_back(row);
            }
        }
    }
    std::ranges::stable_sort(rows, [](const SiteRow& a, const SiteRow& b) {
        return std::tuple(a.bytes_wasted(), a.bytes_moved) >
               std::tuple(b.bytes_wasted(), b.bytes_moved);
    });
    int number = 0;
    for (SiteRow& row : rows) {
        row.number = ++number;
        row.share = share_of(row.bytes_moved, moved.at(static_cast<std::size_t>(row.space)), 0);
    }
    return rows;
}

}  // namespace camber
