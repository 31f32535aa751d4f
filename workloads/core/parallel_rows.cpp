#include "workloads/core/parallel_rows.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace camber {

namespace {

// Minimum cells per thread: with the cheapest rule they take some ten microseconds, the time it
// takes to wake a thread.
constexpr std::int64_t least_cells = 16384;

// Number of yields before a waiting thread blocks: waits at the end of a loop are mostly short, and
// yielding leaves the core to other processes at once.
constexpr int yields = 64;

// Worker threads of one calling thread, which computes a block of rows itself.
class Team {
  public:
    Team() = default;
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() {
        for (const auto& member : members_) member->turn_to(State::quit);
        for (const auto& member : members_) member->thread.join();
    }

    // If `each` is true, thread k always computes block k. Otherwise, the caller takes over all
    // blocks that no thread has begun by the time its own is done; on a busy machine that may be
    // all of them.
    void run(int threads, int rows, const std::function<void(int, int)>& work, bool each) {
        while (static_cast<int>(members_.size()) < threads - 1)
            members_.push_back(std::make_unique<Member>(*this));
        work_ = &work;
        failures_.assign(static_cast<std::size_t>(threads), nullptr);
        const auto first = [&](int k) {
            return static_cast<int>(std::int64_t{rows} * k / threads);
        };
        const auto own = std::span(members_).first(static_cast<std::size_t>(threads - 1));
        for (int k = 1; k < threads; ++k) {
            Member& member = *own[static_cast<std::size_t>(k - 1)];
            member.block = {k, first(k), first(k + 1)};
            member.turn_to(State::offered);
        }
        perform({0, 0, first(1)});
        for (const auto& member : own)
            if (State offered = State::offered;
                !each && member->state.compare_exchange_strong(offered, State::idle))
                perform(member->block);
        for (const auto& member : own)
            for (State now = member->state; now != State::idle; now = member->state)
                wait_while(member->state, now);
        for (const std::exception_ptr& failure : failures_)
            if (failure) std::rethrow_exception(failure);
    }

  private:
    enum class State : std::uint32_t { idle, offered, taken, quit };

    struct Block {
        int number = 0;
        int first = 0;  // first row of the block
        int last = 0;
    };

    struct Member {
        explicit Member(Team& team) : thread([this, &team] { live(team); }) {}
        void turn_to(State next) {
            state = next;
            state.notify_all();
        }
        void live(Team& team) {
            for (State now = state; now != State::quit; now = state) {
                if (now == State::offered && state.compare_exchange_strong(now, State::taken)) {
                    team.perform(block);
                    turn_to(State::idle);
                } else {
                    wait_while(state, now);
                }
            }
        }
        std::atomic<State> state{State::idle};
        Block block;
        std::thread thread;  // declared last, because it uses the other members
    };

    static void wait_while(const std::atomic<State>& state, State old) {
        for (int i = 0; i < yields; ++i) {
            if (state != old) return;
            sched_yield();
        }
        state.wait(old);
    }

    void perform(const Block& block) {
        try {
            (*work_)(block.first, block.last);
        } catch (...) {
            failures_[static_cast<std::size_t>(block.number)] = std::current_exception();
        }
    }

    const std::function<void(int, int)>* work_ = nullptr;
    std::vector<std::exception_ptr> failures_;
    std::vector<std::unique_ptr<Member>> members_;
};

// Each calling thread has a team of its own, like OpenMP's teams; the team ends with the thread.
Team& own_team() {
    thread_local Team team;
    return team;
}

}  // namespace

int worthwhile_threads(std::int64_t cells, int threads) {
    return static_cast<int>(std::clamp<std::int64_t>(cells / least_cells, 1, threads));
}

void parallel_rows(int threads, int rows, const std::function<void(int first, int last)>& work) {
    const int shared = std::min(threads, rows);
    if (shared <= 1) {
        if (rows > 0) work(0, rows);
        return;
    }
    own_team().run(shared, rows, work, false);
}

void each_of_team(int threads, const std::function<void(int thread)>& work) {
    own_team().run(
        threads, threads, [&](int thread, int) { work(thread); }, true);
}

}  // namespace camber
