#include "analysis/memory/global_rules.hpp"

#include <limits>
#include <optional>
#include <stdexcept>

#include "harness/base/bit_count.hpp"

namespace camber {
namespace {

constexpr std::uint32_t quarter_warp = 0xff;

std::int64_t align_down(std::int64_t address, std::int64_t size) {
    return address & -size;  // towards minus infinity; size is a power of two
}

// Division of a request into parts.
enum class Rule { coalesce_or_serialize, segments, lines, sectors };

struct Cut {
    Rule rule;
    int lanes;  // per part
};

Cut cut_of(const WarpRequest& request, RuleSet rules) {
    if (request.space == Space::texture || request.space == Space::bulk) return {Rule::sectors, 32};
    const int split = request.size <= 4 ? 32 : request.size == 8 ? 16 : 8;
    switch (rules) {
        case RuleSet::cc10:
            return {Rule::coalesce_or_serialize, 16};
        case RuleSet::cc12:
            return {Rule::segments, 16};
        case RuleSet::cc20:
            return {request.operation == Operation::load ? Rule::lines : Rule::sectors, split};
        case RuleSet::cc20_uncached:
        case RuleSet::cc30:
            return {Rule::sectors, split};
        case RuleSet::cc50:
            break;
    }
    return {Rule::sectors, 32};
}

std::uint32_t part_mask(int lanes) {
    return lanes == 32 ? ~0u : lanes == 16 ? half_warp : quarter_warp;
}

// CC 1.0, 1.1: the base S with address(k) = S + k * size for all active lanes of the half-warp that
// begins at lane `first`, if it exists and is aligned.
std::optional<std::int64_t> coalesced_base(const WarpRequest& request, std::uint32_t lanes,
                                           int first) {
    if (request.size < 4) return std::nullopt;
    const std::int64_t size = request.size;
    const int lowest = std::countr_zero(lanes);
    const std::int64_t base = request.address[lowest] - (lowest - first) * size;
    const std::int64_t alignment = size == 4 ? 64 : 128;
    if (base != align_down(base, alignment)) return std::nullopt;
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        if (request.address[lane] != base + (lane - first) * size) return std::nullopt;
    }
    return base;
}

// CC 1.2, 1.3: the segment that contains all bytes from `low` to `high` (inclusive), halved as long
// as one half is unused.
Transaction shrink(std::int64_t segment, int size, std::int64_t low, std::int64_t high) {
    while (size > sector_bytes) {
        const int half = size / 2;
        if (high < segment + half) {
            size = half;
        } else if (low >= segment + half) {
            size = half;
            segment += half;
        } else {
            break;
        }
    }
    return {segment, size};
}

int segment_size(std::uint32_t size) {
    return size == 1 ? 32 : size == 2 ? 64 : 128;
}

void emit_segments(const WarpRequest& request, std::uint32_t lanes,
                   std::vector<Transaction>& list) {
    const int size = segment_size(request.size);
    while (lanes != 0) {
        const std::int64_t segment = align_down(request.address[std::countr_zero(lanes)], size);
        std::int64_t low = std::numeric_limits<std::int64_t>::max();
        std::int64_t high = std::numeric_limits<std::int64_t>::min();
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            const std::int64_t address = request.address[lane];
            if (align_down(address, size) != segment) continue;
            low = std::min(low, address);
            high = std::max(high, address + request.size - 1);
            lanes &= ~(1u << lane);
        }
        list.push_back(shrink(segment, size, low, high));
    }
}

void count(TransactionCounts& counts, int size) {
    ++(size == 32   ? counts.transactions_32
       : size == 64 ? counts.transactions_64
                    : counts.transactions_128);
}

// The touched segments, and therefore the bytes moved, do not depend on the order in which lanes
// are served.
void count_segments(const Footprint& part, std::uint32_t size, TransactionCounts& counts) {
    const int segment_bytes = segment_size(size);
    std::int64_t segment = 0, low = 0, high = -1;
    const auto flush = [&] {
        if (high >= low) count(counts, shrink(segment, segment_bytes, low, high).size);
    };
    for (auto [begin, end] : part) {
        while (begin < end) {
            const std::int64_t mine = align_down(begin, segment_bytes);
            const std::int64_t until = std::min(end, mine + segment_bytes);
            if (high < low || mine != segment) {
                flush();
                segment = mine;
                low = begin;
            }
            high = until - 1;
            begin = until;
        }
    }
    flush();
}

