#include "harness/machine/sass/code_loops.hpp"

#include <algorithm>
#include <map>
#include <utility>

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

    // By the instruction that a loop begins with.
    std::map<std::size_t, Body> loops() const {
        std::map<std::size_t, Body> found;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (!steps_[i].target || *steps_[i].target > static_cast<std::ptrdiff_t>(i)) continue;
            const auto head = static_cast<std::size_t>(*steps_[i].target);
            Body body(steps_.size());
            body[head] = true;
            gather(i, body);
            // The kernel's first instruction among them: the branch is reached without its target.
            if (body[0] && head != 0) continue;
            const auto [loop, added] = found.try_emplace(head, body);
            if (!added)
                for (std::size_t k = 0; k < body.size(); ++k)
                    if (body[k]) loop->second[k] = true;
        }
        return found;
    }

  private:
    // What leads to `last`.
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
        // A larger loop that crosses this one keeps what is its own.
        for (std::size_t i = 0; i < body.size(); ++i)
            if (body[i] && forest.loop_of[i] == around) forest.loop_of[i] = number;
    }
    return forest;
}

}  // namespace camber
