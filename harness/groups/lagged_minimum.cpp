#include <utility>

#include "harness/groups/group_minimum.hpp"

namespace camber {

namespace {

std::size_t at_place(int place) {
    return static_cast<std::size_t>(place);
}

// The numbers travel on queues of their own while the places go on with what the time before has
// left (Rustico 2012, section 9.2).
class LaggedMinimum final : public GroupMinimum {
  public:
    LaggedMinimum(ExchangePath path, Group& group, std::vector<void*> numbers, std::size_t size)
        : group_(group),
          numbers_(std::move(numbers)),
          size_(size),
          lead_(group.lead().open_beside()),
          aside_(*lead_, group.devices(), group.ranks(), group.host_wait()) {
        std::vector<void*> travelling;
        for (int place = 0; place < places(); ++place) {
            Queue& middle = *group_.at(place).middle;
            held_.emplace_back(middle, size);
            travelling.push_back(travelling_.emplace_back(middle, size).get());
            given_.push_back(middle.make_event());
            found_.push_back(middle.make_event());
        }
        whole_ = make_group_minimum(path, aside_, std::move(travelling), size);
    }
    ~LaggedMinimum() override { aside_.synchronize(); }

    void begin() override {
        aside_.synchronize();
        whole_->begin();
        aside_.synchronize();
        taken_ = 0;
    }

    void take() override {
        // The host, where it is on the way, waits for numbers of the time before.
        if (taken_ > 1) find();
        for (int place = 0; place < places(); ++place) {
            Queue& middle = *group_.at(place).middle;
            if (taken_ > 0) middle.wait(*found_[at_place(place)]);
            middle.copy(held_[at_place(place)].get(), numbers_[at_place(place)], size_);
            if (taken_ > 0) take_found(place);
            middle.record(*given_[at_place(place)]);
            Queue& aside = *aside_.at(place).middle;
            aside.wait(*given_[at_place(place)]);
            aside.copy(travelling_[at_place(place)].get(), held_[at_place(place)].get(), size_);
        }
        if (taken_ == 0) {
            find();
            for (int place = 0; place < places(); ++place) {
                group_.at(place).middle->wait(*found_[at_place(place)]);
                take_found(place);
            }
        }
        // From the second time on, all that counts is whether there was one.
        if (taken_ < 2) ++taken_;
    }

  private:
    int places() const { return static_cast<int>(numbers_.size()); }

    void find() {
        whole_->take();
        for (int place = 0; place < places(); ++place)
            aside_.at(place).middle->record(*found_[at_place(place)]);
    }
    void take_found(int place) {
        group_.at(place).middle->copy(numbers_[at_place(place)], travelling_[at_place(place)].get(),
                                      size_);
    }

    Group& group_;
    std::vector<void*> numbers_;
    std::size_t size_;
    std::unique_ptr<Queue> lead_;
    Group aside_;  // the same places at other queues
    std::vector<Memory> held_;
    std::vector<Memory> travelling_;
    std::vector<std::unique_ptr<Event>> given_;  // to the queues aside
    std::vector<std::unique_ptr<Event>> found_;  // by them
    std::unique_ptr<GroupMinimum> whole_;
    int taken_ = 0;
};

}  // namespace

std::unique_ptr<GroupMinimum> make_lagged_minimum(ExchangePath path, Group& group,
                                                  std::vector<void*> numbers, std::size_t size) {
    return std::make_unique<LaggedMinimum>(path, group, std::move(numbers), size);
}

}  // namespace camber
