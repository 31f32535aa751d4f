#include "harness/measure/group_times.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "harness/groups/halo_exchange.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/session_fixture.hpp"

namespace camber::group_times_test {
namespace {

timeline::Quantities two_places() {
    timeline::Quantities quantities;
    quantities.places.resize(2);
    quantities.places[0].kernel_ns = 3000;
    quantities.places[1].kernel_ns = 1000;
    quantities.places[0].exposed_copy_ns = 40;
    quantities.places[1].exposed_copy_ns = 120;
    quantities.places[1].exposed_wait_ns = 60;
    return quantities;
}

// Right after poison, as if the wait of poisoning were its own.
class RightAfterPoison final : public Execution {
  public:
    explicit RightAfterPoison(std::unique_ptr<Execution> whole) : whole_(std::move(whole)) {}
    void upload(const State& initial) override { whole_->upload(initial); }
    void download(State& result) override { whole_->download(result); }
    void poison(Poison poison) override {
        waited_ = true;
        whole_->poison(poison);
    }
    void advance(int generations) override {
        if (std::exchange(waited_, false)) whole_->advance(generations);
    }

  private:
    std::unique_ptr<Execution> whole_;
    bool waited_ = false;
};

}  // namespace

TEST_CASE("a group's times are of a generation, of the place that has most", "[group]") {
    results::GroupRecord group;
    group.exchange = "stores";
    describe_group(group, two_places(), 4, nullptr);
    CHECK(group.exposed_transfer_ns == 30.0);
    CHECK(group.barrier_wait_ns == 15.0);
    CHECK(group.imbalance == 1.5);
    CHECK(group == [] {
        results::GroupRecord other;
        other.exchange = "stores";
        return other;
    }());
}

TEST_CASE("kernels that wait themselves do not show for how long", "[group]") {
    for (const char* exchange : {"kernel", "persistent"}) {
        results::GroupRecord group;
        group.exchange = exchange;
        describe_group(group, two_places(), 4, nullptr);
        CHECK_FALSE(group.barrier_wait_ns);
        CHECK(group.imbalance == 1.5);
    }
}

TEST_CASE("how the rows of a box were divided is noted", "[group][start]") {
    simt::HostQueue lead(1);
    Group group(lead, std::vector{0, 0});
    class Divided final : public Execution {
      public:
        explicit Divided(Group& group) : context_{group, {}, {}, 1} {
            context_.moved_rows = 5;
            context_.box_rows = {6, 5};
            context_.divisions = {{0, {9}, 0}, {7, {5, 5}, 5}};
        }
        void upload(const State&) override {}
        void download(State&) override {}
        void poison(Poison) override {}
        void advance(int) override {}
        const ExchangeContext* divided() const override { return &context_; }

      private:
        ExchangeContext context_;
    };
    results::GroupRecord record;
    note_rows(record, Divided(group));
    note_rows(record, Divided(group));
    CHECK(record.moved_rows == 5);
    CHECK(record.rows == std::vector{6, 5});
    REQUIRE(record.divisions.size() == 2);
    CHECK(record.divisions[1].generation == 7);
    CHECK(record.divisions[1].rows == std::vector{5, 5});
    CHECK(record.divisions[1].moved_rows == 5);
}

TEST_CASE("a group is verified as it is timed, too", "[group][verification]") {
    run_test::Fixture fixture;
    Variant& variant = fixture.add("plain");
    const auto factory = variant.factories.at(Backend::cpu);
    variant.factories[Backend::cpu] = [factory](Queue& queue, const Problem& problem) {
        return std::make_unique<RightAfterPoison>(factory(queue, problem));
    };
    SECTION("one place has no others to wait for") {
        CaseRunner runner(fixture.study);
        CHECK(runner.run(variant).record.status == results::Status::ok);
    }
    SECTION("several do") {
        variant.info.group.emplace();
        variant.info.group->devices = {0, 0};
        variant.info.group->division.weights = {1, 1};
        CaseRunner runner(fixture.study);
        const CaseResult result = runner.run(variant);
        CHECK(result.record.status == results::Status::failed);
        REQUIRE(result.record.verification);
        CHECK_FALSE(result.record.verification->passed());
    }
}

TEST_CASE("the case of a group has its times", "[group][timeline]") {
    run_test::Fixture fixture;
    Variant& variant = fixture.add("plain");
    variant.info.group.emplace();
    variant.info.group->division.weights = {1};
    CaseRunner runner(fixture.study);
    const CaseResult result = runner.run(variant);
    REQUIRE(result.record.identity.group);
    CHECK(result.record.identity.group->imbalance == 1.0);
    CHECK(result.record.identity.group->exposed_transfer_ns == 0.0);
    CHECK_FALSE(result.timeline);
}

}  // namespace camber::group_times_test
