#include "harness/machine/sass/control_flow.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

using Number = std::size_t;
using Steps = std::vector<FlowStep>;

struct Loop {
    Number head = 0;
    Number last = 0;         // the branch back
    std::vector<bool> body;  // by instruction

    bool has(const auto& which) const {
        for (Number i = 0; i < body.size(); ++i)
            if (body[i] && which(i)) return true;
        return false;
    }
};

// Natural loop of each branch back, in the order of the branches.
std::vector<Loop> natural_loops(const Steps& steps) {
    std::vector<std::vector<Number>> before(steps.size());
    for (Number i = 0; i < steps.size(); ++i) {
        if (steps[i].goes_on && i + 1 < steps.size()) before[i + 1].push_back(i);
        if (steps[i].target) before[*steps[i].target].push_back(i);
    }
    std::vector<Loop> loops;
    for (Number last = 0; last < steps.size(); ++last) {
        if (!steps[last].target || *steps[last].target > last) continue;
        Loop loop{*steps[last].target, last, std::vector<bool>(steps.size())};
        loop.body[loop.head] = true;
        std::vector<Number> open{last};
        while (!open.empty()) {
            const Number i = open.back();
            open.pop_back();
            if (loop.body[i]) continue;
            loop.body[i] = true;
            open.insert(open.end(), before[i].begin(), before[i].end());
        }
        // If the body contains the kernel's first instruction, the branch can be reached without
        // its target, so this is no natural loop.
        if (!loop.body[0] || loop.head == 0) loops.push_back(std::move(loop));
    }
    return loops;
}

}  // namespace

LoopForest find_loops(const Steps& steps) {
    LoopForest forest{{0}, std::vector<Number>(steps.size(), 0), 1};
    if (std::ranges::any_of(steps, &FlowStep::goes_anywhere)) return forest;
    std::map<Number, Loop> by_head;
    for (Loop& loop : natural_loops(steps)) {
        const auto [found, added] = by_head.try_emplace(loop.head, loop);
        for (Number i = 0; i < steps.size(); ++i)
            if (loop.body[i]) found->second.body[i] = true;
    }
    struct Ranked {
        bool counted;
        std::ptrdiff_t size;
        const Loop* loop;
    };
    std::vector<Ranked> loops;
    for (const auto& [head, loop] : by_head) {
        loops.push_back({loop.has([&](Number i) { return steps[i].access; }),
                         std::ranges::count(loop.body, true), &loop});
        forest.first_uncounted += loops.back().counted;
    }
    std::ranges::stable_sort(loops, [](const Ranked& one, const Ranked& other) {
        return one.counted != other.counted ? one.counted : one.size > other.size;
    });
    for (const Ranked& one : loops) {
        const Number around = forest.loop_of[one.loop->head];
        const Number number = forest.within.size();
        forest.within.push_back(around);
        // If a larger loop overlaps this one, it keeps the instructions outside of their
        // intersection.
        for (Number i = 0; i < steps.size(); ++i)
            if (one.loop->body[i] && forest.loop_of[i] == around) forest.loop_of[i] = number;
    }
    return forest;
}

namespace {

class Graph {
  public:
    Graph(const Steps& steps, const LoopForest& forest) {
        const std::vector<Number> block_of = cut(steps);
        for (Number i = 0; i < steps.size(); ++i) {
            const FlowStep& step = steps[i];
            Node& node = nodes_[block_of[i]];
            node.block.loop = static_cast<int>(forest.counted_loop_of(i));
            for (const auto& [name, count] : step.counts) {
                if (count == 0) continue;
                node.block.instructions[name] += count;
                if (step.access && step.predicated && text_counts::is_class(name))
                    node.block.predicated[name] += count;
            }
            node.noticed = node.noticed || step.noticed;
            if (i + 1 < steps.size() && block_of[i + 1] == block_of[i]) continue;
            node.block.ends = step.ends || (step.goes_on && i + 1 == steps.size());
            if (step.goes_on && i + 1 < steps.size()) connect(block_of[i], block_of[i + 1]);
            if (step.target) connect(block_of[i], block_of[*step.target]);
        }
        keep_reached();
        for (const Loop& loop : natural_loops(steps))
            if (const Number last = block_of[loop.last];
                nodes_[last].kept &&
                !loop.has([&](Number i) { return steps[i].access && nodes_[block_of[i]].kept; })) {
                disconnect(last, block_of[loop.head]);
                if (nodes_[last].to.empty()) nodes_[last].block.ends = true;
            }
        for (bool changed = true; changed;) {
            changed = false;
            for (Number n = 0; n < nodes_.size(); ++n)
                while (nodes_[n].kept && (take_short_cut(n) || join(n))) changed = true;
        }
    }

