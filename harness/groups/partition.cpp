#include "harness/groups/partition.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace camber {

std::vector<Rows> stripes(int rows, std::span<const int> weights) {
    const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    std::vector<Rows> stripes;
    std::int64_t before = 0;
    int first = 0;
    for (const int weight : weights) {
        before += weight;
        const int end = static_cast<int>((2 * std::int64_t{rows} * before + all) / (2 * all));
        stripes.push_back({first, end});
        first = end;
    }
    return stripes;
}

std::vector<Rows> stripes(int rows, int places) {
    return stripes(rows, std::vector<int>(static_cast<std::size_t>(places), 1));
}

std::vector<Rows> in_whole_blocks(std::vector<Rows> stripes, int block) {
    // A border moves by at most half a block.
    const auto is_large = [&](const Rows& stripe) { return stripe.count() / 50 >= block; };
    if (!std::ranges::all_of(stripes, is_large)) return stripes;
    for (std::size_t place = 1; place < stripes.size(); ++place) {
        const int border = (stripes[place].first + block / 2) / block * block;
        stripes[place - 1].end = stripes[place].first = border;
    }
    return stripes;
}

namespace {

// An adaptive threshold doubles when rows move back, up to a limit. Each comparison that moves
// nothing lowers it by a fiftieth, down to a limit.
constexpr double threshold_growth = 2;
constexpr double threshold_decay = 0.98;
constexpr double highest_threshold = 8;
constexpr double lowest_threshold = 0.1;

std::size_t place_at(int place) {
    return static_cast<std::size_t>(place);
}

}  // namespace

// The published rule can oscillate between two divisions if each has a device that is too slow.
// Under the improved rule, a boundary moves back only for a larger excess than the one that moved
// it, so that oscillation ends unless excesses keep growing.
bool Balancer::may_move(int giver, int taker, double excess) const {
    if (balancing_.rule == BalanceRule::published) return true;
    const int direction = taker > giver ? -1 : 1;
    for (int boundary = std::min(giver, taker); boundary < std::max(giver, taker); ++boundary) {
        const Move& last = moves_[place_at(boundary)];
        if (last.direction == -direction && excess <= last.excess) return false;
    }
    return true;
}

std::vector<Rows> Balancer::divided_anew(std::vector<Rows> stripes,
                                         std::span<const double> seconds) {
    const int places = static_cast<int>(stripes.size());
    moves_.resize(stripes.size());
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / places;
    const double slices =
        static_cast<double>(stripes.back().end - stripes.front().first) / balancing_.rows / places;
    const double tolerated = threshold_.share * mean / slices;
    std::vector<int> takers;
    for (int place = 0; place < places; ++place)
        if (seconds[place_at(place)] - mean < -tolerated) takers.push_back(place);

    for (int giver = 0; giver < places; ++giver) {
        const double excess = seconds[place_at(giver)] - mean;
        if (excess <= tolerated || takers.empty()) continue;
        // The nearest taker first; of two at the same distance, the one above.
        std::ranges::stable_sort(takers, {}, [&](int taker) { return std::abs(taker - giver); });
        for (const int taker : takers) {
            if (stripes[place_at(giver)].count() >= fewest_ + balancing_.rows &&
                may_move(giver, taker, excess))
                return moved(std::move(stripes), giver, taker, excess);
            if (balancing_.rule == BalanceRule::published) return stripes;
        }
    }
    if (threshold_.is_adaptive)
        threshold_.share = std::max(threshold_.share * threshold_decay, lowest_threshold);
    return stripes;
}

// Devices between giver and taker pass on as many rows as they receive.
std::vector<Rows> Balancer::moved(std::vector<Rows> stripes, int giver, int taker, double excess) {
    const int direction = taker > giver ? -1 : 1;
    bool is_back = false;
    for (int boundary = std::min(giver, taker); boundary < std::max(giver, taker); ++boundary) {
        stripes[place_at(boundary)].end += direction * balancing_.rows;
        stripes[place_at(boundary + 1)].first += direction * balancing_.rows;
        is_back = is_back || moves_[place_at(boundary)].direction == -direction;
        moves_[place_at(boundary)] = {direction, excess};
    }
    if (is_back && threshold_.is_adaptive)
        threshold_.share = std::min(threshold_.share * threshold_growth, highest_threshold);
    return stripes;
}

namespace {

Rows common(Rows a, Rows b) {
    const int first = std::max(a.first, b.first);
    return {first, std::max(first, std::min(a.end, b.end))};
}

}  // namespace

BoxDivision::BoxDivision(const Division& division, int board_rows)
    : weights_(division.weights), start_(division.start), board_rows_(board_rows) {
    if (start_.multiprocessors.empty()) start_.multiprocessors.assign(weights_.size(), 1);
    begin();
}

void BoxDivision::begin() {
    at_work_ = 1;
    box_ = {};
    stripes_.assign(weights_.size(), {board_rows_, board_rows_});
    stripes_.front() = {0, board_rows_};
    divisions_.clear();
}

// Divides the box among the first `places` devices.
std::vector<Rows> BoxDivision::divided(Rows box, int places) const {
    std::vector<Rows> parts =
        camber::stripes(box.count(), std::span(weights_).first(static_cast<std::size_t>(places)));
    for (Rows& part : parts) part = {box.first + part.first, box.first + part.end};
    return parts;
}

