#include "workloads/particles/sph/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/base/error.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/scene.hpp"

namespace camber::sph {

template <class R>
CellGrid<R> cell_grid(const Settings& settings) {
    // A little wider than what a list reaches, so that no rounding puts two particles within reach
    // of each other two cells apart.
    const double side = list_radius(settings) * (1 + 1e-4);
    const Point extent = extent_of(settings);
    const double cells = (extent.x / side + 1) * (extent.y / side + 1) * (extent.z / side + 1);
    if (cells > std::numeric_limits<std::int32_t>::max())
        throw Error(ExitCode::unavailable,
                    fmt::format("a spacing of dp = {} m needs {:.0e} cells to find neighbours in: "
                                "give a larger dp",
                                settings.dp, cells));
    const auto count = [&](double length) {
        return std::max(1, static_cast<int>(std::ceil(length / side)));
    };
    return {{count(extent.x), count(extent.y), count(extent.z)}, static_cast<R>(1 / side)};
}

template CellGrid<float> cell_grid(const Settings& settings);
template CellGrid<double> cell_grid(const Settings& settings);

}  // namespace camber::sph
