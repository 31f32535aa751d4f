#include "harness/groups/box_division.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "harness/base/partition.hpp"

namespace camber {

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

// Of the box, for the first so many places.
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

// Before the first division no place has rows that could move.
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

}  // namespace camber
