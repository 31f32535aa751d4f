#include "harness/groups/halo_exchange.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/groups/routes.hpp"

namespace camber {

namespace {

// One value for each side of each device.
template <class T>
using PerSide = std::vector<std::array<T, 2>>;

std::size_t at(int place) {
    return static_cast<std::size_t>(place);
}

// Exchange through host memory (Rustico 2012, section 6.2): rows are copied from the device to the
// host, which waits for them, and on to the neighbor. Each edge has two buffers, used in turn,
// because the neighbor may still be fetching the previous rows; with one buffer, the host waits for
// that, too.
class StagedExchange final : public HaloExchange {
  public:
    StagedExchange(ExchangeContext context, bool pinned)
        : routes_(std::move(context)), edges_(at(routes_.group().places())) {
        for (int place = 0; place < routes_.group().places(); ++place)
            for (const Side side : sides) {
                if (routes_.neighbour(place, side) < 0) continue;
                Edge& edge = edges_[at(place)][index(side)];
                edge.buffers.resize(routes_.context().buffers == BorderBuffers::one ? 1 : 2);
                for (Buffer& buffer : edge.buffers)
                    if (pinned)
                        buffer.pinned =
                            PinnedMemory(*routes_.group().at(place).middle, routes_.bytes(place));
                    else
                        buffer.pageable.resize(routes_.bytes(place));
            }
    }

    void divide_anew(const std::vector<PlaceFields>& places) override {
        routes_.divide_anew(places);
    }
    void send(int place, Side side, Queue& queue) override {
        Edge& edge = edges_[at(place)][index(side)];
        edge.turn = (edge.turn + 1) % edge.buffers.size();
        edge.queue = &queue;
        routes_.fetch(place, side, edge.buffers[edge.turn].bytes(), queue);
    }

    void receive(int place, Side side, Queue& queue) override {
        Edge& edge = edges_[at(routes_.neighbour(place, side))][index(opposite(side))];
        edge.queue->finish(routes_.group().host_wait());
        routes_.bring(place, side, edge.buffers[edge.turn].bytes(), queue);
        edge.taker = &queue;
    }
    void release(int place, Side side, Queue&) override {
        Edge& edge = edges_[at(routes_.neighbour(place, side))][index(opposite(side))];
        if (edge.buffers.size() == 1 && edge.taker)
            std::exchange(edge.taker, nullptr)->finish(routes_.group().host_wait());
    }

  private:
    struct Buffer {
        PinnedMemory pinned;
        std::vector<std::byte> pageable;
        std::byte* bytes() {
            return pinned.get() ? static_cast<std::byte*>(pinned.get()) : pageable.data();
        }
    };
    struct Edge {
        std::vector<Buffer> buffers;
        std::size_t turn = 0;    // buffer that was filled last
        Queue* queue = nullptr;  // fills the buffer
        Queue* taker = nullptr;  // empties the buffer
    };

    Routes routes_;
    PerSide<Edge> edges_;
};

// Copies rows from device to device; a queue that needs the rows waits for the event after the
// copy.
class CopiedExchange final : public HaloExchange {
  public:
    explicit CopiedExchange(ExchangeContext context)
        : routes_(std::move(context)),
          arrived_(at(routes_.group().places())),
          released_(at(routes_.group().places())) {
        for (int place = 0; place < routes_.group().places(); ++place)
            for (const Side side : sides)
                if (routes_.neighbour(place, side) >= 0)
                    for (auto* events : {&arrived_, &released_})
                        (*events)[at(place)][index(side)] =
                            routes_.group().at(place).middle->make_event();
    }

