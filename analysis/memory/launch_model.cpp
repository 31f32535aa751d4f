#include "analysis/memory/launch_model.hpp"

#include <stdexcept>
#include <string>

#include "harness/base/bit_count.hpp"

namespace camber {
namespace {

double ratio(std::int64_t part, std::int64_t whole, double if_none) {
    return whole == 0 ? if_none : static_cast<double>(part) / static_cast<double>(whole);
}

// std::has_single_bit() counts bits, which is a function call on baseline x86-64.
bool is_power_of_two(std::uint32_t number) {
    return number != 0 && (number & (number - 1)) == 0;
}

bool is_size(std::uint32_t size) {
    return is_power_of_two(size) && size <= 16;
}

TransferCounts& transfers(AccessCounts& counts, const WarpRequest& request) {
    const bool load = request.operation == Operation::load;
    if (request.space == Space::texture) {
        if (!load) throw std::invalid_argument("a texture can only be read; record a load");
        return counts.texture_load;
    }
    if (request.space == Space::bulk) {
        if (!load) throw std::invalid_argument("a bulk copy only reads; record a load");
        return counts.bulk_load;
    }
    if (request.space == Space::local) return load ? counts.local_load : counts.local_store;
    if (request.operation == Operation::atomic) return counts.global_atomic;
    return load ? counts.global_load : counts.global_store;
}

SharedCounts& banks(AccessCounts& counts, const WarpRequest& request) {
    const bool own = request.space == Space::shared;
    switch (request.operation) {
        case Operation::load:
            return own ? counts.shared_load : counts.distributed_load;
        case Operation::store:
            return own ? counts.shared_store : counts.distributed_store;
        case Operation::atomic:
            break;
    }
    return own ? counts.shared_atomic : counts.distributed_atomic;
}

// CUDA C++ Programming Guide, "Constant Memory": a request is split into as many requests as it has
// different addresses.
BankCounts constant_passes(const WarpRequest& request) {
    BankCounts counts{0, 1};
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (!request.is_active(lane)) continue;
        bool seen = false;
        for (int before = 0; before < lane && !seen; ++before)
            seen = request.is_active(before) && request.address[before] == request.address[lane];
        counts.passes += !seen;
    }
    return counts;
}

void add_published(PublishedLoads& published, std::uint32_t active) {
    for (const std::uint32_t half : {active & 0xffff, active >> 16}) {
        if (half == 0) continue;
        ++(is_power_of_two(half) ? published.uncoalesced : published.coalesced);
    }
}

std::int64_t requested_reads(const AccessCounts& total) {
    return total.global_load.requested_bytes + total.texture_load.requested_bytes +
           total.bulk_load.requested_bytes + total.global_atomic.requested_bytes;
}

}  // namespace

double TransferCounts::sectors_per_request() const {
    return ratio(sectors, requests, 0);
}

TransferCounts& TransferCounts::operator+=(const TransferCounts& other) {
    TransactionCounts::operator+=(other);
    instructions += other.instructions;
    requested_bytes += other.requested_bytes;
    bank_passes += other.bank_passes;
    return *this;
}

SharedCounts& SharedCounts::operator+=(const SharedCounts& other) {
    BankCounts::operator+=(other);
    instructions += other.instructions;
    return *this;
}

std::int64_t AccessCounts::instructions() const {
    return global_load.instructions + global_store.instructions + global_atomic.instructions +
           texture_load.instructions + bulk_load.instructions + local_load.instructions +
           local_store.instructions + shared_load.instructions + shared_store.instructions +
           shared_atomic.instructions + distributed_load.instructions +
           distributed_store.instructions + distributed_atomic.instructions +
           constant_load.instructions;
}

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
    global_load += other.global_load;
    global_store += other.global_store;
    global_atomic += other.global_atomic;
    texture_load += other.texture_load;
    bulk_load += other.bulk_load;
    local_load += other.local_load;
    local_store += other.local_store;
    shared_load += other.shared_load;
    shared_store += other.shared_store;
    shared_atomic += other.shared_atomic;
    distributed_load += other.distributed_load;
    distributed_store += other.distributed_store;
    distributed_atomic += other.distributed_atomic;
    constant_load += other.constant_load;
    published.coalesced += other.published.coalesced;
    published.uncoalesced += other.published.uncoalesced;
    return *this;
}

