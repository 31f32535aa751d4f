// Box of cells set by the host, for one of several devices: its rows of the total box.
#pragma once

#include <array>
#include <cstdint>

#include "variants/lava/active/launch_boxes.hpp"

CAMBER_TARGET_BEGIN

class GivenBox final : public ActiveCells {
  public:
    using Set = BoxSet;

    GivenBox(Queue& queue, Size size, Region block, int column_multiple)
        : ActiveCells(queue, size), block_(block) {
        set_.column_multiple = column_multiple;
        set_.is_given = true;
        set_.record = record();
        set_.areas[0] = {0, size.rows, 0, size.columns};
    }

    void give(const lava::Box& box) { set_.given = box; }
    const lava::Box& given() const { return set_.given; }
    // Blocks of a launch on a box.
    std::int64_t blocks(const lava::Box& box) const {
        return box.empty() ? 0 : tiles_of(box, block_, set_.column_multiple);
    }
    // Box of cells that the device's lava can reach in the next step. Waits for enqueued work.
    lava::Box reached() const {
        const auto numbers = next_record();
        return {numbers[0], numbers[1], numbers[2], numbers[3]};
    }

    Set set() const { return set_; }
    LaunchShape shape() const {
        // One, where the box is empty: kernels do more than compute cells.
        const std::int64_t blocks = std::max<std::int64_t>(1, this->blocks(set_.given));
        return {{static_cast<unsigned>(blocks)},
                {static_cast<unsigned>(block_.columns), static_cast<unsigned>(block_.rows)}};
    }

  private:
    void start(const lava::Mask& mask) override {
        const lava::Box box = lava::box_in(mask, size(), set_.areas[0]);
        set_record({box.first_row, box.end_row, box.first_column, box.end_column});
        give(box);
    }

    Region block_;
    BoxSet set_;
};

CAMBER_TARGET_END