    void divide_anew(const std::vector<PlaceFields>& places) override {
        routes_.divide_anew(places);
    }
    void send(int place, Side side, Queue& queue) override {
        const int to = routes_.neighbour(place, side);
        if (routes_.context().may_come_early) queue.wait(*released_[at(to)][index(opposite(side))]);
        for (const Transfer& transfer : routes_.transfers(place, side)) queue.copy(transfer);
        queue.record(*arrived_[at(place)][index(side)]);
    }
    void receive(int place, Side side, Queue& queue) override {
        queue.wait(*arrived_[at(routes_.neighbour(place, side))][index(opposite(side))]);
    }
    void release(int place, Side side, Queue& queue) override {
        if (routes_.context().may_come_early) queue.record(*released_[at(place)][index(side)]);
    }

  private:
    Routes routes_;
    PerSide<std::unique_ptr<Event>> arrived_;   // rows that a device sent to that side
    PerSide<std::unique_ptr<Event>> released_;  // the device's copy of the rows on that side
};

// A kernel stores the rows into the neighbor's memory and increments a counter there; a queue that
// needs the rows waits on its device for the counter.
class StoredExchange final : public HaloExchange {
  public:
    explicit StoredExchange(ExchangeContext context) : routes_(std::move(context)) {
        for (int place = 0; place < routes_.group().places(); ++place)
            counts_.emplace_back(*routes_.group().at(place).middle, sizeof(Counts));
    }

    void begin() override {
        const std::uint32_t zero = 0;
        for (int place = 0; place < routes_.group().places(); ++place)
            routes_.group().at(place).middle->fill(counts_[at(place)].get(),
                                                   sizeof(Counts) / sizeof zero,
                                                   std::as_bytes(std::span(&zero, 1)));
    }
    void divide_anew(const std::vector<PlaceFields>& places) override {
        routes_.divide_anew(places);
    }
    void send(int place, Side side, Queue& queue) override {
        const int to = routes_.neighbour(place, side);
        if (routes_.context().may_come_early) {
            Counter& released = counts(place).released[index(side)];
            queue.peers().await(&released.come, &released.taken);
        }
        queue.peers().deliver(routes_.transfers(place, side),
                              &counts(to).arrived[index(opposite(side))].come,
                              &counts(place).done[index(side)]);
    }
    void receive(int place, Side side, Queue& queue) override {
        Counter& arrived = counts(place).arrived[index(side)];
        queue.peers().await(&arrived.come, &arrived.taken);
    }
    void release(int place, Side side, Queue& queue) override {
        if (routes_.context().may_come_early)
            queue.peers().deliver(
                {}, &counts(routes_.neighbour(place, side)).released[index(opposite(side))].come,
                &counts(place).done[index(side)]);
    }

  private:
    // A counter in the memory of the waiting device; the other device increments `come`.
    struct Counter {
        std::uint32_t come;
        std::uint32_t taken;
    };
    struct Counts {
        Counter arrived[2];   // rows from that side
        Counter released[2];  // on that side: the neighbor's halo may be written
        std::uint32_t done[2];
    };

    // Located in device memory: use its address only.
    Counts& counts(int place) const { return *static_cast<Counts*>(counts_[at(place)].get()); }

