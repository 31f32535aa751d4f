#include "workloads/lava/active.hpp"

#include <algorithm>

namespace camber::lava {

double active_share(const HostField& thickness) {
    const auto share = [](auto cells) {
        return static_cast<double>(std::ranges::count_if(cells, [](auto h) { return h > 0; })) /
               static_cast<double>(cells.size());
    };
    return thickness.element() == ElementType::float32 ? share(thickness.cells<float>())
                                                       : share(thickness.cells<double>());
}

}  // namespace camber::lava
