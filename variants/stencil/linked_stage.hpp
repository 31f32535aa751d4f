// Stages whose kernels exchange edge rows with the kernels of neighboring devices: one launch per
// generation, or one persistent kernel for many generations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/launch.hpp"
#include "harness/registry/step.hpp"
#include "variants/stencil/linked.hpp"
#include "variants/stencil/stencil_stage.hpp"

CAMBER_TARGET_BEGIN

// Common base: the links of a kernel to the fields of neighboring devices.
template <class Rule, class Fields>
class LinkedRuleStage : public LinkedStage, protected RuleFields<Rule, Fields> {
  protected:
    LinkedRuleStage(const StageContext& context, const StencilVariant<Rule>& variant)
        : RuleFields<Rule, Fields>(context),
          shape_(launch_shape(this->board(), variant)),
          region_(variant.shape.region) {}

    // Link for a kernel whose blocks exchange rows with neighboring devices.
    Link<Rule> link(const Links& links) const {
        Link<Rule> made;
        made.rows = links.depth;
        made.region = region_;
        made.counts = links.counts;
        const int rows = this->problem().size.rows;
        const int first[] = {0, rows - links.depth};
        const int block_rows = blocks_for(rows, region_.rows);
        const int edges[] = {std::min(blocks_for(links.depth, region_.rows), block_rows),
                             block_rows - std::max(first[1], 0) / region_.rows};
        for (int i = 0; i < 2; ++i) {
            const LinkSide& side = links.side[i];
            if (!side.neighbour) continue;
            LinkOfSide<Rule>& own = made.side[i];
            own.halo_row = side.row;
            own.first_row = first[i];
            own.block_rows = edges[i];
            own.arrivals = side.arrivals;
            Fields::Outputs::for_each([&]<class Tag>(Tag) {
                constexpr int output = Fields::Outputs::template index<Tag>;
                if (std::ranges::find(links.fields, Tag::field) == links.fields.end()) return;
                made.sent_outputs |= 1u << output;
                get<output>(own.halo) =
                    this->template next_of<typename Tag::Type>(*side.neighbour, Tag::field);
            });
        }
        return made;
    }

    LaunchShape shape_;
    Region region_;
};

template <class Rule, class Fields>
class LinkedStencilStage final : public LinkedRuleStage<Rule, Fields> {
  public:
    LinkedStencilStage(const StageContext& context, const StencilVariant<Rule>& variant)
        : LinkedRuleStage<Rule, Fields>(context, variant),
          kernel_(fits(this->board(), this->region_) ? variant.linked_kernel.exact
                                                     : variant.linked_kernel.overhang) {}

    void enqueue(int number, int generations, const Links& links) override {
        if (generations != 1) throw std::logic_error("a linked kernel computes one generation");
        put_off(this->queue(), links);
        launch(this->queue(), kernel_label<Rule>(), this->shape_, kernel_, this->views(number),
               this->link(links));
    }

  private:
    LinkedKernel<Rule> kernel_;
};

template <class Rule, class Fields>
class PersistentStencilStage final : public LinkedRuleStage<Rule, Fields> {
  public:
    PersistentStencilStage(const StageContext& context, const StencilVariant<Rule>& variant)
        : LinkedRuleStage<Rule, Fields>(context, variant),
          kernel_(fits(this->board(), this->region_) ? variant.staying_kernel.exact
                                                     : variant.staying_kernel.overhang),
          taken_(this->queue(), sizeof taken_before_),
          complete_(this->queue(), this->shape_.grid.y * sizeof complete_before_) {
        const std::uint32_t zero = 0;
        const auto bytes = std::as_bytes(std::span(&zero, 1));
        this->queue().fill(taken_.get(), 1, bytes);
        this->queue().fill(complete_.get(), this->shape_.grid.y, bytes);
    }

    void enqueue(int number, int generations, const Links& links) override {
        refuse_to_record(this->queue());
        LaunchShape shape = this->shape_;
        Turns<Rule> turns;
        turns.blocks = {static_cast<int>(shape.grid.x), static_cast<int>(shape.grid.y)};
        turns.reach = blocks_for(Rule::Inputs::radius, this->region_.rows);
        shape.cooperative = true;
        shape.grid = {};
        const int resident = resident_blocks(this->queue(), kernel_, shape);
        // Wide turns synchronize less often, but every block should have several per generation.
        for (turns.width = 4; turns.width > 1 && turns.count() < 2 * resident;) turns.width /= 2;
        shape.grid.x = static_cast<unsigned>(std::clamp(resident, 1, turns.count()));
        // The turns of a launch are numbered with 32 bits.
        const int most = std::numeric_limits<int>::max() / turns.count() / 2 * 2;
        for (; generations > most; generations -= most, number += most)
            enqueue(turns, shape, number, most, links);
        enqueue(turns, shape, number, generations, links);
    }

  private:
    void enqueue(Turns<Rule>& turns, const LaunchShape& shape, int number, int generations,
                 const Links& links) {
        turns.taken = static_cast<std::uint32_t*>(taken_.get());
        turns.complete = static_cast<std::uint32_t*>(complete_.get());
        turns.first_turn = taken_before_;
        turns.first_complete = complete_before_;
        for (int turn = 0; turn < 2; ++turn) {
            turns.views[turn] = this->views(number);
            turns.link[turn] = this->link(links);
            // Swaps twice: the second swap restores the order.
            swap_buffers(links);
        }
        launch(this->queue(), kernel_label<Rule>(), shape, kernel_, turns, generations);
        // Each block also takes one number beyond the last turn.
        taken_before_ +=
            static_cast<std::uint32_t>(turns.count()) * static_cast<std::uint32_t>(generations) +
            shape.grid.x;
        complete_before_ +=
            static_cast<std::uint32_t>(turns.per_row()) * static_cast<std::uint32_t>(generations);
    }

    // Swaps the device's own buffers, and the buffers of neighbors that receive its rows.
    void swap_buffers(const Links& links) const {
        Fields::Outputs::for_each([&]<class Tag>(Tag) { this->store().swap(Tag::field); });
        for (const LinkSide& side : links.side)
            if (side.neighbour)
                for (const std::string& field : links.fields) side.neighbour->swap(field);
    }

    StayingKernel<Rule> kernel_;
    Memory taken_;
    Memory complete_;
    // Values of the counters once all launches so far have ended
    std::uint32_t taken_before_ = 0;
    std::uint32_t complete_before_ = 0;
};

// Makers of these stages for a technique; empty if it has no such kernels.
template <class Rule, class Fields>
LinkedMakers linked_makers(const StencilVariant<Rule>& variant) {
    LinkedMakers makers;
    if (variant.linked_kernel.overhang)
        makers.per_generation = [variant](const StageContext& context) {
            return std::make_unique<LinkedStencilStage<Rule, Fields>>(context, variant);
        };
    if (variant.staying_kernel.overhang)
        makers.persistent = [variant](const StageContext& context) {
            return std::make_unique<PersistentStencilStage<Rule, Fields>>(context, variant);
        };
    return makers;
}

CAMBER_TARGET_END
