#include "harness/machine/sass/control_flow.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

using Body = std::vector<bool>;  // by instruction

struct Loop {
    bool counted = false;
    std::ptrdiff_t size = 0;
    std::size_t head = 0;
    Body body;
};

class Finder {
  public:
    explicit Finder(const std::vector<FlowStep>& steps) : steps_(steps), before_(steps.size()) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].goes_on && i + 1 < steps.size()) before_[i + 1].push_back(i);
            if (steps[i].target) before_[static_cast<std::size_t>(*steps[i].target)].push_back(i);
        }
    }

    // Loops by their first instruction.
    std::map<std::size_t, Body> loops() const {
        std::map<std::size_t, Body> found;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (!steps_[i].target || *steps_[i].target > static_cast<std::ptrdiff_t>(i)) continue;
            const auto head = static_cast<std::size_t>(*steps_[i].target);
            Body body(steps_.size());
            body[head] = true;
            gather(i, body);
            // The body contains the kernel's first instruction: the branch can be reached without
            // its target, so this is no natural loop.
            if (body[0] && head != 0) continue;
            const auto [loop, added] = found.try_emplace(head, body);
            if (!added)
                for (std::size_t k = 0; k < body.size(); ++k)
                    if (body[k]) loop->second[k] = true;
        }
        return found;
    }

  private:
    // Adds all predecessors of `last` to the body.
    void gather(std::size_t last, Body& body) const {
        std::vector<std::size_t> open;
        const auto add = [&](std::size_t i) {
            if (body[i]) return;
            body[i] = true;
            open.push_back(i);
        };
        add(last);
        while (!open.empty()) {
            const std::size_t i = open.back();
            open.pop_back();
            for (const std::size_t earlier : before_[i]) add(earlier);
        }
    }

    const std::vector<FlowStep>& steps_;
    std::vector<std::vector<std::size_t>> before_;
};

bool has_counted(const Body& body, const std::vector<bool>& counted) {
    for (std::size_t i = 0; i < body.size(); ++i)
        if (body[i] && counted[i]) return true;
    return false;
}

}  // namespace

LoopForest find_loops(const std::vector<FlowStep>& steps, const std::vector<bool>& counted) {
    LoopForest forest{{0}, std::vector<std::size_t>(steps.size(), 0), 1};
    if (std::ranges::any_of(steps, &FlowStep::goes_anywhere)) return forest;
    std::vector<Loop> loops;
    for (auto& [head, body] : Finder(steps).loops()) {
        const bool has = has_counted(body, counted);
        loops.push_back({has, std::ranges::count(body, true), head, std::move(body)});
        forest.first_uncounted += has ? 1 : 0;
    }
    std::ranges::stable_sort(loops, [](const Loop& one, const Loop& other) {
        return one.counted != other.counted ? one.counted : one.size > other.size;
    });
    for (const auto& [is_counted, size, head, body] : loops) {
        const std::size_t around = forest.loop_of[head];
        const std::size_t number = forest.within.size();
        forest.within.push_back(around);
        // If a larger loop overlaps this one, it keeps the instructions outside of their
        // intersection.
        for (std::size_t i = 0; i < body.size(); ++i)
            if (body[i] && forest.loop_of[i] == around) forest.loop_of[i] = number;
    }
    return forest;
}

namespace {

using Number = std::size_t;

class Graph {
  public:
    explicit Graph(const std::vector<BlockStep>& steps) {
        const std::vector<Number> block_of = cut(steps);
        for (Number i = 0; i < steps.size(); ++i) {
            const BlockStep& step = steps[i];
            Node& node = nodes_[block_of[i]];
            node.block.loop = step.loop;
            for (const auto& [name, count] : step.counts) {
                if (count == 0) continue;
                node.block.instructions[name] += count;
                if (step.access && step.predicated && !text_counts::is_of_schedule(name) &&
                    name != text_counts::total)
                    node.block.predicated[name] += count;
            }
            node.accesses = node.accesses || step.access;
            node.noticed = node.noticed || step.noticed;
            const bool last = i + 1 == steps.size() || block_of[i + 1] != block_of[i];
            if (!last) continue;
            node.block.ends = step.flow.ends || (step.flow.goes_on && i + 1 == steps.size());
            if (step.flow.goes_on && i + 1 < steps.size()) connect(block_of[i], block_of[i + 1]);
            if (step.flow.target)
                connect(block_of[i], block_of[static_cast<Number>(*step.flow.target)]);
        }
    }

    void reduce() {
        keep_reached();
        leave_loops_without_accesses();
        for (bool changed = true; changed;) {
            changed = false;
            for (Number n = 0; n < nodes_.size(); ++n)
                while (nodes_[n].kept && (take_short_cut(n) || join(n))) changed = true;
        }
    }

    std::vector<BasicBlock> blocks() const {
        std::map<Number, int> numbers;
        for (Number n = 0; n < nodes_.size(); ++n)
            if (nodes_[n].kept) numbers.emplace(n, static_cast<int>(numbers.size()));
        std::vector<BasicBlock> found;
        for (const auto& [n, number] : numbers) {
            found.push_back(nodes_[n].block);
            for (const Number to : nodes_[n].to) found.back().to.push_back(numbers.at(to));
        }
        return found;
    }

