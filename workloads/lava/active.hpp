// How much of a board a lava flow is on.
#pragma once

#include "harness/base/state.hpp"

namespace camber::lava {

// In FinalState::account: cells with fluid lava over all cells.
inline constexpr const char* active_share_account = "active_share";

// `thickness`: of fluid lava, a field of type float32 or float64.
double active_share(const HostField& thickness);

}  // namespace camber::lava
