// Site of a memory access: the source location that identifies the access in traces and messages.
//
// One source line may compile to several instructions: a lambda that a walk calls for its own
// cells, for the left halo and for the upper halo is one site, yet the device runs it three times,
// each time for other lanes. Code that calls a function from several locations opens a CallPath;
// the open calls of a thread, together with the site, identify the instruction. Loop iterations are
// distinguished by counting (Access::occurrence). If a lane omits an access in one iteration but
// makes it in later ones, it must call skip(site), or use load_if().
//
// Counting has a limit: lanes that reach a site in different iterations of a loop, because of a
// branch without skip(), are matched by their own counts. In nested loops, or if lanes omit many
// accesses, each iteration opens a Turn instead.
#pragma once

#include "harness/base/target.hpp"

#if !CAMBER_ON_DEVICE
    #include <source_location>

    #include "harness/machine/simt/thread.hpp"
#endif

CAMBER_TARGET_BEGIN

#if CAMBER_ON_DEVICE

// On the device, accesses need no identification; the empty argument vanishes when the accessor is
// inlined.
struct Site {
    CAMBER_HD static constexpr Site current() { return {}; }
};

class CallPath {
  public:
    CAMBER_DEVICE explicit CallPath(Site = Site::current()) {}
    CAMBER_DEVICE ~CallPath() {}
    CallPath(const CallPath&) = delete;
    CallPath& operator=(const CallPath&) = delete;
};

class Turn {
  public:
    CAMBER_DEVICE explicit Turn(Site = Site::current()) {}
    CAMBER_DEVICE ~Turn() {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
};

CAMBER_DEVICE void skip(Site = Site::current()) {}

CAMBER_HD inline void count_round() {}

#else

using Site = std::source_location;

// During its lifetime, accesses of the running thread have `site` as their innermost caller.
class CallPath {
  public:
    explicit CallPath(const Site& site = Site::current())
        : thread_(*simt::current), outer_(thread_.path) {
        if (thread_.recording) [[unlikely]]
            thread_.path = simt::path_through(site);
    }
    ~CallPath() { thread_.path = outer_; }
    CallPath(const CallPath&) = delete;
    CallPath& operator=(const CallPath&) = delete;

  private:
    simt::ThreadContext& thread_;
    simt::SiteId outer_;
};

// During its lifetime, the running thread is in the next iteration of the loop at `site`, within
// the turns that were already open. Its accesses are matched with those of other lanes in
// iterations with the same number, counted within the outer turn: lanes that diverge in a loop
// reconverge at its end.
class Turn {
  public:
    explicit Turn(const Site& site = Site::current())
        : call_(site), thread_(*simt::current), outer_(thread_.turn) {
        if (thread_.recording) [[unlikely]]
            thread_.turn = simt::next_turn();
    }
    ~Turn() { thread_.turn = outer_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    CallPath call_;
    simt::ThreadContext& thread_;
    std::uint64_t outer_;
};

// Counts a visit to `site` without an access, for a thread that omits an access that others of its
// warp make.
inline void skip(const Site& site = Site::current()) {
    if (simt::current->recording) [[unlikely]]
        simt::skip_visit(site);
}

// Counts an iteration of a loop without memory accesses; the iterations of other loops follow from
// their accesses. Has no effect outside a kernel.
inline void count_round() {
    if (simt::current && simt::current->recording) [[unlikely]]
        ++simt::current->rounds;
}

#endif

// view(row, column) if the condition is true, otherwise `otherwise`: a predicated load.
template <class T, class View>
CAMBER_DEVICE T load_if(bool condition, const View& view, int row, int column, T otherwise,
                        Site site = Site::current()) {
    if (condition) return view(row, column, site);
    skip(site);
    return otherwise;
}

CAMBER_TARGET_END
