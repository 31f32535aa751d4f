#include "harness/machine/simt/visit_tree.hpp"

#include <algorithm>
#include <ranges>

namespace camber::simt {

namespace {

constexpr std::size_t operations = 3;

}  // namespace

void VisitTree::clear() {
    nodes_.assign(1, Node{});
    links_.assign(1, Links{});
    for (Tip& tip : tips_) tip.node = none;
    followed_ = 0;
    is_full_ = false;
}

VisitTree::Visit VisitTree::visit_elsewhere(Visitor& thread, VisitKind kind, SiteId path,
                                            std::uint64_t turn, const std::source_location& here) {
    const SiteId site = kind == VisitKind::turn ? path : sites_.number(path, here);
    if (thread.has_left) return count(thread.counts, kind, site, turn);
    // Instantiations of a template have locations of their own, but share sites.
    std::uint32_t last = none;
    for (std::uint32_t i = links_[thread.node].child; i != none; i = links_[i].sibling) {
        const Node& node = nodes_[i];
        if (node.visit.site == site && node.turn == turn && node.path == path &&
            links_[i].kind == kind) {
            thread.node = i;
            return node.visit;
        }
        last = i;
    }
    if (nodes_.size() == nodes_limit) {
        is_full_ = true;
        thread.has_left = true;
        thread.counts.begin_epoch();
        recount(thread.counts, thread.node);
        return count(thread.counts, kind, site, turn);
    }
    const auto added = static_cast<std::uint32_t>(nodes_.size());
    Tip& tip = tip_at(thread.node);
    tip.node = added;
    const Visit result = count(tip.counts, kind, site, turn);
    (last == none ? links_[thread.node].child : links_[last].sibling) = added;
    nodes_.push_back({what_of(kind, here), turn, path, thread.node, result});
    links_.push_back({none, none, links_[thread.node].depth + 1, kind});
    thread.node = added;
    return result;
}

VisitTree::Visit VisitTree::count(VisitCounts& counts, VisitKind kind, SiteId site,
                                  std::uint64_t turn) {
    const auto of_operation = [&](std::size_t operation) {
        const std::uint32_t count = counts.count(site, operation, turn);
        if (turn == 0) return count;
        return visits_in_turns_.number(operations * site + operation, joined_hash(turn, count));
    };
    switch (kind) {
        case VisitKind::path:
            return {site, 0};
        case VisitKind::turn:
            return {site, counts.count(site, 0, turn)};
        case VisitKind::skip:
            // Other lanes may perform any operation there.
            for (std::size_t operation = 0; operation < operations; ++operation)
                of_operation(operation);
            return {site, 0};
        default:
            return {site, of_operation(static_cast<std::size_t>(kind))};
    }
}

// Counts the visits up to a node.
void VisitTree::recount(VisitCounts& counts, std::uint32_t node) {
    ancestors_.clear();
    for (; node != none; node = nodes_[node].parent) ancestors_.push_back(node);
    for (const std::uint32_t each : ancestors_ | std::views::reverse) {
        const Node& visit = nodes_[each];
        const VisitKind kind = links_[each].kind;
        const auto add = [&](std::size_t operation) {
            counts.count(visit.visit.site, operation, visit.turn);
        };
        if (kind == VisitKind::skip)
            for (std::size_t operation = 0; operation < operations; ++operation) add(operation);
        else if (kind != VisitKind::path)
            add(kind == VisitKind::turn ? 0 : static_cast<std::size_t>(kind));
    }
}

VisitTree::Tip& VisitTree::tip_at(std::uint32_t node) {
    Tip* chosen = tips_.data();
    for (Tip& tip : tips_) {
        if (tip.node == node && node != none) {
            tip.last_use = ++uses_;
            return tip;
        }
        if (tip.last_use < chosen->last_use) chosen = &tip;
    }
    chosen->counts.begin_epoch();
    recount(chosen->counts, node);
    chosen->last_use = ++uses_;
    return *chosen;
}

}  // namespace camber::simt