  private:
    struct Node {
        BasicBlock block;
        std::set<Number> to;
        std::set<Number> from;
        bool accesses = false;
        bool noticed = false;
        bool kept = true;
    };

    // Block number of each step: a block begins at a branch target and after a branch.
    std::vector<Number> cut(const std::vector<BlockStep>& steps) {
        std::vector<bool> first(steps.size() + 1);
        for (Number i = 0; i < steps.size(); ++i) {
            const FlowStep& flow = steps[i].flow;
            if (flow.target) first[static_cast<Number>(*flow.target)] = true;
            if (flow.target || flow.ends || !flow.goes_on) first[i + 1] = true;
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
        std::set<Number> reached{0};
        while (!open.empty()) {
            const Number n = open.back();
            open.pop_back();
            for (const Number to : nodes_[n].to)
                if (reached.insert(to).second) open.push_back(to);
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
        for (const Number to : nodes_[n].to) nodes_[to].from.erase(n);
        for (const Number from : nodes_[n].from) nodes_[from].to.erase(n);
        nodes_[n].to.clear();
        nodes_[n].from.clear();
    }

    // Returns the nodes on paths from `head` to `last`; nullopt if `last` can be reached without
    // passing `head`.
    std::optional<std::set<Number>> body(Number head, Number last) const {
        std::set<Number> found{head, last};
        std::vector<Number> open;
        if (last != head) open.push_back(last);
        while (!open.empty()) {
            const Number n = open.back();
            open.pop_back();
            if (n == 0) return std::nullopt;
            for (const Number m : nodes_[n].from)
                if (found.insert(m).second) open.push_back(m);
        }
        return found;
    }

    void leave_loops_without_accesses() {
        for (Number last = 0; last < nodes_.size(); ++last) {
            const std::set<Number> to = nodes_[last].to;
            for (const Number head : to) {
                if (head > last) break;
                const auto loop = body(head, last);
                if (!loop ||
                    std::ranges::any_of(*loop, [&](Number n) { return nodes_[n].accesses; }))
                    continue;
                disconnect(last, head);
                if (nodes_[last].to.empty()) nodes_[last].block.ends = true;
            }
        }
    }

    std::int64_t size(Number n) const { return nodes_[n].block.instructions.at(total_); }

    void skip(Number from, Number n) {
        std::int64_t& skippable = nodes_[from].block.instructions[skippable_];
        skippable += size(n);
        if (const auto own = nodes_[n].block.instructions.find(skippable_);
            own != nodes_[n].block.instructions.end())
            skippable += own->second;
    }

    // Removes a block that has no noticed instruction and a single successor, if every predecessor
    // has another path to that successor that is as short.
    bool take_short_cut(Number n) {
        const Node& node = nodes_[n];
        if (n == 0 || node.noticed || node.block.ends || node.to.size() != 1) return false;
        const Number next = *node.to.begin();
        const std::set<Number> from = node.from;
        if (next == n || from.empty() ||
            !std::ranges::all_of(from, [&](Number m) { return has_shorter_way(m, n, next); }))
            return false;
        for (const Number m : from) skip(m, n);
        drop(n);
        return true;
    }

    bool has_shorter_way(Number from, Number n, Number next) const {
        const auto& ways = nodes_[from].to;
        return ways.contains(next) || std::ranges::any_of(ways, [&](Number other) {
                   return other != n && !nodes_[other].noticed && !nodes_[other].block.ends &&
                          nodes_[other].to == std::set<Number>{next} &&
                          (size(other) < size(n) || (size(other) == size(n) && other < n));
               });
    }

    // Merges a block with its only successor, if it is that block's only predecessor.
    bool join(Number n) {
        if (nodes_[n].block.ends || nodes_[n].to.size() != 1) return false;
        const Number next = *nodes_[n].to.begin();
        if (next == 0 || next == n || nodes_[next].from.size() != 1) return false;
        Node& one = nodes_[n];
        const Node& other = nodes_[next];
        if (one.block.loop != other.block.loop) return false;
        for (const auto& [name, count] : other.block.instructions)
            one.block.instructions[name] += count;
        for (const auto& [name, count] : other.block.predicated)
            one.block.predicated[name] += count;
        one.accesses = one.accesses || other.accesses;
        one.noticed = one.noticed || other.noticed;
        one.block.ends = other.block.ends;
        const std::set<Number> to = other.to;
        drop(next);
        for (const Number after : to) connect(n, after);
        return true;
    }

    const std::string total_{text_counts::total};
    const std::string skippable_{text_counts::skippable};
    std::vector<Node> nodes_;
};

}  // namespace

std::vector<BasicBlock> find_basic_blocks(const std::vector<BlockStep>& steps) {
    const auto unknown = [](const BlockStep& step) {
        return step.flow.goes_anywhere || step.flow.calls;
    };
    if (steps.empty() || std::ranges::any_of(steps, unknown)) return {};
    Graph graph(steps);
    graph.reduce();
    auto blocks = graph.blocks();
    if (blocks.size() < 2 || blocks.size() > most_basic_blocks) blocks.clear();
    return blocks;
}

}  // namespace camber
