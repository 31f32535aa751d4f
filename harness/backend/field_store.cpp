#include "harness/backend/field_store.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace camber {

namespace {

constexpr std::byte poison{0xa5};

// The buffer at the lower address is the current one after every upload: what was recorded after
// one upload finds its inputs after any other.
void give_first_roles(Memory& current, Memory& next) {
    if (next.get() && std::less<>{}(next.get(), current.get())) std::swap(current, next);
}

}  // namespace

std::byte* FieldStore::Field::interior(const Memory& memory) const {
    return static_cast<std::byte*>(memory.get()) + layout.origin() * info(element).size;
}

std::size_t FieldStore::Field::pitch() const {
    return static_cast<std::size_t>(layout.pitch) * info(element).size;
}

Rectangle FieldStore::Field::shape() const {
    return {static_cast<std::size_t>(layout.columns) * info(element).size,
            static_cast<std::size_t>(layout.rows)};
}

void FieldStore::add(std::string name, ElementType element, const Layout& layout,
                     std::span<const std::byte> outside, Buffers buffers) {
    const std::size_t bytes = layout.elements() * info(element).size;
    fields_.push_back({std::move(name),
                       element,
                       layout,
                       {outside.begin(), outside.end()},
                       buffers,
                       Memory(queue_, bytes),
                       buffers == Buffers::two ? Memory(queue_, bytes) : Memory()});
    give_first_roles(fields_.back().current, fields_.back().next);
}

void FieldStore::upload(const State& state) {
    for (Field& field : fields_) {
        give_first_roles(field.current, field.next);
        queue_.fill(field.current.get(), field.layout.elements(), field.outside);
        if (field.next.get()) queue_.fill(field.next.get(), field.layout.elements(), field.outside);
        if (!state.has(field.name)) continue;
        const HostField& from = state.field(field.name);
        queue_.upload(field.interior(field.current), field.pitch(), from.bytes().data(),
                      field.shape().width, field.shape());
    }
}

void FieldStore::download(State& state) const {
    for (const Field& field : fields_)
        if (state.has(field.name))
            queue_.download(state.field(field.name).bytes().data(), field.shape().width,
                            field.interior(field.current), field.pitch(), field.shape());
}

std::optional<CellsView> FieldStore::view(std::string_view name) const {
    if (!has(name)) return std::nullopt;
    const Field& field = find(name);
    return CellsView{field.interior(field.current), field.pitch()};
}

void FieldStore::poison_next(std::span<const std::string> names) {
    std::vector<ByteArea> areas;
    for (const std::string& name : names) {
        const Field& field = find(name);
        const Memory& memory = field.buffers == Buffers::two ? field.next : field.current;
        areas.push_back({.first = field.interior(memory),
                         .pitch = field.pitch(),
                         .rows = field.shape().rows,
                         .width = field.shape().width});
    }
    queue_.fill_bytes(areas, poison);
}

void FieldStore::swap(std::string_view name) {
    Field& field = const_cast<Field&>(find(name));
    if (field.buffers == Buffers::two) std::swap(field.current, field.next);
}

bool FieldStore::has(std::string_view name) const {
    return std::ranges::any_of(fields_, [&](const Field& field) { return field.name == name; });
}

const FieldStore::Field& FieldStore::find(std::string_view name) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const Field& field) { return field.name == name; });
    if (found == fields_.end())
        throw std::logic_error("no field " + std::string(name) + " is stored");
    return *found;
}

}  // namespace camber
