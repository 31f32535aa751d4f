// Faulty particle groups: an exchange that omits something, a step that is not the global minimum,
// slices that do not move. Each must be detected by wrong particles or an error.
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/variants/particles/sph/places.hpp"

namespace camber::sph::group_test {
namespace {

// True if three devices that compute without synchronization in between reach the expected state;
// false also if the water blows up.
template <class Slices>
bool is_right(const Start& start, const State& expected, const GroupExchange& exchange,
              int iterations) {
    simt::HostQueue lead(1);
    const auto execution = in_slices<Slices>(lead, start, choice_of(3, exchange.way), exchange);
    execution->upload(start.state);
    // Poisoned, because memory may contain data of a previous group that this one fails to fetch.
    execution->poison(Poison::first);
    State state = start.state;
    try {
        execution->advance(iterations);
        execution->download(state);
    } catch (const Error&) {
        return false;
    } catch (const std::logic_error&) {  // a particle of two places, or of none
        return false;
    }
    return are_same(expected, state);
}

// Sends the forces of an iteration's first evaluation only, so the neighbor reuses them for the
// second.
class SendsFirstForcesOnly final : public Forgetful {
  public:
    using Forgetful::Forgetful;
    void send(int place, Side side, Queue& queue) override {
        int& sent = sent_[2 * static_cast<std::size_t>(place) + index(side)];
        if (sent++ % 2 == 0) Forgetful::send(place, side, queue);
    }

  private:
    std::vector<int> sent_ = std::vector<int>(6, 0);
};

// Sends on a queue that does not wait for the kernel.
std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)> sends_too_early() {
    struct SendsTooEarly final : Forgetful {
        SendsTooEarly(std::unique_ptr<HaloExchange> whole, Group& group)
            : Forgetful(std::move(whole)), beside(group.lead().open_beside()) {}
        void send(int place, Side side, Queue&) override { Forgetful::send(place, side, *beside); }
        std::unique_ptr<Queue> beside;
    };
    return [](ExchangePath path, ExchangeContext context) -> std::unique_ptr<HaloExchange> {
        Group& group = context.group;
        return std::make_unique<SendsTooEarly>(make_exchange(path, std::move(context)), group);
    };
}

struct OwnLeastOnly final : GroupMinimum {
    void take() override {}
};

struct ComputesAllHeld final : UsualSlices {
    using UsualSlices::UsualSlices;
    Rows computed(const SliceLayout& layout) const override { return layout.held(); }
};
struct CountsAllHeld final : UsualSlices {
    using UsualSlices::UsualSlices;
    Rows counted(const SliceLayout& layout) const override { return layout.held(); }
};
struct MovesNothing final : UsualSlices {
    using UsualSlices::UsualSlices;
    std::vector<SliceMove> moves(const std::vector<Rows>&,
                                 const std::vector<Rows>&) const override {
        return {};
    }
};
struct OmitsLastMove final : UsualSlices {
    using UsualSlices::UsualSlices;
    std::vector<SliceMove> moves(const std::vector<Rows>& had,
                                 const std::vector<Rows>& have) const override {
        std::vector<SliceMove> moves = slice_moves(had, have);
        moves.pop_back();
        return moves;
    }
};
// The first device claims this many slices more than its own.
template <int grown>
struct ClaimsMore final : UsualSlices {
    using UsualSlices::UsualSlices;
    Rows claimed(Rows own) const override {
        return own.first == 0 ? Rows{own.first, own.end + grown} : own;
    }
};

}  // namespace

TEST_CASE("places that go wrong with particles are found out", "[sph][group][mutants]") {
    const Start start = stirred({{"dp", 0.08}, {"rebuild", 2}});
    constexpr int iterations = 12;
    const State expected = history(start, iterations).back();
    for (const bool overlap : {false, true}) {
        CAPTURE(overlap);
        const Exchange way{ExchangePath::copies, overlap};
        const auto right = [&](const GroupExchange& exchange) {
            return is_right<UsualSlices>(start, expected, exchange, iterations);
        };
        CHECK(right(way));
        CHECK_FALSE(right({way, forgets<SendsNothing>}));
        CHECK_FALSE(right({way, forgets<SendsUpOnly>}));
        CHECK_FALSE(right({way, forgets<SendsDownOnly>}));
        CHECK_FALSE(right({way, forgets<SendsFirstForcesOnly>}));
        CHECK_FALSE(right({way, forgets<WaitsForNothing>}));
        CHECK_FALSE(right({way, forgets<ReleasesAtOnce>}));
        CHECK_FALSE(right({way, sends_too_early()}));
        // A device computes forces that another one should send, but some neighbors of those
        // particles are elsewhere.
        CHECK_FALSE(
            is_right<ComputesAllHeld>(start, expected, {way, forgets<SendsNothing>}, iterations));
        CHECK_FALSE(right(
            {way, make_exchange, [](ExchangePath, Group&, const std::vector<void*>&, std::size_t) {
                 return std::make_unique<OwnLeastOnly>();
             }}));
        // Slices that a device stores in addition to its own are not updated.
        CHECK_FALSE(is_right<MovesNothing>(start, expected, way, iterations));
        CHECK_FALSE(is_right<OmitsLastMove>(start, expected, way, iterations));
    }
}

// Limits of other devices' particles are never written.
TEST_CASE("a step found by particles of other places is found out", "[sph][group][mutants]") {
    const Start start = stirred({{"dp", 0.08}, {"rebuild", 2}});
    const std::vector<State> states = history(start, 2);
    simt::HostQueue lead(1);
    const auto execution = in_slices<CountsAllHeld>(lead, start, choice_of(3), Exchange{});
    execution->upload(start.state);
    execution->poison(Poison::first);
    execution->advance(1);
    State state = start.state;
    execution->download(state);
    CHECK_FALSE(are_same(states[1], state));
}

TEST_CASE("a particle of two places, or of none, ends the run", "[sph][group][mutants]") {
    const Start start = stirred({{"dp", 0.08}, {"rebuild", 2}});
    simt::HostQueue lead(1);
    const auto run = [&]<class Slices>(std::type_identity<Slices>) {
        const auto execution = in_slices<Slices>(lead, start, choice_of(2), Exchange{});
        execution->upload(start.state);
        execution->advance(1);
    };
    const std::string count = std::to_string(particle_count({.dp = 0.08}));
    CHECK_THROWS_WITH(run(std::type_identity<ClaimsMore<1>>()),
                      contains("2 places have ") && contains(" of " + count + " particles"));
    CHECK_THROWS_WITH(run(std::type_identity<ClaimsMore<-1>>()),
                      contains("2 places have ") && contains(" of " + count + " particles"));
    CHECK_NOTHROW(run(std::type_identity<ClaimsMore<0>>()));
}

}  // namespace camber::sph::group_test
