// Layout of a pipeline on several devices: the rows and fields of each device, and the links
// between devices.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/groups/group_pipeline.hpp"
#include "harness/groups/partition.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

void GroupPipeline::refuse_balancing(const Division& division, const Exchange& exchange) const {
    if (division.balancing.rule == BalanceRule::none) return;
    const auto refuse = [](const std::string& why) {
        throw Unsupported("rows cannot change their place: " + why);
    };
    if (group_->ranks()) refuse("each rank has a process of its own");
    if (is_by_kernels(exchange.path))
        refuse(
            "the time of a kernel that waits for its neighbours does not tell how much it has "
            "to do");
    if (division.allocation != Allocation::whole) refuse("a place allocates its own rows only");
}

std::unique_ptr<LinkedPlaces> GroupPipeline::link() const {
    const auto refuse = [](const std::string& why) {
        throw Unsupported("the step's own kernel cannot send edge rows: " + why);
    };
    if (steps_.count() > 1) refuse("a generation takes several kernels");
    if (closed_) refuse("on a torus, other work keeps the columns' halo current");
    if (steps_.depth() > 1)
        refuse("with a halo of several generations, rows come while others are read");
    if (context_->may_come_early)
        refuse("the field has one buffer, which its neighbour still reads");
    if (!steps_.plans().front().make.linked().per_generation)
        refuse("the technique has no kernel that does");
    if (stays_) refuse_to_stay();
    return std::make_unique<LinkedPlaces>(*context_);
}

void GroupPipeline::refuse_to_stay() const {
    if (!steps_.plans().front().make.linked().persistent)
        throw Unsupported(
            "the step's kernel cannot stay for many generations: the technique has none that "
            "does");
    if (group_->lead().backend() != Backend::cuda) return;
    std::vector<int> devices(group_->devices().begin(), group_->devices().end());
    std::ranges::sort(devices);
    if (std::ranges::adjacent_find(devices) != devices.end())
        throw Unsupported(
            "kernels that stay wait for each other, and two places on one device could wait for "
            "ever: they need a device each");
}

// Sets the rows of each device and its fields.
void GroupPipeline::lay_out(const Division& division) {
    const int needed = steps_.exchanged_rows();
    const int halo = std::max(needed, largest(steps_.plans(), &Shape::halo));
    const Communicator* const ranks = group_->ranks();
    if (closed_ && stored_.columns < halo)
        throw Unsupported(fmt::format("a torus of {} columns is narrower than a halo of {}",
                                      stored_.columns, halo));
    const Partition cut =
        division.partition == Partition::rows ? Partition::rows : Partition::columns;
    stripes_ =
        in_whole_blocks(divided_rows(problem_.size.rows, division.weights, needed, closed_, cut),
                        steps_.block_rows());
    const int count = static_cast<int>(stripes_.size());
    for (int i = 0; i < count; ++i) {
        if (ranks && ranks->rank() != i) continue;
        const Rows stripe = stripes_[static_cast<std::size_t>(i)];
        const int here = static_cast<int>(places_.size());
        GroupPlace& place =
            *places_.emplace_back(std::make_unique<GroupPlace>(group_->at(here), here));
        place.neighbours[0] = i > 0 ? i - 1 : closed_ ? count - 1 : -1;
        place.neighbours[1] = i + 1 < count ? i + 1 : closed_ ? 0 : -1;
        const bool slab = allocation_ == Allocation::slab;
        place.first_row = slab ? stripe.first : 0;
        place.own = {stripe.first - place.first_row, stripe.end - place.first_row};
        const int rows = slab ? stripe.count() : stored_.rows;
        try {
            add_fields(place.store, steps_.plans(), {stored_.columns, rows}, halo);
        } catch (const Error& error) {
            if (error.remedy() != Remedy::smaller_board) throw;
            throw Error(
                error.code(),
                fmt::format("place {} of {} has no room for {} of the board's {} {} and "
                            "{} of halo on either side: {}",
                            i, count, rows, problem_.size.rows, name(cut), halo, error.what()),
                error.remedy());
        }
    }
}

std::vector<PlaceFields> GroupPipeline::fields_of_places() const {
    std::vector<PlaceFields> places;
    for (const auto& place : places_)
        places.push_back({&place->store,
                          place->own,
                          place->first_row,
                          {place->neighbours[0], place->neighbours[1]}});
    return places;
}

void GroupPipeline::find_minima(const Exchange& exchange) {
    for (const StepPlan& plan : steps_.plans()) {
        std::unique_ptr<GroupMinimum>& minimum = minima_.emplace_back();
        const std::string& field = plan.sharing.least;
        const bool lagged = exchange.minimum == Minimum::lagged;
        if (field.empty() || (stripes_.size() == 1 && !lagged)) continue;
        std::vector<void*> numbers;
        for (const auto& place : places_) numbers.push_back(place->store.current(field));
        const int size = info(places_.front()->store.element(field)).size;
        minimum = (lagged ? make_lagged_minimum : make_group_minimum)(
            exchange.path, *group_, std::move(numbers), static_cast<std::size_t>(size));
    }
}

}  // namespace camber