void count_part(const WarpRequest& request, std::uint32_t lanes, int first, const Footprint& part,
                Rule rule, TransactionCounts& counts) {
    const std::int64_t sectors = part.granules(sector_shift);
    const std::int64_t lines = part.granules(line_shift);
    ++counts.requests;
    counts.sectors += sectors;
    counts.lines += lines;
    switch (rule) {
        case Rule::sectors:
            counts.transactions_32 += sectors;
            break;
        case Rule::lines:
            counts.transactions_128 += lines;
            break;
        case Rule::segments:
            count_segments(part, request.size, counts);
            break;
        case Rule::coalesce_or_serialize:
            if (!coalesced_base(request, lanes, first)) {
                counts.transactions_32 += bit_count(lanes);
            } else if (request.size == 4) {
                ++counts.transactions_64;
            } else {
                counts.transactions_128 += request.size / 8;
            }
            break;
    }
}

void refuse_shared(const WarpRequest& request) {
    if (is_shared(request.space)) {
        throw std::invalid_argument(
            "a shared-memory request has no memory transactions; ask for its passes instead");
    }
}

}  // namespace

double TransactionCounts::efficiency() const {
    return bytes_moved == 0 ? 1
                            : static_cast<double>(useful_bytes) / static_cast<double>(bytes_moved);
}

TransactionCounts& TransactionCounts::operator+=(const TransactionCounts& other) {
    requests += other.requests;
    transactions_32 += other.transactions_32;
    transactions_64 += other.transactions_64;
    transactions_128 += other.transactions_128;
    lines += other.lines;
    sectors += other.sectors;
    bytes_moved += other.bytes_moved;
    useful_bytes += other.useful_bytes;
    return *this;
}

void check_request(const WarpRequest& request) {
    const std::uint32_t size = request.size;
    if (!std::has_single_bit(size) || size > 16) {
        throw std::invalid_argument("a lane cannot access " + std::to_string(size) +
                                    " bytes at once; use 1, 2, 4, 8 or 16");
    }
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (request.is_active(lane) &&
            request.address[lane] != align_down(request.address[lane], size)) {
            throw std::invalid_argument("lane " + std::to_string(lane) + "'s address " +
                                        std::to_string(request.address[lane]) +
                                        " is not a multiple of the access's " +
                                        std::to_string(size) + " bytes; align it");
        }
    }
}

std::vector<Transaction> transactions(const WarpRequest& request, RuleSet rules) {
    refuse_shared(request);
    check_request(request);
    const Cut cut = cut_of(request, rules);
    std::vector<Transaction> list;
    for (int first = 0; first < warp_lanes; first += cut.lanes) {
        const std::uint32_t lanes = request.active & part_mask(cut.lanes) << first;
        if (lanes == 0) continue;
        if (cut.rule == Rule::segments) {
            emit_segments(request, lanes, list);
        } else if (cut.rule == Rule::coalesce_or_serialize) {
            if (const auto base = coalesced_base(request, lanes, first)) {
                const int size = request.size == 4 ? 64 : 128;
                list.push_back({*base, size});
                if (request.size == 16) list.push_back({*base + size, size});
            } else {
                for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
                    list.push_back(
                        {align_down(request.address[std::countr_zero(left)], sector_bytes),
                         sector_bytes});
                }
            }
        } else {
            const bool lines = cut.rule == Rule::lines;
            const int shift = lines ? line_shift : sector_shift;
            Footprint(request, lanes).for_each_granule(shift, [&](std::int64_t granule) {
                list.push_back({granule * (1 << shift), 1 << shift});
            });
        }
    }
    return list;
}

TransactionCounts count_transactions(const WarpRequest& request, const Footprint& whole,
                                     RuleSet rules) {
    refuse_shared(request);
    TransactionCounts counts;
    if (request.active == 0) return counts;
    const Cut cut = cut_of(request, rules);
    if (cut.lanes == warp_lanes) {
        count_part(request, request.active, 0, whole, cut.rule, counts);
    } else {
        for (int first = 0; first < warp_lanes; first += cut.lanes) {
            const std::uint32_t lanes = request.active & part_mask(cut.lanes) << first;
            if (lanes == 0) continue;
            count_part(request, lanes, first, Footprint(request, lanes), cut.rule, counts);
        }
    }
    counts.useful_bytes = whole.bytes();
    counts.bytes_moved =
        32 * counts.transactions_32 + 64 * counts.transactions_64 + 128 * counts.transactions_128;
    return counts;
}

TransactionCounts count_transactions(const WarpRequest& request, RuleSet rules) {
    return count_transactions(request, Footprint(request, ~0u), rules);
}

}  // namespace camber
