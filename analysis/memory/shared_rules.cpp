#include "analysis/memory/shared_rules.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "analysis/memory/global_rules.hpp"
#include "harness/base/bit_count.hpp"

namespace camber {
namespace {

constexpr int segment_shift = 6;  // 3.x: 64 words

int words_per_lane(const WarpRequest& request) {
    return request.size <= word_bytes ? 1 : static_cast<int>(request.size) / word_bytes;
}

// Lanes per part on 2.x and later.
int part_lanes(const WarpRequest& request, RuleSet rules) {
    if (request.size <= 4 || (rules == RuleSet::cc30 && request.size == 8)) return 32;
    return request.size == 8 || rules == RuleSet::cc30 ? 16 : 8;
}

bool is_cc1(RuleSet rules) {
    return rules == RuleSet::cc10 || rules == RuleSet::cc12;
}

// 2.x: the documented extra cycle of a quarter-warp of 16-byte accesses.
int passes_beyond_banks(const WarpRequest& request, RuleSet rules) {
    return request.size == 16 && (rules == RuleSet::cc20 || rules == RuleSet::cc20_uncached);
}

std::uint32_t part_mask(int lanes, int first) {
    return (lanes == 32 ? ~0u : (1u << lanes) - 1) << first;
}

// ---- CC 1.x

using LaneWords = std::array<std::int64_t, warp_lanes>;

LaneWords lane_words(const WarpRequest& request, int piece) {
    LaneWords words{};
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if (request.is_active(lane)) words[lane] = (request.address[lane] >> word_shift) + piece;
    }
    return words;
}

// Selects the remaining lanes that the next pass serves and calls serve(lane) for each.
template <class Serve>
void next_pass_cc1(const LaneWords& words, std::uint32_t remaining, bool read, Serve&& serve) {
    const std::int64_t broadcast = words[std::countr_zero(remaining)];
    std::array<std::int64_t, 16> chosen;
    std::uint32_t busy = 0;
    for (std::uint32_t left = remaining; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        const std::int64_t word = words[lane];
        const int bank = static_cast<int>(word & 15);
        const bool free = (busy >> bank & 1) == 0;
        if (free) chosen[bank] = word;
        // A read serves one lane per bank except for the broadcast word, a write all lanes of a
        // word.
        const bool together = chosen[bank] == word && (!read || word == broadcast);
        if (free || together) serve(lane, bank);
        busy |= 1u << bank;
    }
}

bool banks_are_distinct(const LaneWords& words, std::uint32_t lanes) {
    std::uint32_t banks = 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        banks |= 1u << (words[std::countr_zero(left)] & 15);
    }
    return bit_count(banks) == bit_count(lanes);
}

// True if a half-warp takes one pass per piece regardless of banks: a single lane, or 16 lanes that
// access consecutive words.
bool is_plain_cc1(const WarpRequest& request, std::uint32_t part) {
    if (std::has_single_bit(part)) return true;
    const int first = std::countr_zero(part);
    if (request.size != word_bytes || part >> first != half_warp) return false;
    std::int64_t off = 0;
    for (int k = 0; k < 16; ++k) {
        off |= request.address[first + k] - request.address[first] - word_bytes * k;
    }
    return off == 0;
}

template <class EachPass>
void for_each_pass_cc1(const WarpRequest& request, std::uint32_t lanes, EachPass&& each) {
    const bool read = request.operation == Operation::load;
    for (int first = 0; first < warp_lanes; first += 16) {
        const std::uint32_t part = request.active & lanes & half_warp << first;
        for (int piece = 0; part != 0 && piece < words_per_lane(request); ++piece) {
            const LaneWords words = lane_words(request, piece);
            for (std::uint32_t remaining = part; remaining != 0;) {
                remaining &= ~each(words, part, piece, remaining, read);
            }
        }
    }
}

BankCounts count_passes_cc1(const WarpRequest& request) {
    BankCounts counts;
    std::uint32_t difficult = 0;
    for (const std::uint32_t half : {half_warp, half_warp << 16}) {
        const std::uint32_t part = request.active & half;
        if (part == 0) continue;
        counts.minimum += words_per_lane(request);
        if (is_plain_cc1(request, part)) {
            counts.passes += words_per_lane(request);
        } else {
            difficult |= half;
        }
    }
    for_each_pass_cc1(
        request, difficult,
        [&](const LaneWords& words, std::uint32_t part, int, std::uint32_t remaining, bool read) {
            ++counts.passes;
            if (remaining == part && banks_are_distinct(words, part)) return part;
            std::uint32_t served = 0;
            next_pass_cc1(words, remaining, read, [&](int lane, int) { served |= 1u << lane; });
            return served;
        });
    return counts;
}

// ---- CC 2.x and later

