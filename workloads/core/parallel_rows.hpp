// The rows of a board, shared by threads of the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace camber {

// How many of `threads` threads a loop over so many cells is worth: fewer where meeting at its end
// would take longer than the work.
int worthwhile_threads(std::int64_t cells, int threads);

// Calls work(first, last) once for each of `threads` blocks of rows, sizes equal but for one row:
// block k on thread k of the calling thread's team, block 0 on the caller, which also takes
// blocks that no thread has begun when its own is done. Threads persist until the next call; they
// wait by yielding for a moment, then blocked, so that their cores are free for others. Returns
// when all rows are done. Rethrows the exception of the first block that threw. Must not be
// nested.
void parallel_rows(int threads, int rows, const std::function<void(int first, int last)>& work);

// Calls f(i) for each i below `count`, by so many threads.
template <class F>
void parallel_each(int threads, std::size_t count, const F& f) {
    parallel_rows(threads, static_cast<int>(count), [&](int first, int last) {
        for (int i = first; i < last; ++i) f(static_cast<std::size_t>(i));
    });
}

// Calls work(thread) on each of the threads 0 to threads - 1 of the same team, once.
void each_of_team(int threads, const std::function<void(int thread)>& work);

}  // namespace camber
