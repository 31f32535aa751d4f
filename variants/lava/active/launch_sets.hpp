// Launch sets, the cells that a launch computes: the kernels' view of boxes and lists of cells, and
// their device memory, initial state and management on the host.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/machine/kernel/vocabulary.hpp"
#include "harness/machine/queue/field_store.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/active_cells.hpp"

// Launch sets as kernels see them: cells of boxes, or cells of a list.
//
// A lava model needs to compute only cells with lava and their neighbors; all others stay
// unchanged. A cell that gets lava for the first time adds itself and its halo to the set of the
// next step, because lava moves by one cell per step. Kernels read one set and add to another, so
// all blocks of a kernel see the same set; hand_over() copies the new set between two steps.
CAMBER_TARGET_BEGIN

// Number of integers in a set's record on the device. The record has one row for this step and one
// for the next.
inline constexpr int set_numbers = 16;

// Copies the next step's record to the current one. Called by one block, in a kernel in which no
// other block uses the set.
CAMBER_DEVICE void hand_over(const Grid<int>& record) {
    const int number = threadIdx.x;
    if (number >= set_numbers) return;
    const int value = record(1, number);
    record(0, number) = value;
}

// Disjoint boxes. Either the device manages them, each within its own part of the board, or the
// host passes a single one.
struct BoxSet {
    static constexpr int most = set_numbers / 4;

    Grid<int> record;         // four numbers per box, in the order of lava::Box
    lava::Box areas[most];    // part of the board for each box
    int count = 1;            // boxes
    bool is_given = false;    // true: the host passes the box
    lava::Box given;          // box from the host
    int column_multiple = 1;  // of the first column of blocks

    // Calls f(row, column) for the cells of this thread: blocks of threads cover one box after the
    // other, and continue from the beginning if there are fewer blocks than needed. Returns true if
    // the block has cells in any box; the result is equal for all its threads.
    template <class F>
    CAMBER_DEVICE bool visit(const F& f) const {
        return visit_blocks([&](int first_row, int first_column, const lava::Box& box) {
            const int row = first_row + static_cast<int>(threadIdx.y);
            const int column = first_column + static_cast<int>(threadIdx.x);
            if (row < box.end_row && column >= box.first_column && column < box.end_column)
                f(row, column);
        });
    }

    // Calls f(first_row, first_column, box) for the blocks of cells of this block of threads, which
    // may exceed their box. All threads call it together.
    template <class F>
    CAMBER_DEVICE bool visit_blocks(const F& f) const {
        const int all = static_cast<int>(gridDim.x);
        const int columns = blockDim.x;
        const int rows = blockDim.y;
        int tile = blockIdx.x;
        bool any = false;
        for (int i = 0; i < count; ++i) {
            const lava::Box box = is_given ? given : kept(i);
            if (box.end_row <= box.first_row || box.end_column <= box.first_column) continue;
            const int first_column = box.first_column / column_multiple * column_multiple;
            const int in_line = (box.end_column - first_column + columns - 1) / columns;
            const int lines = (box.end_row - box.first_row + rows - 1) / rows;
            const int tiles = in_line * lines;
            for (; tile < tiles; tile += all) {
                any = true;
                const int line = tile / in_line;
                f(box.first_row + line * rows, first_column + (tile - line * in_line) * columns,
                  box);
            }
            tile -= tiles;
        }
        return any;
    }

    // Adds the cell and its halo to the next step's boxes, each clipped to the box's part of the
    // board.
    CAMBER_DEVICE void add(int row, int column) const {
#pragma unroll  // kernel arguments have no addresses, so they cannot be indexed by a loop
        for (int i = 0; i < most; ++i)
            if (i < count) extend(i, areas[i], row, column);
    }

  private:
    CAMBER_DEVICE void extend(int i, const lava::Box& area, int row, int column) const {
        const int first_row = row - 1 < area.first_row ? area.first_row : row - 1;
        const int end_row = row + 2 > area.end_row ? area.end_row : row + 2;
        const int first_column = column - 1 < area.first_column ? area.first_column : column - 1;
        const int end_column = column + 2 > area.end_column ? area.end_column : column + 2;
        if (first_row >= end_row || first_column >= end_column) return;
        const lava::Box box = kept(i);
        if (first_row < box.first_row) atomicMin(&record(1, 4 * i), first_row);
        if (end_row > box.end_row) atomicMax(&record(1, 4 * i + 1), end_row);
        if (first_column < box.first_column) atomicMin(&record(1, 4 * i + 2), first_column);
        if (end_column > box.end_column) atomicMax(&record(1, 4 * i + 3), end_column);
    }

    CAMBER_DEVICE lava::Box kept(int i) const {
        const int first_row = record(0, 4 * i);
        const int end_row = record(0, 4 * i + 1);
        const int first_column = record(0, 4 * i + 2);
        const int end_column = record(0, 4 * i + 3);
        return {first_row, end_row, first_column, end_column};
    }
};

