// Rows, or columns, that an exchange moves, and their memory locations.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/halo_exchange.hpp"

namespace camber {

constexpr Side opposite(Side side) {
    return side == Side::above ? Side::below : Side::above;
}

// Source and destination of an exchange: for every field, from a device's rows into its neighbor's
// halo.
class Routes {
  public:
    explicit Routes(ExchangeContext context) : context_(std::move(context)) {}

    const ExchangeContext& context() const { return context_; }
    void divide_anew(const std::vector<PlaceFields>& places) { context_.places = places; }
    Group& group() const { return context_.group; }
    int neighbour(int place, Side side) const { return fields_of(place).neighbours[index(side)]; }
    // sent(): the device's rows that its neighbor on that side needs. received(): the neighbor's
    // rows that the device needs.
    Rows sent(int place, Side side) const {
        const Rows own = fields_of(place).own;
        return side == Side::above ? Rows{own.first, own.first + context_.depth}
                                   : Rows{own.end - context_.depth, own.end};
    }
    Rows received(int place, Side side) const {
        const Rows own = fields_of(place).own;
        return side == Side::above ? Rows{own.first - context_.depth, own.first}
                                   : Rows{own.end, own.end + context_.depth};
    }
    // Current values of a field's rows. On a torus, they include the left and right halo.
    CellsView view(int place, const std::string& field, Rows rows) const {
        const FieldStore& store = *fields_of(place).store;
        const Layout layout = store.layout(field);
        const int size = info(store.element(field)).size;
        const std::ptrdiff_t first =
            layout.origin() + (are_columns()
                                   ? rows.first
                                   : static_cast<std::ptrdiff_t>(rows.first) * layout.pitch -
                                         (context_.closed ? layout.halo : 0));
        return {static_cast<const std::byte*>(store.current(field)) + first * size,
                static_cast<std::size_t>(layout.pitch) * static_cast<std::size_t>(size)};
    }
    Rectangle shape(int place, const std::string& field) const {
        const FieldStore& store = *fields_of(place).store;
        const Layout layout = store.layout(field);
        const int columns = are_columns()
                                ? context_.depth
                                : layout.columns + (context_.closed ? 2 * layout.halo : 0);
        return {static_cast<std::size_t>(columns) *
                    static_cast<std::size_t>(info(store.element(field)).size),
                static_cast<std::size_t>(are_columns() ? layout.rows : context_.depth)};
    }
    // All memory areas that a device sends to a side, or receives from there.
    std::vector<ByteArea> areas(int place, Side side, Way way) const {
        if (context_.parcels.areas) return context_.parcels.areas(place, side, way);
        const Rows rows = way == Way::sent ? sent(place, side) : received(place, side);
        std::vector<ByteArea> areas;
        for (const std::string& field : context_.fields) {
            const CellsView there = view(place, field, rows);
            const Rectangle part = shape(place, field);
            areas.push_back({const_cast<void*>(there.cells), there.pitch, part.rows, part.width});
        }
        return areas;
    }
    std::vector<Transfer> transfers(int place, Side side) const {
        const auto from = areas(place, side, Way::sent);
        const auto to = areas(neighbour(place, side), opposite(side), Way::received);
        std::vector<Transfer> transfers;
        for (std::size_t i = 0; i < from.size(); ++i)
            transfers.push_back({to[i].first,
                                 to[i].pitch,
                                 from[i].first,
                                 from[i].pitch,
                                 {from[i].width, from[i].rows}});
        return transfers;
    }

    // Maximum number of bytes that a device sends to one side, packed.
    std::size_t bytes(int place) const {
        if (context_.parcels.areas) return context_.parcels.most_bytes;
        std::size_t bytes = 0;
        for (const std::string& field : context_.fields) {
            const Rectangle rows = shape(place, field);
            bytes += rows.width * rows.rows;
        }
        return bytes;
    }
    // Number of bytes that a device currently sends or receives.
    std::size_t bytes(int place, Side side, Way way) const {
        std::size_t bytes = 0;
        for (const ByteArea& area : areas(place, side, way)) bytes += area.width * area.rows;
        return bytes;
    }
    // fetch() enqueues the transfer of the sent bytes to the host; bring() enqueues the transfer of
    // received bytes from the host into the halo.
    void fetch(int place, Side side, std::byte* to, Queue& queue) const {
        for (const ByteArea& area : areas(place, side, Way::sent)) {
            queue.start_download(to, area.width, area.first, area.pitch, {area.width, area.rows});
            to += area.width * area.rows;
        }
    }
    void bring(int place, Side side, const std::byte* from, Queue& queue) const {
        for (const ByteArea& area : areas(place, side, Way::received)) {
            queue.start_upload(area.first, area.pitch, from, area.width, {area.width, area.rows});
            from += area.width * area.rows;
        }
    }

  private:
    bool are_columns() const { return context_.partition == Partition::columns; }
    const PlaceFields& fields_of(int place) const {
        return context_.places[static_cast<std::size_t>(place)];
    }

    ExchangeContext context_;
};

}  // namespace camber
