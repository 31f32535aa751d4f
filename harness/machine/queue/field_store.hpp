// Fields of a workload on a queue: their layout, their halo, and double buffering for fields that
// are written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/base/state.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// One buffer for a field that is never written while its old values are needed; otherwise two,
// which are swapped.
enum class Buffers { one, two };

class FieldStore {
  public:
    explicit FieldStore(Queue& queue) : queue_(queue) {}
    // Makes a view of some rows of all current fields of `whole`, as fields of their own in the
    // same memory: the adjacent rows are their halo. Fields that are added to the view are added to
    // `whole`, which must outlive it, and are not restricted to these rows.
    FieldStore(FieldStore& whole, Rows rows) : queue_(whole.queue_), whole_(&whole), rows_(rows) {}

    // Adds a field in `layout`. `outside` is one element: the value of the halo and of all padding.
    void add(std::string name, ElementType element, const Layout& layout,
             std::span<const std::byte> outside, Buffers buffers);

    // Fills `current` from the host, for fields in `state`. Halo and padding have the outside
    // value, in both buffers.
    void upload(const State& state);
    // Copies the interior of `current` to those host fields that this store contains.
    void download(State& state) const;
    // Transfers part of a state, if the store contains only some of its rows: the store's row 0 is
    // row `first_row` of the state. upload() also transfers adjacent rows of the state, as many as
    // the halo has; if the board is `closed` (a torus), the last rows precede the first row.
    void upload(const State& state, int first_row, bool closed);
    void download(State& state, int first_row, Rows rows) const;
    // Transfers part of a state, if the store contains only some of its columns, all of them
    // interior: the store's column 0 is column `first_column` of the state.
    void upload_columns(const State& state, int first_column);
    void download_columns(State& state, int first_column, Rows columns) const;
    // The interior of `current`; nullopt if the field is not stored.
    std::optional<CellsView> view(std::string_view name) const;
    // Poisons the interior of the fields' `next` buffers, all of which the next launch must write.
    void poison_next(std::span<const std::string> names, Poison poison);
    // Rows of a field to poison; they may be in the halo.
    struct Poisoned {
        std::string name;
        Rows rows;
    };
    void poison_next(std::span<const Poisoned> poisoned, Poison poison);

    // The buffer with the field's values, and the buffer that a launch writes.
    void* current(std::string_view name) const { return start(find(name), false); }
    void* next(std::string_view name) const { return start(find(name), true); }
    Layout layout(std::string_view name) const;
    ElementType element(std::string_view name) const { return find(name).element; }
    bool has(std::string_view name) const;
    // Makes the buffer that a launch wrote the current one.
    void swap(std::string_view name);

  private:
    struct Field {
        std::string name;
        ElementType element;
        Layout layout;
        std::vector<std::byte> outside;
        Buffers buffers;
        bool whole;  // added to a view: independent of the view's rows
        Memory current;
        Memory next;  // empty if there is one buffer

        std::byte* interior(const Memory& memory) const;
        std::size_t pitch() const;
        Rectangle shape() const;
        const Memory& written() const { return buffers == Buffers::two ? next : current; }
    };

    const Field& find(std::string_view name) const;
    void* start(const Field& field, bool next) const;
    void clear(Field& field);

    Queue& queue_;
    FieldStore* whole_ = nullptr;
    Rows rows_;
    std::vector<Field> fields_;  // empty if this is a view
};

}  // namespace camber
