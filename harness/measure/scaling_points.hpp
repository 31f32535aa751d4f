// The numbers of units at which a scaling series is measured.
#pragma once

#include <vector>

namespace camber {

// For multiprocessors: multiples of the smallest partition, dense at first, then sparser, and all
// of the device, which need not be a multiple. Ascending, `smallest` first.
std::vector<int> usual_sm_counts(int smallest, int step, int all);

// Of CPU threads: all numbers up to 4, then half as many again, and `cores`.
std::vector<int> usual_thread_counts(int cores);

// The rows of a weak series' board on `units` units, where one unit of `unit_size` has `rows`.
int weak_rows(int rows, int units, int unit_size);

}  // namespace camber
