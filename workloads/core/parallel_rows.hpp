// Distribution of the rows of a board over CPU threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace camber {

// Number of threads, at most `threads`, that a loop over `cells` cells is worth; fewer if
// synchronization at the loop's end would take longer than the work.
int worthwhile_threads(std::int64_t cells, int threads);

// Calls work(first, last) once for each of `threads` blocks of rows whose sizes differ by at most
// one. Block k runs on thread k of the calling thread's team; block 0 runs on the caller, which
// then also takes blocks that no thread has begun. Threads persist until the next call. They first
// wait by yielding, then block, so that their cores are free for others. Returns when all rows are
// done. Rethrows the exception of the first block that threw. Must not be nested.
void parallel_rows(int threads, int rows, const std::function<void(int first, int last)>& work);

// Calls f(i) for each i below `count`, distributed over `threads` threads.
template <class F>
void parallel_each(int threads, std::size_t count, const F& f) {
    parallel_rows(threads, static_cast<int>(count), [&](int first, int last) {
        for (int i = first; i < last; ++i) f(static_cast<std::size_t>(i));
    });
}

// Calls work(thread) once on each thread of the team, from 0 to threads - 1.
void each_of_team(int threads, const std::function<void(int thread)>& work);

}  // namespace camber
