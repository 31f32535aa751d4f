// The host's side of launch sets: where they lie on the device, how they start, and what the host
// does about them between steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "harness/backend/field_store.hpp"
#include "variants/active/launch_sets.hpp"
#include "variants/stencil_stage.hpp"
#include "workloads/lava/active_cells.hpp"

CAMBER_TARGET_BEGIN

// As many as any device has at work on one kernel; more blocks would only take the places of these.
inline constexpr std::int64_t most_set_blocks = 1024;

// A launch set on a queue, common to all stages of an execution.
class ActiveCells {
  public:
    ActiveCells(Queue& queue, Size size)
        : queue_(queue), size_(size), record_(queue, 2 * set_numbers * sizeof(int)) {}
    virtual ~ActiveCells() = default;
    ActiveCells(const ActiveCells&) = delete;
    ActiveCells& operator=(const ActiveCells&) = delete;

    // `mask`: the cells that have lava at the start or are not at rest. `vents`: as the field. All
    // of them, and their rings, are in the set from the start.
    void upload(lava::Mask mask, std::span<const std::uint8_t> vents) {
        vents_ = {vents.begin(), vents.end()};
        list_vents();
        start(mask_of_set(std::move(mask)));
        restores_next_ = false;
    }
    // Buffers that launches write hold nothing of use, and no launch writes all of them: what is
    // outside of the set must be restored.
    void poisoned() { restores_next_ = true; }
    // Launches of several steps follow.
    virtual void begin_advance() {}
    // Before the kernels of a step. `store`: the fields at its start.
    void begin_step(int number, const FieldStore& store) {
        restores_ = std::exchange(restores_next_, false) || changes_before(number, store);
    }
    // Whether the stages of this step restore what is outside of the set.
    bool restores() const { return restores_; }

    Grid<int> record() const {
        return {numbers(), Layout::make(set_numbers, 2, 0, unaligned, sizeof(int)), "launch_set"};
    }
    VentCells vents() const {
        return {
            {static_cast<const int*>(vent_cells_.get()),
             Layout::make(std::max(1, vent_count_), 3, 0, unaligned, sizeof(int)), "vent_cells"},
            vent_count_};
    }

  protected:
    virtual void start(const lava::Mask& set) = 0;
    // Changes the set where the host does; returns whether cells may have left it.
    virtual bool changes_before(int /*number*/, const FieldStore&) { return false; }

    // With vents and rings.
    lava::Mask mask_of_set(lava::Mask mask) const {
        for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] != 0 || vents_[i] != 0;
        return lava::with_ring(mask, size_);
    }
    Queue& queue() const { return queue_; }
    Size size() const { return size_; }
    int* numbers() const { return static_cast<int*>(record_.get()); }
    void upload(void* to, const void* from, std::size_t bytes) const {
        queue_.upload(to, bytes, from, bytes, {bytes, 1});
    }
    // The same numbers for this step and the next.
    void set_record(const std::array<int, set_numbers>& numbers) const {
        for (int half = 0; half < 2; ++half)
            upload(this->numbers() + half * set_numbers, numbers.data(), sizeof(numbers));
    }
    // As the step that was enqueued last leaves them. Waits for it.
    std::array<int, set_numbers> next_record() const {
        std::array<int, set_numbers> numbers{};
        queue_.download(numbers.data(), sizeof(numbers), this->numbers() + set_numbers,
                        sizeof(numbers), {sizeof(numbers), 1});
        return numbers;
    }

  private:
    void list_vents() {
        vent_count_ =
            static_cast<int>(std::ranges::count_if(vents_, [](auto v) { return v != 0; }));
        const std::size_t columns = std::max(1, vent_count_);
        std::vector<int> cells(3 * columns);
        std::size_t found = 0;
        for (std::size_t i = 0; i < vents_.size(); ++i) {
            if (vents_[i] == 0) continue;
            cells[found] = static_cast<int>(i) / size_.columns;
            cells[columns + found] = static_cast<int>(i) % size_.columns;
            cells[2 * columns + found++] = vents_[i];
        }
        vent_cells_ = Memory(queue_, cells.size() * sizeof(int));
        upload(vent_cells_.get(), cells.data(), cells.size() * sizeof(int));
    }

    Queue& queue_;
    Size size_;
    Memory record_;
    Memory vent_cells_;
    lava::Mask vents_;
    int vent_count_ = 0;
    bool restores_next_ = false;
    bool restores_ = false;
};

// How boxes are kept.
struct BoxesForm {
    int boxes = 1;            // at most
    int column_multiple = 1;  // of the blocks' first column
    // The host reads the box every so many steps and launches blocks for it, grown by what lava may
    // move until it reads again. 0: the device keeps it to itself, and always has blocks for more.
    int read_every = 0;
    // The host looks where lava is and places the boxes anew every so many steps. 0: never.
    int place_every = 0;
};

class LaunchBoxes final : public ActiveCells {
  public:
    using Set = BoxSet;

    LaunchBoxes(Queue& queue, const Problem& problem, Region block, const BoxesForm& form)
        : ActiveCells(queue, problem.size), block_(block), form_(form), cell_(problem.cell) {}

    Set set() const { return set_; }
    LaunchShape shape() const {
        std::int64_t blocks = 1;  // one, where the box is empty: kernels do more than compute cells
        if (!set_.is_given)
            blocks = std::min(tiles({0, size().rows, 0, size().columns}), most_set_blocks);
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
        const auto blocks = [](int cells, int per_block) {
            return std::int64_t{(cells + per_block - 1) / per_block};
        };
        const int first_column = box.first_column / form_.column_multiple * form_.column_multiple;
        return blocks(box.end_column - first_column, block_.columns) *
               blocks(box.rows(), block_.rows);
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
        // The box has one ring already: it is right for one step.
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

class LaunchList final : public ActiveCells {
  public:
    using Set = ListSet;

    // `sort_every`: steps between two times that the list is put in ascending order; 0: never.
    LaunchList(Queue& queue, const Problem& problem, int threads, int sort_every)
        : ActiveCells(queue, problem.size),
          threads_(threads),
          sort_every_(sort_every),
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
        const std::int64_t blocks = (size().cells() + threads_ - 1) / threads_;
        return {{static_cast<unsigned>(std::min(blocks, most_set_blocks))},
                {static_cast<unsigned>(threads_)}};
    }

  private:
    void start(const lava::Mask& mask) override {
        std::vector<int> cells;
        for (std::size_t i = 0; i < mask.size(); ++i)
            if (mask[i] != 0) cells.push_back(static_cast<int>(i));
        lava::Mask flags = mask;
        flags.resize(static_cast<std::size_t>(words_) * sizeof(unsigned));
        upload(flags_.get(), flags.data(), flags.size());
        if (!cells.empty()) upload(cells_.get(), cells.data(), cells.size() * sizeof(int));
        set_record({static_cast<int>(cells.size())});
    }
    // The order of what is there does not matter, so that this may come at any step.
    bool changes_before(int number, const FieldStore&) override {
        if (sort_every_ > 0 && number % sort_every_ == 0)
            queue().select(static_cast<const std::uint8_t*>(flags_.get()),
                           static_cast<std::size_t>(size().cells()),
                           static_cast<std::int32_t*>(cells_.get()),
                           static_cast<std::int32_t*>(numbers() + set_numbers));
        return false;
    }

    int threads_;
    int sort_every_;
    int words_;
    Memory cells_;
    Memory flags_;
};

CAMBER_TARGET_END
