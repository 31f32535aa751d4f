// Places whose steps exchange edge rows by their own kernels.
#pragma once

#include <vector>

#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/links.hpp"

namespace camber {

class LinkedPlaces {
  public:
    explicit LinkedPlaces(ExchangeContext context);

    // All places hold the initial state, neighbours' rows included; nothing is under way.
    void begin();
    const Links& of(int place) const { return links_[static_cast<std::size_t>(place)]; }

  private:
    Group& group_;
    std::vector<Memory> counts_;
    std::vector<Links> links_;
};

}  // namespace camber
