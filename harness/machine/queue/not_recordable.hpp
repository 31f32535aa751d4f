// Thrown by queues while they record, for work that cannot be replayed.
#pragma once

#include "harness/base/unsupported.hpp"

namespace camber {

// The host asked for data between two launches, or gave some: a replay would have neither.
class NotRecordable final : public Unsupported {
  public:
    NotRecordable()
        : Unsupported("its host takes part between launches, and a recording has launches only",
                      Remedy::no_graph) {}
};

}  // namespace camber
