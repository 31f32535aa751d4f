// A variant on several places at once: each computes some of the board's rows with the variant's
// own kernels, and holds a copy of as many of its neighbours' rows as those read.
//
// The steps of a generation read `reach` rows beyond their own, and a generation R in all; so R
// rows are exchanged, and an earlier step computes some of the neighbour's rows as well. With a
// halo of depth k, k R rows are exchanged every k generations. Where exchange and computation
// overlap, a place computes its edges on queues of their own: those of the first step wait for the
// neighbour's rows while the middle does not, and those of the last one leave while the middle is
// computed (Rustico 2012, section 6.2). On the path of kernels one launch does all of that.
// What a step leaves to the least of all places (see Sharing::least) a place computes of its own
// rows alone.
//
// A pipeline of steps that share (see Sharing) exchanges what one of them leaves to the next, while
// that one still computes the middle, and nothing at a generation's end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/registry/group_minimum.hpp"
#include "harness/registry/group_place.hpp"
#include "harness/registry/halo_exchange.hpp"
#include "harness/registry/linked_places.hpp"

namespace camber {

class GroupPipeline final : public Execution {
  public:
    // Takes the place of make_exchange(): a test's, whose exchange forgets something.
    using ExchangeMaker =
        std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)>;

    // Throws Unsupported where the problem cannot be divided so.
    GroupPipeline(std::unique_ptr<Group> group, const Problem& problem,
                  const std::vector<StepPlan>& plans, const Division& division,
                  const Exchange& exchange, const ExchangeMaker& make = make_exchange);
    ~GroupPipeline() override;

    void upload(const State& initial) override;
    void download(State& result) override;
    // Every place's own outputs, and what it computes of its neighbours' rows.
    void poison() override { poison_ = true; }
    void advance(int generations) override;
    const ExchangeContext* divided() const override { return &context_.value(); }

  private:
    void lay_out(const std::vector<StepPlan>& plans, const Division& division);
    void divide_phases(const std::vector<StepPlan>& plans, int edge_share, ExchangePath path);
    std::unique_ptr<LinkedPlaces> link(ExchangeContext context) const;
    void find_minima(const std::vector<StepPlan>& plans, ExchangePath path);
    void upload(GroupPlace& place, const State& state);
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
    int depth_ = 0;              // generations from exchange to exchange
    int reach_ = 0;              // rows of a generation
    std::optional<int> sender_;  // the step that sends in the middle of a generation
    bool overlap_;
    bool closed_;
    std::vector<std::string> step_names_;
    std::vector<bool> own_rows_;  // of each step: whether it computes a place's own rows only
    std::vector<std::vector<std::string>> outputs_;    // of each step
    std::vector<Rows> stripes_;                        // of all places
    std::vector<std::unique_ptr<GroupPlace>> places_;  // of this process
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;             // this
    std::unique_ptr<LinkedPlaces> links_;                // or these, or everything through the host
    std::vector<std::unique_ptr<GroupMinimum>> minima_;  // after each step; nullptr: none
    State board_;                                        // which then passes through here
    int number_ = 0;                                     // of the generation to come
    bool under_way_ = false;                             // rows that were sent and not received yet
    bool poison_ = false;
};

// Why these steps cannot be divided; nothing where they can.
std::optional<std::string> why_undivided(const std::vector<StepPlan>& plans);

}  // namespace camber
