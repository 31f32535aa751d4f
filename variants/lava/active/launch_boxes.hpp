// Launch sets as boxes or lists of cells, managed by the device or by the host.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "variants/lava/active/launch_sets.hpp"

// Boxes of cells: managed by the device, read by the host, or replaced by the host.
CAMBER_TARGET_BEGIN

// Number of blocks that cover a box.
inline std::int64_t tiles_of(const lava::Box& box, Region block, int column_multiple) {
    const auto blocks = [](int cells, int per_block) {
        return std::int64_t{(cells + per_block - 1) / per_block};
    };
    const int first_column = box.first_column / column_multiple * column_multiple;
    return blocks(box.end_column - first_column, block.columns) * blocks(box.rows(), block.rows);
}

// Management of boxes.
struct BoxesForm {
    int boxes = 1;            // maximum number of boxes
    int column_multiple = 1;  // of the blocks' first column
    // Number of steps between two reads of the box by the host, which launches blocks for the box,
    // grown by the distance that lava can move until the next read. 0: the device manages the box,
    // and the number of blocks is fixed.
    int read_every = 0;
    // Number of steps after which the host searches for lava and replaces the boxes. 0: never.
    int place_every = 0;
    int blocks = most_set_blocks;  // maximum number of blocks if the device manages the boxes
};

class LaunchBoxes final : public ActiveCells {
  public:
    using Set = BoxSet;

    LaunchBoxes(Queue& queue, const Problem& problem, Region block, const BoxesForm& form)
        : ActiveCells(queue, problem.size), block_(block), form_(form), cell_(problem.cell) {}

    Set set() const { return set_; }
    LaunchShape shape() const {
        std::int64_t blocks = 1;  // at least one, because kernels also have tasks beside cells
        if (!set_.is_given)
            blocks =
                std::min<std::int64_t>(tiles({0, size().rows, 0, size().columns}), form_.blocks);
        else if (!set_.given.empty())
            blocks = tiles(set_.given);
        return {{static_cast<unsigned>(blocks)},
                {static_cast<unsigned>(block_.columns), static_cast<unsigned>(block_.rows)}};
    }
    void begin_advance() override { steps_since_read_ = form_.read_every; }

  private:
    void start(const lava::Mask& mask) override {
        place(mask);
        begin_advance();
    }
    bool changes_before(int number, const FieldStore& store) override {
        if (form_.read_every > 0 && steps_since_read_++ == form_.read_every) read_back();
        if (form_.place_every == 0 || number == 0 || number % form_.place_every != 0) return false;
        place(mask_of_set(cells_with_lava(store)));
        return true;
    }

    std::int64_t tiles(const lava::Box& box) const {
        return tiles_of(box, block_, form_.column_multiple);
    }
    void place(const lava::Mask& mask) {
        const std::vector<lava::Part> parts = lava::guillotine(mask, size(), form_.boxes);
        set_.record = record();
        set_.count = static_cast<int>(parts.size());
        set_.column_multiple = form_.column_multiple;
        std::array<int, set_numbers> numbers{};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            set_.areas[i] = parts[i].area;
            const lava::Box& box = parts[i].box;
            const int sides[] = {box.first_row, box.end_row, box.first_column, box.end_column};
            std::ranges::copy(sides, numbers.begin() + 4 * static_cast<int>(i));
        }
        set_record(numbers);
    }
    void read_back() {
        const auto numbers = next_record();
        set_.given = {numbers[0], numbers[1], numbers[2], numbers[3]};
        set_.is_given = true;
        // The box already includes a halo of one cell, which suffices for one step.
        if (!set_.given.empty())
            for (int step = 1; step < form_.read_every; ++step)
                set_.given = set_.given.grown(size());
        steps_since_read_ = 1;
    }
    lava::Mask cells_with_lava(const FieldStore& store) const {
        constexpr const char* thickness = "thickness";
        State state;
        state.fields.emplace_back(thickness, cell_, size());
        store.download(state);
        lava::Mask mask;
        const auto take = [&](auto cells) {
            for (const auto h : cells) mask.push_back(h > 0);
        };
        if (cell_ == ElementType::float32)
            take(state.field(thickness).cells<float>());
        else
            take(state.field(thickness).cells<double>());
        return mask;
    }

    Region block_;
    BoxesForm form_;
    ElementType cell_;
    BoxSet set_;
    int steps_since_read_ = 0;
};

CAMBER_TARGET_END

// List of cells, managed by the device.
CAMBER_TARGET_BEGIN

// Management of a list.
struct ListForm {
    int threads = 256;             // per block
    int sort_every = 0;            // steps between two sorts in ascending order; 0: never
    int blocks = most_set_blocks;  // maximum number of blocks
};

class LaunchList final : public ActiveCells {
  public:
    using Set = ListSet;

    LaunchList(Queue& queue, const Problem& problem, const ListForm& form)
        : ActiveCells(queue, problem.size),
          form_(form),
          words_(static_cast<int>((problem.size.cells() + 3) / 4)),
          cells_(queue, static_cast<std::size_t>(problem.size.cells()) * sizeof(int)),
          flags_(queue, static_cast<std::size_t>(words_) * sizeof(unsigned)) {}

    Set set() const {
        const int cells = static_cast<int>(size().cells());
        return {record(),
                {static_cast<int*>(cells_.get()), Layout::make(cells, 1, 0, unaligned, sizeof(int)),
                 "active_cells"},
                {static_cast<unsigned*>(flags_.get()),
                 Layout::make(words_, 1, 0, unaligned, sizeof(unsigned)), "active_flags"},
                size().rows,
                size().columns};
    }
    LaunchShape shape() const {
        const std::int64_t blocks = (size().cells() + form_.threads - 1) / form_.threads;
        return {{static_cast<unsigned>(std::min<std::int64_t>(blocks, form_.blocks))},
                {static_cast<unsigned>(form_.threads)}};
    }

  private:
    void start(const lava::Mask& mask) override {
        // Generated lava has no order of arrival.
        const std::vector<int> cells = lava::in_order_of_arrival(
            mask, is_developed() ? vent_mask() : lava::Mask(mask.size()), size());
        lava::Mask flags = mask;
        flags.resize(static_cast<std::size_t>(words_) * sizeof(unsigned));
        upload(flags_.get(), flags.data(), flags.size());
        if (!cells.empty()) upload(cells_.get(), cells.data(), cells.size() * sizeof(int));
        set_record({static_cast<int>(cells.size())});
    }
    // The order of the list does not affect results, so the sort may precede any step.
    bool changes_before(int number, const FieldStore&) override {
        if (form_.sort_every > 0 && number % form_.sort_every == 0)
            queue().algorithms().select(static_cast<const std::uint8_t*>(flags_.get()),
                                        static_cast<std::size_t>(size().cells()),
                                        static_cast<std::int32_t*>(cells_.get()),
                                        static_cast<std::int32_t*>(numbers() + set_numbers));
        return false;
    }

    ListForm form_;
    int words_;
    Memory cells_;
    Memory flags_;
};

CAMBER_TARGET_END
