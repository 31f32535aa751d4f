// Numbers of the visits of a block's threads to call sites, by which traces match the lanes of a
// warp.
//
// Most threads visit the same sites in the same order. A tree stores the sequences seen so far with
// the number of each visit. A thread that repeats a stored sequence only moves along it; the visits
// of other threads are counted.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

enum class VisitKind : std::uint8_t {
    load,
    store,
    atomic,
    skip,  // a visit without an access, counted for every operation
    turn,  // the beginning of a loop iteration, counted like a load
    path,  // the beginning of a call, not counted
};

constexpr VisitKind visit_kind(Operation operation) {
    return static_cast<VisitKind>(operation);
}
static_assert(visit_kind(Operation::load) == VisitKind::load &&
              visit_kind(Operation::store) == VisitKind::store &&
              visit_kind(Operation::atomic) == VisitKind::atomic);

// Visits per site and operation in one thread. A count of an earlier epoch or of another turn is
// treated as 0, so that nothing has to be cleared between blocks or at a grid barrier.
class VisitCounts {
  public:
    void begin_epoch() { ++epoch_; }
    // Number of earlier calls with the same arguments in this epoch and the current turn.
    std::uint32_t count(SiteId site, std::size_t operation, std::uint64_t turn) {
        std::vector<Count>& of_sites = counts_[operation];
        if (site >= of_sites.size()) of_sites.resize(std::bit_ceil(site + std::size_t{1}));
        Count& visits = of_sites[site];
        if (visits.epoch != epoch_ || visits.turn != turn) visits = {epoch_, 0, turn};
        return visits.count++;
    }

  private:
    struct Count {
        std::uint32_t epoch = 0;
        std::uint32_t count = 0;
        std::uint64_t turn = 0;
    };
    std::array<std::vector<Count>, 3> counts_;  // per operation, by site
    std::uint32_t epoch_ = 0;
};

class VisitTree {
  public:
    struct Visit {
        SiteId site = no_site;
        std::uint32_t count = 0;  // number of earlier such visits in the epoch; of a turn: in its
                                  // outer turn
    };
    // A thread's position: the last node of the stored sequence that it has followed in the current
    // epoch, or its own counts once it has left the tree.
    struct Visitor {
        std::uint32_t node = 0;
        bool has_left = false;
        VisitCounts counts;
    };

    explicit VisitTree(SiteTable& sites) : sites_(sites) { clear(); }

    // Begins an epoch of all threads: a block, or its part after a grid barrier. `threads` have a
    // member `visitor`.
    template <class Threads>
    void begin_epoch(Threads& threads) {
        for (const auto& thread : threads) followed_ += links_[thread.visitor.node].depth;
        if (is_full_) {
            is_useless_ = followed_ < 2 * nodes_.size();
            clear();
        }
        for (auto& thread : threads) {
            thread.visitor.node = 0;
            thread.visitor.has_left = is_useless_;
            if (is_useless_) thread.visitor.counts.begin_epoch();
        }
    }

    // Visit of a thread to `here`, reached through `path` in the loop iterations `turn`.
    Visit visit(Visitor& thread, VisitKind kind, SiteId path, std::uint64_t turn,
                const std::source_location& here) {
        // A sequence is mostly stored in adjacent nodes.
        const std::uint32_t next = thread.node + 1;
        if (next < nodes_.size() && !thread.has_left) {
            const Node& node = nodes_[next];
            if (node.what == what_of(kind, here) && node.turn == turn && node.path == path &&
                node.parent == thread.node) {
                thread.node = next;
                return node.visit;
            }
        }
        return visit_elsewhere(thread, kind, path, turn, here);
    }

  private:
    // A visit after those of its ancestors. Node 0 is the beginning.
    static constexpr std::uint32_t none = 0;
    struct Node {
        std::uintptr_t what = 0;  // see what_of()
        std::uint64_t turn = 0;
        SiteId path = no_site;
        std::uint32_t parent = none;
        Visit visit;
    };
    struct Links {
        std::uint32_t child = none;    // first one
        std::uint32_t sibling = none;  // next one
        std::uint32_t depth = 0;
        VisitKind kind = VisitKind::path;
    };
    // Counts of the visits up to a node where a sequence has recently been extended.
    struct Tip {
        std::uint32_t node = none;
        std::uint64_t last_use = 0;
        VisitCounts counts;
    };
    static constexpr std::size_t nodes_limit = 1 << 15;

    // A source location is a pointer to a structure with pointers, so three of its bits are free.
    static_assert(sizeof(std::source_location) == sizeof(std::uintptr_t));
    static std::uintptr_t what_of(VisitKind kind, const std::source_location& here) {
        return std::bit_cast<std::uintptr_t>(here) + static_cast<std::uintptr_t>(kind);
    }

    void clear();
    Visit visit_elsewhere(Visitor& thread, VisitKind kind, SiteId path, std::uint64_t turn,
                          const std::source_location& here);
    Visit count(VisitCounts& counts, VisitKind kind, SiteId site, std::uint64_t turn);
    void recount(VisitCounts& counts, std::uint32_t node);
    Tip& tip_at(std::uint32_t node);

    SiteTable& sites_;
    std::vector<Node> nodes_;
    std::vector<Links> links_;  // of the nodes
    // More than a warp has lanes: at warp collectives, the lanes extend their sequences in turn.
    std::array<Tip, 40> tips_;
    std::uint64_t uses_ = 0;
    std::vector<std::uint32_t> ancestors_;  // of recount()
    VisitNumbers visits_in_turns_;
    // Visits that were in the tree, in all epochs since it was cleared.
    std::uint64_t followed_ = 0;
    bool is_full_ = false;
    bool is_useless_ = false;  // sequences are rarely repeated: all threads count for themselves
};

}  // namespace camber::simt
