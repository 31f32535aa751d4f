#include "harness/groups/slice_division.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace camber {

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
    std::int64_t before = 0;  // of the slices that have a place
    int first = 0;
    for (int place = 0; place < places; ++place) {
        wanted += weights[static_cast<std::size_t>(place)] / weight * all;
        const int last = slices - (places - place - 1);  // what the others need
        int end = first + 1;
        before += elements[static_cast<std::size_t>(first)];
        // A slice more, as long as that comes nearer to what is wanted.
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