bool BoxDivision::can_work(Rows box, int places) const {
    return places == 1 || std::ranges::all_of(divided(box, places), [](Rows part) {
               return part.count() >= fewest_rows;
           });
}

bool BoxDivision::is_saturated(Rows box, int places, const Blocks& blocks) const {
    const std::vector<Rows> parts = divided(box, places);
    for (std::size_t place = 0; place < parts.size(); ++place)
        if (blocks(parts[place]) <
            std::int64_t{start_.blocks_per_multiprocessor} * start_.multiprocessors[place])
            return false;
    return true;
}

bool BoxDivision::divide(Rows box, int generation, const Blocks& blocks) {
    const int all = static_cast<int>(weights_.size());
    int places = start_.progressive ? at_work_ : all;
    while (!can_work(box, places)) --places;
    if (start_.progressive)
        while (places < all && is_saturated(box, places, blocks) && can_work(box, places + 1))
            ++places;
    const std::vector<Rows> before = stripes_;
    std::vector<Rows> parts = divided(box, places);
    parts.front().first = 0;
    parts.back().end = board_rows_;
    parts.resize(weights_.size(), {board_rows_, board_rows_});
    const bool changes = divisions_.empty() || parts != stripes_;
    stripes_ = std::move(parts);
    at_work_ = places;
    box_ = box;
    if (changes) note(generation, before);
    return stripes_ != before;
}

Rows BoxDivision::part(int place) const {
    return common(stripes_[static_cast<std::size_t>(place)], box_);
}

// The first division moves no rows, as no device had any before.
void BoxDivision::note(int generation, const std::vector<Rows>& before) {
    RowDivision division{generation, {}, 0};
    for (int place = 0; place < at_work_; ++place) {
        const Rows part = this->part(place);
        division.rows.push_back(part.count());
        division.moved_rows +=
            part.count() - common(part, before[static_cast<std::size_t>(place)]).count();
    }
    if (divisions_.empty()) division.moved_rows = 0;
    divisions_.push_back(std::move(division));
}

namespace {

Rows held_beside(Rows own, int slices) {
    return {std::max(0, own.first - 1), std::min(slices, own.end + 1)};
}

}  // namespace

std::vector<Rows> divided_slices(std::span<const std::int64_t> elements,
                                 std::span<const int> weights) {
    const int slices = static_cast<int>(elements.size());
    const int places = static_cast<int>(weights.size());
    if (slices < places) throw std::logic_error("fewer slices than places");
    const auto all =
        static_cast<double>(std::accumulate(elements.begin(), elements.end(), std::int64_t{0}));
    const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<Rows> divided;
    double wanted = 0;
    std::int64_t before = 0;  // in slices assigned so far
    int first = 0;
    for (int place = 0; place < places; ++place) {
        wanted += weights[static_cast<std::size_t>(place)] / weight * all;
        // Leaves one slice for each remaining device.
        const int last = slices - (places - place - 1);
        int end = first + 1;
        before += elements[static_cast<std::size_t>(first)];
        // Adds a slice while that brings the number of elements closer to the wanted number.
        while (end < last) {
            const auto next = static_cast<double>(elements[static_cast<std::size_t>(end)]);
            const double missing = wanted - static_cast<double>(before);
            if (place < places - 1 && !(std::abs(missing - next) < std::abs(missing))) break;
            before += elements[static_cast<std::size_t>(end)];
            ++end;
        }
        divided.push_back({first, end});
        first = end;
    }
    return divided;
}

SliceLayout::SliceLayout(std::span<const std::int64_t> elements, Rows own)
    : own_(own), held_(held_beside(own, static_cast<int>(elements.size()))) {
    const auto in = [&](int slice) { return elements[static_cast<std::size_t>(slice)]; };
    if (held_.first < own_.first) firsts_[0] = (lanes - in(held_.first) % lanes) % lanes;
    for (int slice = held_.first; slice < held_.end; ++slice)
        firsts_.push_back(firsts_.back() + in(slice));
}

Rows SliceLayout::elements_of(Rows slices) const {
    if (slices.first < held_.first || slices.end > held_.end || slices.end < slices.first)
        throw std::logic_error("slices that a place does not hold");
    const auto at = [this](int slice) {
        return static_cast<int>(firsts_[static_cast<std::size_t>(slice - held_.first)]);
    };
    return {at(slices.first), at(slices.end)};
}

std::vector<SliceMove> slice_moves(const std::vector<Rows>& had, const std::vector<Rows>& have) {
    const auto owner = [&](int slice) {
        const auto found = std::ranges::find_if(
            had, [&](Rows own) { return slice >= own.first && slice < own.end; });
        return static_cast<int>(found - had.begin());
    };
    std::vector<SliceMove> moves;
    for (int place = 0; place < static_cast<int>(have.size()); ++place) {
        const auto at = static_cast<std::size_t>(place);
        const Rows held = held_beside(have[at], have.back().end);
        for (int slice = held.first; slice < held.end; ++slice) {
            const int from = owner(slice);
            if (from == place) continue;
            SliceMove* const last = moves.empty() ? nullptr : &moves.back();
            if (last && last->to == place && last->from == from && last->slices.end == slice)
                ++last->slices.end;
            else
                moves.push_back({from, place, {slice, slice + 1}});
        }
    }
    return moves;
}

}  // namespace camber
