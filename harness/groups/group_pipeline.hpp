// A variant on several devices at once: each device computes some of the board's rows with the
// variant's own kernels, and stores a copy of the neighbor rows that these kernels read.
//
// The steps of a generation read `reach` rows beyond their own, and a whole generation reads R.
// Therefore R rows are exchanged, and an earlier step also computes some of the neighbor's rows.
// With a halo of depth k, k R rows are exchanged every k generations. If exchange and computation
// overlap, a device computes its edges on separate queues: the edges of the first step wait for the
// neighbor's rows while the middle does not, and the edges of the last step are sent while the
// middle is computed (Rustico 2012, section 6.2). With ExchangePath::kernel, one launch does all of
// this; with ExchangePath::persistent, one launch does it for many generations. A step whose output
// enters the minimum over all devices (see Sharing::least) is computed for a device's own rows
// only.
//
// In a pipeline with a sharing step (see Sharing), devices exchange the output of that step for the
// next one, while the step still computes the middle, and exchange nothing at the end of a
// generation.
//
// With balancing, rows move to other devices between two generations together with their state.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/groups/group.hpp"
#include "harness/groups/group_place.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/groups/partition.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

class GroupPipeline final : public Execution {
  public:
    // Replacements for parts of the pipeline, for tests.
    struct Substitutes {
        std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)> make =
            make_exchange;
        RowMover move = move_rows;
        // Seconds that each device takes for its stripe; empty: measured times.
        std::function<std::vector<double>(const std::vector<Rows>&)> times = {};
    };

    // Throws Unsupported if the problem cannot be divided this way.
    GroupPipeline(std::unique_ptr<Group> group, const Problem& problem,
                  const std::vector<StepPlan>& plans, const Division& division,
                  const Exchange& exchange, const Substitutes& substitutes);
    GroupPipeline(std::unique_ptr<Group> group, const Problem& problem,
                  const std::vector<StepPlan>& plans, const Division& division,
                  const Exchange& exchange)
        : GroupPipeline(std::move(group), problem, plans, division, exchange, Substitutes()) {}
    ~GroupPipeline() override;

    void upload(const State& initial) override;
    void download(State& result) override;
    // Poisons every device's own outputs and its computed copies of neighbor rows.
    void poison(Poison poison) override { poison_ = poison; }
    void advance(int generations) override;
    const ExchangeContext* divided() const override { return &context_.value(); }

    // Repartitions the board: assigns `stripes`, all rows of the board in order, to the devices.
    // Every device must allocate the whole board, and the number of generations so far must be a
    // multiple of the halo depth.
    void divide_anew(const std::vector<Rows>& stripes);

  private:
    void refuse_balancing(const Division& division, const Exchange& exchange) const;
    void lay_out(const Division& division);
    std::vector<PlaceFields> fields_of_places() const;
    std::unique_ptr<LinkedPlaces> link() const;
    void refuse_to_stay() const;
    void advance_staying(int generations);
    void find_minima(const Exchange& exchange);
    void end_exchange();
    void balance();
    // Fields in their stored form: words for one-bit cells.
    void upload(GroupPlace& place, const State& state);
    void download_fields(State& result);
    void refresh_beyond(const GroupPlace& place, const GroupPart& part, int step) const;
    void generation();
    void enqueue(GroupPlace& place, int phase, int number);
    void share(int step);
    void send_edges();
    void receive_edges(GroupPlace& place, bool on_edges);
    bool goes_through_host() const { return !exchange_ && !links_; }
    void through_host();
    void poison_outputs(int phase);

    std::unique_ptr<Group> group_;
    Problem problem_;
    std::optional<BitOrder> bits_;
    Size stored_;  // board size in field elements
    DividedSteps steps_;
    Allocation allocation_;
    Substitutes substitutes_;
    bool stays_;
    bool closed_;
    std::vector<Rows> stripes_;                        // of all devices
    std::vector<std::unique_ptr<GroupPlace>> places_;  // devices of this process
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;  // set on most paths
    // Set on the kernel paths; if neither is set, everything travels through the host.
    std::unique_ptr<LinkedPlaces> links_;
    std::vector<std::unique_ptr<GroupMinimum>> minima_;  // after each step; nullptr: none
    State board_;  // the board on its way through the host; for one-bit cells, the uploaded words
    Balancing balancing_;
    std::optional<Balancer> balancer_;  // with balancing; timers_ has one timer per device
    std::vector<PlaceTimer> timers_;
    int since_balanced_ = 0;  // generations since the last balancing
    int number_ = 0;          // number of the next generation
    bool under_way_ = false;  // rows were sent and not received yet
    std::optional<Poison> poison_;
};

}  // namespace camber
