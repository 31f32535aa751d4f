// A workload's fields on a queue: laid out, surrounded by their halo, double-buffered where
// written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backend/queue.hpp"
#include "harness/base/layout.hpp"
#include "harness/base/state.hpp"

namespace camber {

// One where a field is never written while its old values are needed; else two, which are swapped.
enum class Buffers { one, two };

class FieldStore {
  public:
    explicit FieldStore(Queue& queue) : queue_(queue) {}

    // Adds a field in `layout`. `outside` is one element: the value of the halo and of all padding.
    void add(std::string name, ElementType element, const Layout& layout,
             std::span<const std::byte> outside, Buffers buffers);

    // Fills `current` from the host, where the state has the field. Halo and padding hold the
    // outside value, in both buffers.
    void upload(const State& state);
    // Copies the interior of `current` to the host's fields that are stored here.
    void download(State& state) const;
    // The interior of `current`; nullopt where the field is not stored.
    std::optional<CellsView> view(std::string_view name) const;
    // Overwrites the interior of the fields' `next` buffers with bytes that no field holds, so that
    // a cell the following launch leaves out cannot pass for a computed one.
    void poison_next(std::span<const std::string> names);

    // The buffer that holds the field's values, and the one that a launch writes.
    void* current(std::string_view name) const { return find(name).current.get(); }
    void* next(std::string_view name) const {
        const Field& field = find(name);
        return (field.buffers == Buffers::two ? field.next : field.current).get();
    }
    const Layout& layout(std::string_view name) const { return find(name).layout; }
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
        Memory current;
        Memory next;  // empty where there is one buffer

        std::byte* interior(const Memory& memory) const;
        std::size_t pitch() const;
        Rectangle shape() const;
    };

    const Field& find(std::string_view name) const;

    Queue& queue_;
    std::vector<Field> fields_;
};

}  // namespace camber
