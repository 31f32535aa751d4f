// Execution of a divided problem on the devices of a group. The runtime takes three values: a
// partition (each device's share, its memory and its work), an exchange (how shares travel), and a
// schedule (when). It uploads, exchanges, poisons, records and balances, whatever the partition.
//
// A generation consists of steps. In a step, a device may compute its edges on separate queues, so
// that they travel while it computes the middle (Rustico 2012, section 6.2). Devices exchange their
// edges within a generation, after each step that sends, or at the end of every generation or of
// every few generations. The data that were sent last are received before the next launch.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/groups/group.hpp"
#include "harness/groups/group_place.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// Exchange between the devices: the path, and makers of the objects that move data along it.
struct GroupExchange {
    using HaloMaker = std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)>;
    using MinimumMaker = std::function<std::unique_ptr<GroupMinimum>(
        ExchangePath, Group&, std::vector<void*>, std::size_t)>;

    GroupExchange(const Exchange& exchange, HaloMaker halo_maker = make_exchange)
        : GroupExchange(
              exchange, std::move(halo_maker),
              exchange.minimum == Minimum::lagged ? make_lagged_minimum : make_group_minimum) {}
    GroupExchange(const Exchange& exchange, HaloMaker halo_maker, MinimumMaker minimum_maker)
        : way(exchange), halo(std::move(halo_maker)), minimum(std::move(minimum_maker)) {}

    Exchange way;
    HaloMaker halo;
    MinimumMaker minimum;
};

// Order of the devices' work.
struct GroupSchedule {
    struct Step {
        std::string name;    // in traces; empty: none
        bool sends = false;  // its edges travel before the next step of the same generation
    };
    std::vector<Step> steps = {{}};  // of a generation; if none sends, a whole generation does
    int depth = 1;                   // launches of all steps between two exchanges
    int generations = 1;             // per launch
    bool persistent = false;         // one launch computes all generations of a call
    // All devices receive before any of them computes; otherwise, each receives before its own
    // work.
    bool receives_first = false;
    // The host may take part between generations, so the work cannot be recorded.
    bool host_takes_part = false;
    bool is_timed = false;  // the devices' times are measured, for balancing

    bool has_sender() const;
};

// A number on each device that is replaced by the minimum over all devices.
struct LeastNumbers {
    std::vector<void*> numbers;  // in each device's memory; empty: none
    std::size_t size = 0;        // bytes: 4 or 8
};

class GroupRuntime;

// Share of each device: its memory, and its work in each step (GroupPlace::phases).
class GroupPartition {
  public:
    virtual ~GroupPartition() = default;

    // Devices of this process, and those that compute now, which come first.
    std::span<GroupPlace* const> places() const { return places_; }
    std::span<GroupPlace* const> at_work() const {
        return places().first(at_work_.value_or(places_.size()));
    }

    // Shares, fields and sizes that exchanges need.
    virtual ExchangeContext context() const = 0;
    // Memory and neighbors of each device.
    virtual std::vector<PlaceFields> fields() const;
    // Number on each device that is replaced by the minimum over all devices after a step.
    virtual LeastNumbers least(int /*step*/) const { return {}; }

    // Called while nothing is in flight. Returns the number of the next generation.
    virtual int upload(const State& initial, GroupRuntime& runtime) = 0;
    virtual void download(State& result) = 0;
    // Gives every device the current state of all devices' shares.
    virtual void pass_through_host() = 0;
    // Poisons what the devices write and receive in a phase; other work waits for it.
    virtual void poison(int phase, Poison poison) = 0;
    // Returns true if it has poisoned what generation `number` writes, before any of its work.
    virtual bool poison_ahead(int /*number*/, Poison) { return false; }
    // Called once a step of some generations is enqueued on all devices: makes the buffers current
    // that it writes.
    virtual void complete(int step, int generations) = 0;
    // Called around a launch of all steps, of which the first generation is, or would be next,
    // `number`. Both may divide the problem anew.
    virtual void before_launch(int /*number*/, GroupRuntime&) {}
    virtual void after_launch(int /*number*/, GroupRuntime&) {}

  protected:
    void add(GroupPlace& place) { places_.push_back(&place); }
    void set_at_work(int count) { at_work_ = static_cast<std::size_t>(count); }

  private:
    std::vector<GroupPlace*> places_;
    std::optional<std::size_t> at_work_;  // nullopt: all
};

class GroupRuntime final : public Execution {
  public:
    // Throws Unsupported if devices cannot exchange in this way.
    GroupRuntime(std::unique_ptr<Group> group, std::unique_ptr<GroupPartition> partition,
                 const GroupExchange& exchange, GroupSchedule schedule);

    void upload(const State& initial) override;
    void download(State& result) override;
    // Poisons every device's own outputs, and its copies of its neighbors' edges.
    void poison(Poison poison) override;
    void advance(int generations) override;
    const ExchangeContext* divided() const override { return &context_; }

    // Number of the next generation.
    int number() const { return number_; }

    // For partitions that divide the problem anew.
    ExchangeContext& context() { return context_; }
    // Receives data that are in transit.
    void end_exchange();
    // Seconds that each device has taken for its timed work since the last call.
    std::vector<double> take_times();
    // Tells the exchange the partition's current shares.
    void divided_anew();
    // Makes all work that is enqueued on the lead queue precede all work enqueued from now on.
    void restart();

  private:
    // Makes the minima anew if other devices compute than before; returns true if so.
    bool find_minima();
    void begin_minima();
    void launch(int generations);
    void enqueue(GroupPlace& place, int phase, int generations);
    void share(int step);
    void send_edges();
    void receive_edges(GroupPlace& place, bool on_edges);
    void poison_outputs(int phase);

    std::unique_ptr<Group> group_;
    std::unique_ptr<GroupPartition> partition_;
    GroupExchange makers_;
    GroupSchedule schedule_;
    ExchangeContext context_;
    // nullptr: the state passes through the host, the steps' own kernels exchange edges, or there
    // is one device.
    std::unique_ptr<HaloExchange> exchange_;
    std::vector<std::unique_ptr<GroupMinimum>> minima_;  // after each step; nullptr: none
    std::size_t minimum_places_ = 0;
    std::vector<PlaceTimer> timers_;  // of each device; empty if none is timed
    int number_ = 0;
    bool under_way_ = false;  // edges were sent and not received yet
    std::optional<Poison> poison_;
};

// Divides a problem: a runtime for a partition of this type, which is constructed from the group,
// these arguments and the exchange. Throws Unsupported if the problem cannot be divided this way.
template <class Partition, class... Arguments>
std::unique_ptr<GroupRuntime> divide(std::unique_ptr<Group> group, const GroupExchange& exchange,
                                     Arguments&&... arguments) {
    auto partition =
        std::make_unique<Partition>(*group, std::forward<Arguments>(arguments)..., exchange.way);
    GroupSchedule schedule = partition->schedule();
    return std::make_unique<GroupRuntime>(std::move(group), std::move(partition), exchange,
                                          std::move(schedule));
}

// The same for a group as it was chosen; its division is the last of the arguments.
template <class Partition, class... Arguments>
std::unique_ptr<GroupRuntime> divide(Queue& lead, const GroupChoice& choice,
                                     Arguments&&... arguments) {
    return divide<Partition>(
        std::make_unique<Group>(lead, choice.devices, choice.ranks, choice.exchange.host_wait),
        choice.exchange, std::forward<Arguments>(arguments)..., choice.division);
}

}  // namespace camber
