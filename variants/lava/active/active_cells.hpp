// Host side of launch sets: their device memory, their initial state, and the host's work between
// steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/machine/queue/field_store.hpp"
#include "variants/lava/active/launch_sets.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/active_cells.hpp"

CAMBER_TARGET_BEGIN

// About as many blocks of 256 threads as the largest devices run at once. Blocks loop over larger
// sets.
inline constexpr int most_set_blocks = 1024;

// A launch set on a queue, common to all stages of an execution.
class ActiveCells {
  public:
    ActiveCells(Queue& queue, Size size)
        : queue_(queue), size_(size), record_(queue, 2 * set_numbers * sizeof(int)) {}
    virtual ~ActiveCells() = default;
    ActiveCells(const ActiveCells&) = delete;
    ActiveCells& operator=(const ActiveCells&) = delete;

    // `mask`: cells that have lava at the start or are not at rest. `vents`: same as the field. All
    // of them, with their halos, are in the set from the start.
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
    // True if the stages of this step restore the cells outside of the set.
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

    // Adds vents and halos to the mask.
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
    // Set that the last enqueued step leaves behind. Waits for that step.
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
        // Recordings contain the address; another upload of as many vents keeps it.
        if (cells.size() > vent_numbers_) {
            vent_cells_ = Memory(queue_, cells.size() * sizeof(int));
            vent_numbers_ = cells.size();
        }
        upload(vent_cells_.get(), cells.data(), cells.size() * sizeof(int));
    }

    Queue& queue_;
    Size size_;
    Memory record_;
    Memory vent_cells_;
    std::size_t vent_numbers_ = 0;  // that it has place for
    lava::Mask vents_;
    int vent_count_ = 0;
    bool restores_next_ = false;
    bool restores_ = false;
};

CAMBER_TARGET_END
