#include <array>
#include <span>
#include <utility>

#include "harness/groups/communicator.hpp"
#include "harness/groups/routes.hpp"

namespace camber {

namespace {

// From the device to page-locked memory of the host, by a message to the neighbour's, and on to its
// device: an MPI need not know of devices. Two buffers each way, taken in turn, because what was
// sent or received before may still be under way.
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
        // What came into this buffer before is in use no more: the rows that were sent last
        // depended on it, and they have left.
        Buffer& coming = edge.coming[edge.turn];
        coming.message =
            ranks().receive(routes_.neighbour(place, side), tag(opposite(side)),
                            std::span(coming.bytes(), routes_.bytes(place, side, Way::received)));
    }

    void receive(int place, Side side, Queue& queue) override {
        // Whoever waits has sent everything: two that wait for each other would wait for ever.
        for (const Side other : sides) post(other);
        Edge& edge = edges_[index(side)];
        Buffer& coming = edge.coming[edge.turn];
        ranks().wait(coming.message);
        routes_.bring(place, side, coming.bytes(), queue);
    }

  private:
    static constexpr int own_place = 0;  // the only one of this process

    struct Buffer {
        PinnedMemory memory;
        Communicator::Message message;
        std::byte* bytes() const { return static_cast<std::byte*>(memory.get()); }
    };
    struct Edge {
        std::array<Buffer, 2> leaving;
        std::array<Buffer, 2> coming;
        std::size_t turn = 0;    // of the buffers that are in use now
        Queue* queue = nullptr;  // with rows on their way to the host
    };

    Communicator& ranks() const { return *routes_.group().ranks(); }
    // By the sender's side, which tells messages apart where both neighbours are one rank.
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
