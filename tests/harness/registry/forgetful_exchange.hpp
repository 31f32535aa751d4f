// Faulty exchanges that omit something, which group tests must detect.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/halo_exchange.hpp"

namespace camber {

// Base class, which omits nothing itself.
class Forgetful : public HaloExchange {
  public:
    explicit Forgetful(std::unique_ptr<HaloExchange> whole) : whole_(std::move(whole)) {}
    void begin() override { whole_->begin(); }
    void divide_anew(const std::vector<PlaceFields>& places) override {
        whole_->divide_anew(places);
    }
    void send(int place, Side side, Queue& queue) override { whole_->send(place, side, queue); }
    void receive(int place, Side side, Queue& queue) override {
        whole_->receive(place, side, queue);
    }
    void release(int place, Side side, Queue& queue) override {
        whole_->release(place, side, queue);
    }

  private:
    std::unique_ptr<HaloExchange> whole_;
};

struct SendsNothing final : Forgetful {
    using Forgetful::Forgetful;
    void send(int, Side, Queue&) override {}
    void receive(int, Side, Queue&) override {}
};
struct SendsUpOnly final : Forgetful {
    using Forgetful::Forgetful;
    void send(int place, Side side, Queue& queue) override {
        if (side == Side::above) Forgetful::send(place, side, queue);
    }
    void receive(int place, Side side, Queue& queue) override {
        if (side == Side::below) Forgetful::receive(place, side, queue);
    }
};
struct WaitsForNothing final : Forgetful {
    using Forgetful::Forgetful;
    void receive(int, Side, Queue&) override {}
};
struct ReleasesAtOnce final : Forgetful {
    using Forgetful::Forgetful;
    void release(int, Side, Queue&) override {}
};

struct SendsDownOnly final : Forgetful {
    using Forgetful::Forgetful;
    void send(int place, Side side, Queue& queue) override {
        if (side == Side::below) Forgetful::send(place, side, queue);
    }
    void receive(int place, Side side, Queue& queue) override {
        if (side == Side::above) Forgetful::receive(place, side, queue);
    }
};

template <class Mutant>
std::unique_ptr<HaloExchange> forgets(ExchangePath path, ExchangeContext context) {
    return std::make_unique<Mutant>(make_exchange(path, std::move(context)));
}

// Omits one of the fields.
inline auto forgets_field(std::string field) {
    return [field = std::move(field)](ExchangePath path, ExchangeContext context) {
        std::erase(context.fields, field);
        return make_exchange(path, std::move(context));
    };
}

}  // namespace camber
