// A workload's fields on a queue: laid out, surrounded by their halo, double-buffered where
// written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backend/queue.hpp"
#include "harness/kernel/layout.hpp"
#include "workloads/state.hpp"

namespace camber {

class FieldStore {
  public:
    explicit FieldStore(Queue& queue) : queue_(queue) {}

    // Adds a field in `layout`. `outside` is one element: the value of the halo and of all padding.
    // A written field has two buffers, `current` and `next`.
    void add(std::string name, ElementType element, const Layout& layout,
             std::span<const std::byte> outside, bool written);

    // Fills `current` from the host. Halo and padding hold the outside value, in both buffers.
    void upload(const State& state);
    // Copies the interior of `current` to the host's fields that are stored here.
    void download(State& state) const;
    // Overwrites the interior of every `next` buffer with bytes that no field holds, so that a cell
    // the following launch leaves out cannot pass for a computed one.
    void poison_next();

    void* current(std::string_view name) const { return find(name).current.get(); }
    void* next(std::string_view name) const { return find(name).next.get(); }
    const Layout& layout(std::string_view name) const { return find(name).layout; }
    void swap(std::string_view name);

  private:
    struct Field {
        std::string name;
        ElementType element;
        Layout layout;
        std::vector<std::byte> outside;
        Memory current;
        Memory next;  // empty for a field that is only read

        std::byte* interior(const Memory& memory) const;
        std::size_t pitch() const;
        Rectangle shape() const;
    };

    const Field& find(std::string_view name) const;

    Queue& queue_;
    std::vector<Field> fields_;
};

}  // namespace camber
