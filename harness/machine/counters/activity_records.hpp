// CUPTI's activity records. For the sources of this folder that are built where CUPTI's headers
// are.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>

#include "harness/machine/counters/cupti_library.hpp"

namespace camber::counters {

// The records grow from release to release; these are the headers'.
#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
using CopyRecord = CUpti_ActivityMemcpy6;
using SynchronizationRecord = CUpti_ActivitySynchronization2;
using OverheadRecord = CUpti_ActivityOverhead3;
#else
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
using SynchronizationRecord = CUpti_ActivitySynchronization;
using OverheadRecord = CUpti_ActivityOverhead2;
#endif
using PeerCopyRecord = CUpti_ActivityMemcpyPtoP4;
using FillRecord = CUpti_ActivityMemset4;

// Throws Error(unavailable) where CUPTI takes no one's records.
void prepare_activity();

// Calls `visit` with every record of these kinds that comes about while `work` runs, which must
// return when its work has ended. Nothing is recorded before and after: it would slow down the
// launches that are timed. Not re-entrant. Throws Error(unavailable).
void collect_activity(std::initializer_list<CUpti_ActivityKind> kinds,
                      const std::function<void()>& work,
                      const std::function<void(const CUpti_Activity&)>& visit);

}  // namespace camber::counters