    std::vector<results::BasicBlock> blocks() const {
        std::map<Number, int> numbers;
        for (Number n = 0; n < nodes_.size(); ++n)
            if (nodes_[n].kept) numbers.emplace(n, static_cast<int>(numbers.size()));
        std::vector<results::BasicBlock> found;
        for (const auto& [n, number] : numbers) {
            found.push_back(nodes_[n].block);
            for (const Number to : nodes_[n].to) found.back().to.push_back(numbers.at(to));
        }
        return found;
    }

  private:
    struct Node {
        results::BasicBlock block;
        std::set<Number> to;
        std::set<Number> from;
        bool noticed = false;
        bool kept = true;
    };

    // Block number of each step: a block begins at a branch target and after a branch.
    std::vector<Number> cut(const Steps& steps) {
        std::vector<bool> first(steps.size() + 1);
        for (Number i = 0; i < steps.size(); ++i) {
            if (steps[i].target) first[*steps[i].target] = true;
            if (steps[i].target || steps[i].ends || !steps[i].goes_on) first[i + 1] = true;
        }
        std::vector<Number> block_of;
        for (Number i = 0; i < steps.size(); ++i) {
            if (i == 0 || first[i]) nodes_.emplace_back();
            block_of.push_back(nodes_.size() - 1);
        }
        return block_of;
    }

    void keep_reached() {
        std::vector<Number> open{0};
        std::set<Number> reached;
        while (!open.empty()) {
            const Number n = open.back();
            open.pop_back();
            if (reached.insert(n).second)
                open.insert(open.end(), nodes_[n].to.begin(), nodes_[n].to.end());
        }
        for (Number n = 0; n < nodes_.size(); ++n)
            if (!reached.contains(n)) drop(n);
    }

    void connect(Number from, Number to) {
        nodes_[from].to.insert(to);
        nodes_[to].from.insert(from);
    }

    void disconnect(Number from, Number to) {
        nodes_[from].to.erase(to);
        nodes_[to].from.erase(from);
    }

    void drop(Number n) {
        nodes_[n].kept = false;
        for (const Number to : std::set(nodes_[n].to)) disconnect(n, to);
        for (const Number from : std::set(nodes_[n].from)) disconnect(from, n);
    }

    std::int64_t count(Number n, std::string_view name) const {
        const auto found = nodes_[n].block.instructions.find(std::string(name));
        return found == nodes_[n].block.instructions.end() ? 0 : found->second;
    }
    std::int64_t size(Number n) const { return count(n, text_counts::total); }

    // True for a block without noticed instructions that only leads to `next`.
    bool is_quiet_way(Number n, Number next) const {
        const Node& node = nodes_[n];
        return !node.noticed && !node.block.ends && node.to == std::set<Number>{next};
    }

    // Removes a quiet block if every predecessor has another path to its successor that is as
    // short. Its instructions are skippable.
    bool take_short_cut(Number n) {
        const Node& node = nodes_[n];
        if (n == 0 || node.to.size() != 1) return false;
        const Number next = *node.to.begin();
        const std::set<Number> from = node.from;
        if (next == n || !is_quiet_way(n, next) || from.empty() ||
            !std::ranges::all_of(from, [&](Number m) { return has_shorter_way(m, n, next); }))
            return false;
        for (const Number m : from)
            nodes_[m].block.instructions[std::string(text_counts::skippable)] +=
                size(n) + count(n, text_counts::skippable);
        drop(n);
        return true;
    }

    bool has_shorter_way(Number from, Number n, Number next) const {
        const auto& ways = nodes_[from].to;
        return ways.contains(next) || std::ranges::any_of(ways, [&](Number other) {
                   return other != n && is_quiet_way(other, next) &&
                          std::pair(size(other), other) < std::pair(size(n), n);
               });
    }

    // Merges a block with its only successor, if it is that block's only predecessor.
    bool join(Number n) {
        Node& one = nodes_[n];
        if (one.block.ends || one.to.size() != 1) return false;
        const Number next = *one.to.begin();
        const Node& other = nodes_[next];
        if (next == 0 || next == n || other.from.size() != 1 || one.block.loop != other.block.loop)
            return false;
        for (const auto& [name, count] : other.block.instructions)
            one.block.instructions[name] += count;
        for (const auto& [name, count] : other.block.predicated)
            one.block.predicated[name] += count;
        one.noticed = one.noticed || other.noticed;
        one.block.ends = other.block.ends;
        const std::set<Number> to = other.to;
        drop(next);
        for (const Number after : to) connect(n, after);
        return true;
    }

    std::vector<Node> nodes_;
};

}  // namespace

std::vector<results::BasicBlock> find_basic_blocks(const Steps& steps, const LoopForest& forest) {
    const auto unknown = [](const FlowStep& step) { return step.goes_anywhere || step.calls; };
    if (steps.empty() || std::ranges::any_of(steps, unknown)) return {};
    auto blocks = Graph(steps, forest).blocks();
    if (blocks.size() < 2 || blocks.size() > most_basic_blocks) blocks.clear();
    return blocks;
}

}  // namespace camber
