// The place in the source where a kernel touches memory: the name of an access in traces and
// messages.
//
// One line of source may be several instructions: a lambda that a walk calls for its own cells, for
// the left ring and for the upper ring is one site, yet the device runs it three times, each time
// for other lanes. Where code calls back from several places it opens a CallPath; the calls open on
// a thread's way to an access, together with the site, say which instruction it is. Iterations of a
// loop are told apart by counting (Access::occurrence). So an iteration in which a lane leaves its
// access out, while later ones have it again, must say so: skip(site), or load_if().
//
// What counting cannot tell: lanes that reach a site in different iterations of a loop because of
// a branch that is not marked by skip() are matched by their own counts. Where loops lie in one
// another, or lanes leave out much, each iteration opens a Turn instead.
#pragma once

#include "harness/base/target.hpp"

#if !CAMBER_ON_DEVICE
    #include <source_location>

    #include "harness/machine/simt/thread.hpp"
#endif

CAMBER_TARGET_BEGIN

#if CAMBER_ON_DEVICE

// On the device an access needs no name; the empty argument vanishes when the accessor is inlined.
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

// While it lives, accesses of the running thread were called from `site`, inside of what was open
// before.
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

// While it lives, the running thread is in the next iteration of the loop at `site`, inside of the
// turns that were open before. Its accesses are matched with those of other lanes in iterations of
// the same number, counted within the outer turn: lanes that part in a loop meet again where it
// ends.
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

// Counts a visit to `site` at which this thread, unlike others of its warp, touches no memory.
inline void skip(const Site& site = Site::current()) {
    if (simt::current->recording) [[unlikely]]
        simt::skip_visit(site);
}

// A round of a loop that touches no memory: accesses tell how often all others are gone through.
// Counts nothing outside of a kernel.
inline void count_round() {
    if (simt::current && simt::current->recording) [[unlikely]]
        ++simt::current->rounds;
}

#endif

// view(row, column) where the condition holds, `otherwise` elsewhere: a load under a predicate.
template <class T, class View>
CAMBER_DEVICE T load_if(bool condition, const View& view, int row, int column, T otherwise,
                        Site site = Site::current()) {
    if (condition) return view(row, column, site);
    skip(site);
    return otherwise;
}

CAMBER_TARGET_END
