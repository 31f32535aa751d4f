#include "analysis/memory/locality.hpp"

#include <cstddef>

namespace camber {

Locality StepSectors::add(const DistinctSectors& launch, std::int64_t blocks,
                          std::int64_t in_a_row) {
    Locality locality;
    std::vector<std::int64_t>& before = locality.touched_before;
    before.resize(launches_);
    ++launches_;
    launch.for_each_page([&](std::int64_t number, const auto& touched) {
        Page& page = pages_[number];
        for (std::size_t place = 0; place < page.size(); ++place) {
            if (!touched(place)) continue;
            if (page[place] == 0)
                ++sectors_;
            else
                ++before[launches_ - page[place] - 1];
            page[place] = launches_;
        }
    });
    locality.of_step = sectors_;
    locality.writers_of_sector = launch.most_writers();
    if (blocks > 0)
        locality.pieces_of_block =
            static_cast<double>(launch.read_pieces()) / static_cast<double>(blocks);
    if (in_a_row > 1) locality.read_beside = launch.read_beside();
    return locality;
}

}  // namespace camber
