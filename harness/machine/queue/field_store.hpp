// A workload's fields on a queue: laid out, surrounded by their halo, double-buffered where
// written.
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

// One where a field is never written while its old values are needed; else two, which are swapped.
enum class Buffers { one, two };

class FieldStore {
  public:
    explicit FieldStore(Queue& queue) : queue_(queue) {}
    // Some rows of all fields that `whole` has now, seen as fields of their own in the same memory:
    // what surrounds the rows is their halo. Fields that are added to it are added to `whole`,
    // which outlives it, and have no part.
    FieldStore(FieldStore& whole, Rows rows) : queue_(whole.queue_), whole_(&whole), rows_(rows) {}

    // Adds a field in `layout`. `outside` is one element: the value of the halo and of all padding.
    void add(std::string name, ElementType element, const Layout& layout,
             std::span<const std::byte> outside, Buffers buffers);

    // Fills `current` from the host, where the state has the field. Halo and padding hold the
    // outside value, in both buffers.
    void upload(const State& state);
    // Copies the interior of `current` to the host's fields that are stored here.
    void download(State& state) const;
    // The same of a state of which only some rows lie here: row 0 here is row `first_row` there.
    // The rows around them that the state has, as many as the halo holds, come along; on a board
    // that is `closed` in itself, a torus, those beyond its first row are the last ones.
    void upload(const State& state, int first_row, bool closed);
    void download(State& state, int first_row, Rows rows) const;
    // The same of a state of which only some columns lie here, all of them interior: column 0 here
    // is column `first_column` there.
    void upload_columns(const State& state, int first_column);
    void download_columns(State& state, int first_column, Rows columns) const;
    // The interior of `current`; nullopt where the field is not stored.
    std::optional<CellsView> view(std::string_view name) const;
    // Poisons the interior of the fields' `next` buffers, all of which the next launch must write.
    void poison_next(std::span<const std::string> names, Poison poison);
    // The same of some rows, which may lie in the halo.
    struct Poisoned {
        std::string name;
        Rows rows;
    };
    void poison_next(std::span<const Poisoned> poisoned, Poison poison);

    // The buffer that holds the field's values, and the one that a launch writes.
    void* current(std::string_view name) const { return start(find(name), false); }
    void* next(std::string_view name) const { return start(find(name), true); }
    Layout layout(std::string_view name) const;
    ElementType element(std::string_view name) const { return find(name).element; }
    bool has(std::string_view name) const;
    // What a launch wrote becomes current.
    void swap(std::string_view name);

  private:
    struct Field {
        std::string name;
        ElementType element;
        Layout layout;
        std::vector<std::byte> outside;
        Buffers buffers;
        bool whole;  // added to a part: it has no parts itself
        Memory current;
        Memory next;  // empty where there is one buffer

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
    std::vector<Field> fields_;  // none where this is a part
};

}  // namespace camber
