#include "harness/groups/linked_places.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "harness/groups/routes.hpp"

namespace camber {

LinkedPlaces::LinkedPlaces(ExchangeContext context) : group_(context.group) {
    const Routes routes(std::move(context));
    for (int place = 0; place < group_.places(); ++place)
        counts_.emplace_back(*group_.at(place).middle, sizeof(LinkCounts));
    const auto counts = [&](int place) {
        return static_cast<LinkCounts*>(counts_[static_cast<std::size_t>(place)].get());
    };
    for (int place = 0; place < group_.places(); ++place) {
        Links& links = links_.emplace_back();
        links.depth = routes.context().depth;
        links.fields = routes.context().fields;
        links.counts = counts(place);
        for (const Side side : sides) {
            const int to = routes.neighbour(place, side);
            if (to < 0) continue;
            links.side[index(side)] = {routes.context().places[static_cast<std::size_t>(to)].store,
                                       routes.received(to, opposite(side)).first,
                                       &counts(to)->arrived[index(opposite(side))]};
        }
    }
}

void LinkedPlaces::begin() {
    const std::uint32_t zero = 0;
    for (int place = 0; place < group_.places(); ++place)
        group_.at(place).middle->fill(counts_[static_cast<std::size_t>(place)].get(),
                                      sizeof(LinkCounts) / sizeof zero,
                                      std::as_bytes(std::span(&zero, 1)));
}

}  // namespace camber