// List of distinct cells. Blocks are one-dimensional.
struct ListSet {
    Grid<int> record;      // first number: length of the list
    Grid<int> cells;       // one row: row * columns + column of each cell
    Grid<unsigned> flags;  // one row: a byte per cell of the board, nonzero if it is listed
    int rows = 0;          // of the board
    int columns = 0;

    template <class F>
    CAMBER_DEVICE bool visit(const F& f) const {
        const int count = record(0, 0);
        const int first = static_cast<int>(blockIdx.x * blockDim.x);
        for (int place = first + static_cast<int>(threadIdx.x); place < count;
             place += static_cast<int>(gridDim.x * blockDim.x)) {
            const int cell = cells(0, place);
            const int row = cell / columns;
            f(row, cell - row * columns);
        }
        return first < count;
    }

    // Adds the cell and its halo to the next step's list. The order depends on the scheduling of
    // threads but does not affect results.
    CAMBER_DEVICE void add(int row, int column) const {
        for (int r = row - 1; r <= row + 1; ++r)
            for (int c = column - 1; c <= column + 1; ++c) {
                if (r < 0 || r >= rows || c < 0 || c >= columns) continue;
                const int cell = r * columns + c;
                const unsigned flag = 1u << (8 * (cell % 4));
                if ((atomicOr(&flags(0, cell / 4), flag) & flag) != 0) continue;
                const int place = atomicAdd(&record(1, 0), 1);
                cells(0, place) = cell;
            }
    }
};

// Threads of the block that processes the vents.
inline constexpr unsigned vent_threads = 128;

// Cells of all vents, which one block processes.
struct VentCells {
    Grid<const int> cells;  // one column per cell: row, column, vent number from 1
    int count = 0;

    // Calls f(row, column, vent).
    template <class F>
    CAMBER_DEVICE void visit(const F& f) const {
        for (int i = threadIdx.x; i < count; i += static_cast<int>(blockDim.x)) {
            const int row = cells(0, i);
            const int column = cells(1, i);
            const int vent = cells(2, i);
            f(row, column, vent);
        }
    }
};

CAMBER_TARGET_END

// Host side of launch sets: device memory, initial state, and management between steps.
CAMBER_TARGET_BEGIN

// Number of blocks, 256 threads each, that the largest devices run at once. Blocks loop over larger
// sets.
inline constexpr int most_set_blocks = 1024;

// Launch set on a queue, shared by all stages of an execution.
class ActiveCells {
  public:
    ActiveCells(Queue& queue, Size size)
        : queue_(queue), size_(size), record_(queue, 2 * set_numbers * sizeof(int)) {}
    virtual ~ActiveCells() = default;
    ActiveCells(const ActiveCells&) = delete;
    ActiveCells& operator=(const ActiveCells&) = delete;

    // `mask` marks the cells that have lava at the start or are not at rest; `vents` has the values
    // of the vents field. All these cells and their halos are in the set from the start. `developed`:
    // lava has reached them in a run.
    void upload(lava::Mask mask, std::span<const std::uint8_t> vents, bool developed = false) {
        is_developed_ = developed;
        vents_ = {vents.begin(), vents.end()};
        list_vents();
        start(mask_of_set(std::move(mask)));
        restores_next_ = false;
    }
    // Called after poisoning, which destroys the contents of buffers. Launches do not write all
    // cells of them, so cells outside of the set must be restored.
    void poisoned() { restores_next_ = true; }
    // Called before the launches of several steps.
    virtual void begin_advance() {}
    // Called before the kernels of a step; `store` contains the fields at its start.
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
    // Lets the host change the set; returns true if cells may have left the set.
    virtual bool changes_before(int /*number*/, const FieldStore&) { return false; }

    // Adds vents and halos to the mask.
    lava::Mask mask_of_set(lava::Mask mask) const {
        for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] != 0 || vents_[i] != 0;
        return lava::with_ring(mask, size_);
    }
    // Nonzero for the cells of vents.
    const lava::Mask& vent_mask() const { return vents_; }
    bool is_developed() const { return is_developed_; }
    Queue& queue() const { return queue_; }
    Size size() const { return size_; }
    int* numbers() const { return static_cast<int*>(record_.get()); }
    void upload(void* to, const void* from, std::size_t bytes) const {
        queue_.upload(to, bytes, from, bytes, {bytes, 1});
    }
    // Sets the record of this step and of the next.
    void set_record(const std::array<int, set_numbers>& numbers) const {
        for (int half = 0; half < 2; ++half)
            upload(this->numbers() + half * set_numbers, numbers.data(), sizeof(numbers));
    }
    // Returns the set for the step after the last enqueued one. Waits for that step.
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
        // Recordings contain the address; another upload with the same number of vents keeps it.
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
    std::size_t vent_numbers_ = 0;  // capacity in vents
    lava::Mask vents_;
    int vent_count_ = 0;
    bool is_developed_ = false;
    bool restores_next_ = false;
    bool restores_ = false;
};

CAMBER_TARGET_END