    Routes routes_;
    std::vector<Memory> counts_;
};

}  // namespace

std::unique_ptr<HaloExchange> make_exchange(ExchangePath path, ExchangeContext context) {
    switch (path) {
        case ExchangePath::staged:
            return std::make_unique<StagedExchange>(std::move(context), true);
        case ExchangePath::pageable:
            return std::make_unique<StagedExchange>(std::move(context), false);
        case ExchangePath::copies:
            return std::make_unique<CopiedExchange>(std::move(context));
        case ExchangePath::stores:
            return std::make_unique<StoredExchange>(std::move(context));
        case ExchangePath::nccl:
            return make_message_exchange(std::move(context));
        case ExchangePath::mpi:
            return make_rank_exchange(std::move(context));
        case ExchangePath::everything:
        case ExchangePath::kernel:
        case ExchangePath::persistent:
            break;
    }
    throw std::logic_error("this path moves edges by no exchange of their own");
}

bool is_recordable(ExchangePath path) {
    return path == ExchangePath::copies || path == ExchangePath::stores ||
           path == ExchangePath::kernel || path == ExchangePath::nccl;
}

LinkedPlaces::LinkedPlaces(ExchangeContext context) : group_(context.group) {
    const Routes routes(std::move(context));
    for (int place = 0; place < group_.places(); ++place)
        counts_.emplace_back(*group_.at(place).middle, sizeof(LinkCounts));
    const auto counts = [&](int place) {
        return static_cast<LinkCounts*>(counts_[static_cast<std::size_t>(place)].get());
    };
    for (int place = 0; place < group_.places(); ++place) {
        Links& links = links_.emplace_back();
        links.depth = routes.context().depth;
        links.fields = routes.context().fields;
        links.counts = counts(place);
        for (const Side side : sides) {
            const int to = routes.neighbour(place, side);
            if (to < 0) continue;
            links.side[index(side)] = {routes.context().places[static_cast<std::size_t>(to)].store,
                                       routes.received(to, opposite(side)).first,
                                       &counts(to)->arrived[index(opposite(side))]};
        }
    }
}

void LinkedPlaces::begin() {
    const std::uint32_t zero = 0;
    for (int place = 0; place < group_.places(); ++place)
        group_.at(place).middle->fill(counts_[static_cast<std::size_t>(place)].get(),
                                      sizeof(LinkCounts) / sizeof zero,
                                      std::as_bytes(std::span(&zero, 1)));
}

namespace {

bool has(const Rows& rows, int row) {
    return row >= rows.first && row < rows.end;
}

// Returns the device that currently has a row.
std::size_t owner_of(const RowMovement& movement, int row) {
    std::size_t owner = 0;
    while (!has(movement.places[owner].own, row)) ++owner;
    return owner;
}

void copy_row(const FieldStore& from, int from_row, const FieldStore& to, int to_row,
              const std::string& field, bool closed, Queue& queue) {
    const Layout layout = from.layout(field);
    const int size = info(from.element(field)).size;
    // On a torus, the left and right halo is not constant.
    const int halo = closed ? layout.halo : 0;
    const auto start = [&](const FieldStore& store, int row) {
        return static_cast<std::byte*>(store.current(field)) +
               (layout.origin() + static_cast<std::ptrdiff_t>(row) * layout.pitch - halo) * size;
    };
    const auto pitch = static_cast<std::size_t>(layout.pitch) * static_cast<std::size_t>(size);
    const auto width =
        static_cast<std::size_t>(layout.columns + 2 * halo) * static_cast<std::size_t>(size);
    queue.copy({start(to, to_row), pitch, start(from, from_row), pitch, {width, 1}});
}

}  // namespace

int moved_rows(const RowMovement& movement) {
    int moved = 0;
    for (std::size_t place = 0; place < movement.places.size(); ++place)
        for (int row = movement.stripes[place].first; row < movement.stripes[place].end; ++row)
            if (!has(movement.places[place].own, row)) ++moved;
    return moved;
}

void move_rows(const RowMovement& movement, Queue& queue) {
    const int all = movement.board_rows;
    for (std::size_t place = 0; place < movement.places.size(); ++place) {
        const FieldStore& store = *movement.places[place].store;
        const Rows stripe = movement.stripes[place];
        if (stripe.count() == 0) continue;
        for (int row = stripe.first - movement.halo; row < stripe.end + movement.halo; ++row) {
            if (!movement.closed && (row < 0 || row >= all)) continue;
            const int of_board = (row + all) % all;
            const std::size_t owner = owner_of(movement, of_board);
            if (owner == place && row == of_board) continue;
            for (const std::string& field : movement.fields)
                // Other fields do not consist of board rows: every device has all of them.
                if (store.layout(field).rows == all)
                    copy_row(*movement.places[owner].store, of_board, store, row, field,
                             movement.closed, queue);
        }
    }
}

}  // namespace camber
