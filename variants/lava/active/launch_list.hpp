// List of cells, managed by the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "variants/lava/active/active_cells.hpp"

CAMBER_TARGET_BEGIN

// How a list is kept.
struct ListForm {
    int threads = 256;   // per block
    int sort_every = 0;  // steps between two times that it is put in ascending order; 0: never
    int blocks = most_set_blocks;  // at most
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
        if (form_.sort_every > 0 && number % form_.sort_every == 0)
            queue().select(static_cast<const std::uint8_t*>(flags_.get()),
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
