#include "harness/groups/row_movement.hpp"

#include <cstddef>

namespace camber {

namespace {

bool has(const Rows& rows, int row) {
    return row >= rows.first && row < rows.end;
}

// The place that has a row now.
std::size_t owner_of(const RowMovement& movement, int row) {
    std::size_t owner = 0;
    while (!has(movement.places[owner].own, row)) ++owner;
    return owner;
}

void copy_row(const FieldStore& from, int from_row, const FieldStore& to, int to_row,
              const std::string& field, bool closed, Queue& queue) {
    const Layout layout = from.layout(field);
    const int size = info(from.element(field)).size;
    // On a torus the columns' halo is no constant.
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
                // Others are no rows of the board: every place has all of them.
                if (store.layout(field).rows == all)
                    copy_row(*movement.places[owner].store, of_board, store, row, field,
                             movement.closed, queue);
        }
    }
}

}  // namespace camber
