// A queue whose launches take a given time, for tests of timing.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "harness/machine/queue/host_memory.hpp"
#include "harness/registry/execution.hpp"

namespace camber::run_test {

struct FakeQueue final : HostMemoryQueue {
    double launch_seconds = 1e-5;
    double event_pair = 1e-6;
    double cold_factor = 3;  // factor on a launch's time after the caches were flushed

    int launches = 0;              // total so far
    int evictions = 0;             // total so far
    std::vector<int> batches;      // launches in each timed piece of work
    std::vector<int> graph_nodes;  // launches in each recording

    void launch() {
        ++launches;
        if (recording_) return;
        clock_ += launch_seconds * (evicted_ ? cold_factor : 1);
        evicted_ = false;
    }

    double time(const std::function<void()>& enqueue) override {
        const double start = clock_;
        const int before = launches;
        enqueue();
        batches.push_back(launches - before);
        return clock_ - start + event_pair;
    }

    std::unique_ptr<Recording> record(const std::function<void()>& enqueue) override {
        const int before = launches;
        recording_ = true;
        enqueue();
        recording_ = false;
        const int nodes = launches - before;
        launches = before;
        graph_nodes.push_back(nodes);
        struct Replay final : Recording {
            Replay(FakeQueue& owner, int n) : queue(owner), nodes(n) {}
            void replay() override {
                for (int i = 0; i < nodes; ++i) queue.launch();
            }
            FakeQueue& queue;
            int nodes;
        };
        return std::make_unique<Replay>(*this, nodes);
    }

    void evict_caches() override {
        ++evictions;
        evicted_ = true;
    }

  private:
    double clock_ = 0;
    bool recording_ = false;
    bool evicted_ = false;
};

// One launch for every `step` generations.
struct FakeExecution final : Execution {
    FakeExecution(FakeQueue& owner, int generations_per_launch)
        : queue(owner), step(generations_per_launch) {}
    void upload(const State&) override {}
    void download(State&) override {}
    void poison(Poison) override {}
    void advance(int generations) override {
        for (int done = 0; done < generations; done += step) queue.launch();
    }
    FakeQueue& queue;
    int step;
};

}  // namespace camber::run_test
