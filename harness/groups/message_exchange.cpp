// Halo exchange by messages, between devices (NCCL) and between ranks (MPI).
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/groups/routes.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber {

// Exchange by messages between devices. Each end of a message waits for the other end, so all
// messages of an exchange are enqueued at once.

namespace {

class MessageExchange final : public HaloExchange {
  public:
    MessageExchange(ExchangeContext context, std::unique_ptr<DeviceMessages> messages)
        : routes_(std::move(context)),
          messages_(std::move(messages)),
          arrived_(static_cast<std::size_t>(routes_.group().places())) {
        for_each_edge([this](int place, Side side) {
            arrived_[static_cast<std::size_t>(place)][index(side)] =
                routes_.group().at(place).middle->make_event();
        });
        count_edges();
    }

    void begin() override { given_.clear(); }

    void divide_anew(const std::vector<PlaceFields>& places) override {
        routes_.divide_anew(places);
        count_edges();
    }
    void send(int place, Side side, Queue& queue) override {
        given_.push_back({place, side, &queue});
        if (given_.size() == edges_) exchange();
    }
    void receive(int place, Side side, Queue& queue) override {
        queue.wait(*arrived_[static_cast<std::size_t>(place)][index(side)]);
    }

  private:
    struct Edge {
        int place;
        Side side;
        Queue* queue;
    };

    template <class F>
    void for_each_edge(const F& f) const {
        for (int place = 0; place < routes_.group().places(); ++place)
            for (const Side side : sides)
                if (routes_.neighbour(place, side) >= 0) f(place, side);
    }
    void count_edges() {
        edges_ = 0;
        for_each_edge([this](int, Side) { ++edges_; });
    }
    void exchange() {
        std::vector<DeviceMessages::Message> messages;
        // If two devices are neighbors on both sides, they receive in the order in which they send:
        // rows that one sends upwards arrive at the other from below.
        std::ranges::stable_sort(given_, {}, [](const Edge& edge) { return index(edge.side); });
        for (const Edge& edge : given_) add(messages, edge, Way::sent);
        std::ranges::stable_sort(given_, std::ranges::greater{},
                                 [](const Edge& edge) { return index(edge.side); });
        for (const Edge& edge : given_) add(messages, edge, Way::received);
        messages_->exchange(messages);
        for (const Edge& edge : given_)
            edge.queue->record(*arrived_[static_cast<std::size_t>(edge.place)][index(edge.side)]);
        given_.clear();
    }

    void add(std::vector<DeviceMessages::Message>& messages, const Edge& edge, Way way) const {
        for (const ByteArea& area : routes_.areas(edge.place, edge.side, way))
            for (std::size_t row = 0; row < area.rows; ++row)
                messages.push_back({edge.place, routes_.neighbour(edge.place, edge.side),
                                    way == Way::sent,
                                    static_cast<std::byte*>(area.first) + row * area.pitch,
                                    area.width, edge.queue});
    }

    Routes routes_;
    std::unique_ptr<DeviceMessages> messages_;
    std::size_t edges_ = 0;    // of all devices
    std::vector<Edge> given_;  // of the next exchange
    std::vector<std::array<std::unique_ptr<Event>, 2>> arrived_;
};

}  // namespace

std::unique_ptr<HaloExchange> make_message_exchange(ExchangeContext context) {
    const Group& group = context.group;
    if (group.lead().backend() != Backend::cuda)
        throw Unsupported("NCCL sends messages between GPUs, and this backend has none");
    if (const std::string why = why_no_nccl(); !why.empty()) throw Unsupported(why);
    std::vector<int> devices(group.devices().begin(), group.devices().end());
    std::ranges::sort(devices);
    if (std::ranges::adjacent_find(devices) != devices.end())
        throw Unsupported("NCCL needs a device for each place, and some share one");
    auto messages = open_nccl(group.devices());
    return std::make_unique<MessageExchange>(std::move(context), std::move(messages));
}

namespace {

// Exchange through page-locked host memory: from the device to the host, by a message to the
// neighbor's host memory, and on to its device, so that the MPI library need not support devices.
// Two buffers each way, used in turn, because the previous rows may still be in transit.
class RankExchange final : public HaloExchange {
  public:
    explicit RankExchange(ExchangeContext context) : routes_(std::move(context)) {
        for (const Side side : sides) {
            if (routes_.neighbour(own_place, side) < 0) continue;
            Edge& edge = edges_[index(side)];
            const std::size_t most = routes_.bytes(own_place);
            for (auto* buffers : {&edge.leaving, &edge.coming})
                for (Buffer& buffer : *buffers)
                    buffer.memory = PinnedMemory(*routes_.group().at(own_place).middle, most);
        }
    }

    void divide_anew(const std::vector<PlaceFields>& places) override {
        routes_.divide_anew(places);
    }
    void send(int place, Side side, Queue& queue) override {
        Edge& edge = edges_[index(side)];
        edge.turn = 1 - edge.turn;
        edge.queue = &queue;
        Buffer& leaving = edge.leaving[edge.turn];
        ranks().wait(leaving.message);
        routes_.fetch(place, side, leaving.bytes(), queue);
        // The earlier content of this buffer is no longer in use: the rows sent last depended on
        // it, and they have been sent.
        Buffer& coming = edge.coming[edge.turn];
        coming.message =
            ranks().receive(routes_.neighbour(place, side), tag(opposite(side)),
                            std::span(coming.bytes(), routes_.bytes(place, side, Way::received)));
    }

    void receive(int place, Side side, Queue& queue) override {
        // A rank sends all its rows before it waits; otherwise two ranks could wait for each other
        // forever.
        for (const Side other : sides) post(other);
        Edge& edge = edges_[index(side)];
        Buffer& coming = edge.coming[edge.turn];
        ranks().wait(coming.message);
        routes_.bring(place, side, coming.bytes(), queue);
    }

  private:
    static constexpr int own_place = 0;  // the only device of this process

    struct Buffer {
        PinnedMemory memory;
        Communicator::Message message;
        std::byte* bytes() const { return static_cast<std::byte*>(memory.get()); }
    };
    struct Edge {
        std::array<Buffer, 2> leaving;
        std::array<Buffer, 2> coming;
        std::size_t turn = 0;    // index of the buffers in use
        Queue* queue = nullptr;  // has rows on their way to the host
    };

    Communicator& ranks() const { return *routes_.group().ranks(); }
    // Tag derived from the sender's side, which distinguishes messages if both neighbors are the
    // same rank.
    static int tag(Side side) { return static_cast<int>(side); }

    void post(Side side) {
        Edge& edge = edges_[index(side)];
        if (edge.queue == nullptr) return;
        std::exchange(edge.queue, nullptr)->finish(routes_.group().host_wait());
        Buffer& leaving = edge.leaving[edge.turn];
        leaving.message =
            ranks().send(routes_.neighbour(own_place, side), tag(side),
                         std::span(leaving.bytes(), routes_.bytes(own_place, side, Way::sent)));
    }

    Routes routes_;
    std::array<Edge, 2> edges_;
};

}  // namespace

std::unique_ptr<HaloExchange> make_rank_exchange(ExchangeContext context) {
    return std::make_unique<RankExchange>(std::move(context));
}

}  // namespace camber