std::int64_t LaunchModel::compulsory_bytes() const {
    return sector_bytes * (reads.grid_sectors + writes.grid_sectors);
}

std::int64_t LaunchModel::block_bytes() const {
    return sector_bytes * (reads.block_sectors + writes.block_sectors);
}

double LaunchModel::non_redundant_share() const {
    return ratio(reads.grid_bytes, requested_reads(counts), 1);
}

void LaunchAccumulator::add(int site, const WarpRequest& request, std::int64_t block, int part) {
    if (!is_size(request.size)) check_request(request);  // throws
    if (request.active == 0) return;
    if (block != block_) {
        block_ = block;
        part_ = part;
        ++parts_[part].blocks;
        distinct_.begin_block(part);
        std::ranges::fill(rounds_of_block_, 0u);
    }
    AccessCounts& counts = counts_of(site);
    add_rounds(request);
    std::uint32_t& barriers = parts_[part].cluster_barriers;
    barriers = std::max(barriers, request.cluster_barriers);

    if (request.space == Space::constant) {
        if (request.operation != Operation::load)
            throw std::invalid_argument("constant memory can only be read; record a load");
        counts.constant_load.BankCounts::operator+=(constant_passes(request));
        ++counts.constant_load.instructions;
        return;
    }
    const Footprint footprint(request, ~0u);
    if (is_shared(request.space)) {
        SharedCounts& shared = banks(counts, request);
        shared.BankCounts::operator+=(count_passes(request, footprint, rules_));
        ++shared.instructions;
        return;
    }

    TransferCounts& transfer = transfers(counts, request);
    transfer.TransactionCounts::operator+=(count_transactions(request, footprint, rules_));
    ++transfer.instructions;
    transfer.requested_bytes += std::int64_t{request.size} * bit_count(request.active);
    if (request.space == Space::local) return;
    const bool loads = request.space == Space::global && request.operation == Operation::load;
    if (loads)
        distinct_.load(footprint, request.warp);
    else if (request.operation != Operation::store)
        distinct_.read(footprint);
    if (request.operation != Operation::load) distinct_.write(footprint);
    if (loads) {
        add_published(counts.published, request.active);
        transfer.bank_passes += count_passes(request, footprint, rules_).passes;
    }
}

LaunchModel LaunchAccumulator::finish(int board) const {
    LaunchModel model;
    model.rules = rules_;
    std::vector<AccessCounts> sites;
    for (int part = 0; part < grid_parts; ++part) {
        if (!has_part(board, part)) continue;
        const Part& one = parts_[part];
        model.blocks += one.blocks;
        model.cluster_barriers = std::max(model.cluster_barriers, one.cluster_barriers);
        model.rounds += one.rounds;
        if (one.sites.size() > sites.size()) sites.resize(one.sites.size());
        for (std::size_t site = 0; site < one.sites.size(); ++site) sites[site] += one.sites[site];
    }
    for (std::size_t site = 0; site < sites.size(); ++site) {
        if (sites[site].instructions() == 0) continue;
        model.sites.push_back({static_cast<int>(site), sites[site]});
        model.counts += sites[site];
    }
    model.reads = distinct_.reads(board);
    model.writes = distinct_.writes(board);
    model.distinct_sectors = distinct_.sectors(board);
    return model;
}

// A warp's requests may arrive in any order: the largest number counts.
void LaunchAccumulator::add_rounds(const WarpRequest& request) {
    if (request.rounds == 0) return;
    if (request.warp >= rounds_of_block_.size()) rounds_of_block_.resize(request.warp + 1);
    std::uint32_t& known = rounds_of_block_[request.warp];
    if (request.rounds <= known) return;
    parts_[part_].rounds += request.rounds - known;
    known = request.rounds;
}

AccessCounts& LaunchAccumulator::counts_of(int site) {
    if (site < 0) {
        throw std::invalid_argument("call site " + std::to_string(site) +
                                    " is negative; number sites from 0");
    }
    const auto index = static_cast<std::size_t>(site);
    std::vector<AccessCounts>& sites = parts_[part_].sites;
    if (index >= sites.size()) sites.resize(index + 1);
    return sites[index];
}

}  // namespace camber
