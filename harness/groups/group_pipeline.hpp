// A variant on several places at once: each computes some of the board's rows with the variant's
// own kernels, and holds a copy of as many of its neighbours' rows as those read.
//
// The steps of a generation read `reach` rows beyond their own, and a generation R in all; so R
// rows are exchanged, and an earlier step computes some of the neighbour's rows as well. With a
// halo of depth k, k R rows are exchanged every k generations. Where exchange and computation
// overlap, a place computes its edges on queues of their own: those of the first step wait for the
// neighbour's rows while the middle does not, and those of the last one leave while the middle is
// computed (Rustico 2012, section 6.2). On the path of kernels one launch does all of that, and on
// that of persistent kernels one launch does it for many generations.
// What a step leaves to the least of all places (see Sharing::least) a place computes of its own
// rows alone.
//
// A pipeline of steps that share (see Sharing) exchanges what one of them leaves to the next, while
// that one still computes the middle, and nothing at a generation's end.
//
// With balancing, rows change their place between two generations, and their state goes along.
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
    // What a test puts in the place of the pipeline's own parts.
    struct Substitutes {
        std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)> make =
            make_exchange;
        RowMover move = move_rows;
        // Seconds that each place takes for its stripe; empty: those that are measured.
        std::function<std::vector<double>(const std::vector<Rows>&)> times = {};
    };

    // Throws Unsupported where the problem cannot be divided so.
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
    // Every place's own outputs, and what it computes of its neighbours' rows.
    void poison(Poison poison) override { poison_ = poison; }
    void advance(int generations) override;
    const ExchangeContext* divided() const override { return &context_.value(); }

    // Goes on with other rows for each place, all of the board's in order. Only where every place
    // allocates the whole board, and after as many generations as lie between two exchanges.
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
    // Of fields as they lie in memory.
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
    Size stored_;  // the board in elements of fields
    DividedSteps steps_;
    Allocation allocation_;
    Substitutes substitutes_;
    bool stays_;
    bool closed_;
    std::vector<Rows> stripes_;                        // of all places
    std::vector<std::unique_ptr<GroupPlace>> places_;  // of this process
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;             // this
    std::unique_ptr<LinkedPlaces> links_;                // or these, or everything through the host
    std::vector<std::unique_ptr<GroupMinimum>> minima_;  // after each step; nullptr: none
    State board_;  // which then passes through here; of bits, what was uploaded
    Balancing balancing_;
    std::optional<Balancer> balancer_;  // with it, of each place:
    std::vector<PlaceTimer> timers_;
    int since_balanced_ = 0;  // generations
    int number_ = 0;          // of the generation to come
    bool under_way_ = false;  // rows that were sent and not received yet
    std::optional<Poison> poison_;
};

}  // namespace camber