// Passes of a part: the largest number of rows in which one bank has a word that the part touches.
// A row is 32 words, one per bank; on 3.x 64, since a bank serves both of its words.
int fullest_bank(const Footprint& part, int row_shift) {
    // Bit b of banks_with[k]: bank b has words in more than k rows.
    std::array<std::uint32_t, warp_lanes> banks_with;
    int most = 0;
    const auto add_row = [&](std::uint32_t banks) {
        for (int k = 0; banks != 0; ++k) {
            if (k == most) {
                banks_with[most++] = banks;
                return;
            }
            const std::uint32_t again = banks_with[k] & banks;
            banks_with[k] |= banks;
            banks = again;
        }
    };

    std::int64_t row = 0;
    std::uint32_t banks = 0;  // of the words in `row`
    for (const auto& [begin, end] : part) {
        const std::int64_t last = (end - 1) >> word_shift;
        for (std::int64_t word = begin >> word_shift; word <= last;) {
            if (word >> row_shift != row) {
                add_row(banks);
                banks = 0;
                row = word >> row_shift;
            }
            const std::int64_t until = std::min(last, word | 31);
            banks |= (~0u << (word & 31)) & (~0u >> (31 - (until & 31)));
            word = until + 1;
        }
    }
    add_row(banks);
    return most;
}

}  // namespace

int bank_count(RuleSet rules) {
    return is_cc1(rules) ? 16 : 32;
}

BankCounts& BankCounts::operator+=(const BankCounts& other) {
    passes += other.passes;
    minimum += other.minimum;
    return *this;
}

BankCounts count_passes(const WarpRequest& request, const Footprint& whole, RuleSet rules) {
    if (is_cc1(rules)) return count_passes_cc1(request);
    BankCounts counts;
    const int lanes = part_lanes(request, rules);
    const int extra = passes_beyond_banks(request, rules);
    const int row_shift = rules == RuleSet::cc30 ? segment_shift : 5;
    const auto add = [&](const Footprint& part) {
        counts.passes += fullest_bank(part, row_shift) + extra;
        counts.minimum += 1 + extra;
    };
    if (lanes == warp_lanes) {
        if (request.active != 0) add(whole);
        return counts;
    }
    for (int first = 0; first < warp_lanes; first += lanes) {
        const std::uint32_t part = request.active & part_mask(lanes, first);
        if (part != 0) add(Footprint(request, part));
    }
    return counts;
}

BankCounts count_passes(const WarpRequest& request, RuleSet rules) {
    return count_passes(request, Footprint(request, ~0u), rules);
}

std::vector<BankPass> bank_passes(const WarpRequest& request, RuleSet rules) {
    check_request(request);
    std::vector<BankPass> passes;
    if (is_cc1(rules)) {
        for_each_pass_cc1(request, ~0u,
                          [&](const LaneWords& words, std::uint32_t part, int piece,
                              std::uint32_t remaining, bool read) {
                              BankPass pass{.part = part, .word = piece};
                              std::uint32_t served = 0;
                              next_pass_cc1(words, remaining, read, [&](int lane, int bank) {
                                  served |= 1u << lane;
                                  pass.lanes[bank] |= 1u << lane;
                                  pass.first_word[bank] = words[lane];
                              });
                              passes.push_back(pass);
                              return served;
                          });
        return passes;
    }

    const int lanes = part_lanes(request, rules);
    for (int first = 0; first < warp_lanes; first += lanes) {
        const std::uint32_t part = request.active & part_mask(lanes, first);
        if (part == 0) continue;
        // Per bank: group (word or segment) -> lowest word and lanes, ascending.
        struct Group {
            std::int64_t word;
            std::uint32_t lanes;
        };
        std::array<std::map<std::int64_t, Group>, 32> banks;
        for (std::uint32_t left = part; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            for (int piece = 0; piece < words_per_lane(request); ++piece) {
                const std::int64_t word = (request.address[lane] >> word_shift) + piece;
                const std::int64_t key = rules == RuleSet::cc30 ? word >> segment_shift : word;
                Group& group = banks[word & 31].try_emplace(key, word, 0u).first->second;
                group.word = std::min(group.word, word);
                group.lanes |= 1u << lane;
            }
        }
        std::size_t count = 0;
        for (const auto& bank : banks) count = std::max(count, bank.size());
        const std::size_t from = passes.size();
        passes.resize(from + count + passes_beyond_banks(request, rules), BankPass{.part = part});
        for (std::size_t bank = 0; bank < banks.size(); ++bank) {
            std::size_t pass = from;
            for (const auto& [key, group] : banks[bank]) {
                passes[pass].lanes[bank] = group.lanes;
                passes[pass++].first_word[bank] = group.word;
            }
        }
    }
    return passes;
}

}  // namespace camber
