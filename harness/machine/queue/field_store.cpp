#include "harness/machine/queue/field_store.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace camber {

namespace {

// After every upload, the buffer at the lower address is the current one, so that work that was
// recorded after one upload finds its inputs after any other.
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
    std::vector<Field>& fields = whole_ ? whole_->fields_ : fields_;
    fields.push_back({std::move(name),
                      element,
                      layout,
                      {outside.begin(), outside.end()},
                      buffers,
                      whole_ != nullptr,
                      Memory(queue_, bytes),
                      buffers == Buffers::two ? Memory(queue_, bytes) : Memory()});
    give_first_roles(fields.back().current, fields.back().next);
}

// Fills both buffers with the outside value, and restores their initial roles.
void FieldStore::clear(Field& field) {
    give_first_roles(field.current, field.next);
    queue_.fill(field.current.get(), field.layout.elements(), field.outside);
    if (field.next.get()) queue_.fill(field.next.get(), field.layout.elements(), field.outside);
}

void FieldStore::upload(const State& state) {
    upload(state, 0, false);
}

void FieldStore::upload(const State& state, int first_row, bool closed) {
    for (Field& field : fields_) {
        clear(field);
        if (!state.has(field.name)) continue;
        const HostField& from = state.field(field.name);
        const std::size_t width = field.shape().width;
        const int height = from.size().rows;
        const auto copy = [&](int row, int count) {
            const int there = ((first_row + row) % height + height) % height;
            queue_.upload(
                field.interior(field.current) +
                    static_cast<std::ptrdiff_t>(row) * static_cast<std::ptrdiff_t>(field.pitch()),
                field.pitch(), from.bytes().data() + static_cast<std::size_t>(there) * width, width,
                {width, static_cast<std::size_t>(count)});
        };
        copy(0, field.layout.rows);
        for (int i = 1; i <= field.layout.halo; ++i)
            for (const int row : {-i, field.layout.rows - 1 + i})
                if (closed || (first_row + row >= 0 && first_row + row < height)) copy(row, 1);
    }
}

void FieldStore::download(State& state) const {
    for (const Field& field : fields_)
        if (state.has(field.name))
            queue_.download(state.field(field.name).bytes().data(), field.shape().width,
                            field.interior(field.current), field.pitch(), field.shape());
}

void FieldStore::download(State& state, int first_row, Rows rows) const {
    for (const Field& field : fields_) {
        if (!state.has(field.name) || rows.count() == 0) continue;
        // A field that does not consist of board rows is stored whole on every device.
        const Rows from = field.whole ? Rows{0, field.layout.rows} : rows;
        const int to = field.whole ? 0 : first_row + rows.first;
        const std::size_t width = field.shape().width;
        queue_.download(
            state.field(field.name).bytes().data() + static_cast<std::size_t>(to) * width, width,
            field.interior(field.current) + static_cast<std::size_t>(from.first) * field.pitch(),
            field.pitch(), {width, static_cast<std::size_t>(from.count())});
    }
}

void FieldStore::upload_columns(const State& state, int first_column) {
    for (Field& field : fields_) {
        clear(field);
        if (!state.has(field.name)) continue;
        const HostField& from = state.field(field.name);
        const auto size = static_cast<std::size_t>(info(field.element).size);
        const std::size_t first = field.whole ? 0 : static_cast<std::size_t>(first_column);
        queue_.upload(field.interior(field.current), field.pitch(),
                      from.bytes().data() + first * size,
                      static_cast<std::size_t>(from.size().columns) * size, field.shape());
    }
}

void FieldStore::download_columns(State& state, int first_column, Rows columns) const {
    for (const Field& field : fields_) {
        if (!state.has(field.name)) continue;
        HostField& to = state.field(field.name);
        const auto size = static_cast<std::size_t>(info(field.element).size);
        const Rows from = field.whole ? Rows{0, field.layout.columns} : columns;
        const auto first = static_cast<std::size_t>(from.first);
        const std::size_t there = field.whole ? 0 : static_cast<std::size_t>(first_column) + first;
        queue_.download(to.bytes().data() + there * size,
                        static_cast<std::size_t>(to.size().columns) * size,
                        field.interior(field.current) + first * size, field.pitch(),
                        {static_cast<std::size_t>(from.count()) * size,
                         static_cast<std::size_t>(field.layout.rows)});
    }
}

std::optional<CellsView> FieldStore::view(std::string_view name) const {
    if (!has(name)) return std::nullopt;
    const Field& field = find(name);
    return CellsView{field.interior(field.current), field.pitch()};
}

void FieldStore::poison_next(std::span<const std::string> names, Poison poison) {
    std::vector<Poisoned> whole;
    for (const std::string& name : names) whole.push_back({name, {0, find(name).layout.rows}});
    poison_next(whole, poison);
}

void FieldStore::poison_next(std::span<const Poisoned> poisoned, Poison poison) {
    std::vector<ByteArea> areas;
    for (const auto& [name, rows] : poisoned) {
        const Field& field = find(name);
        const std::ptrdiff_t pitch = static_cast<std::ptrdiff_t>(field.pitch());
        areas.push_back({.first = field.interior(field.written()) + rows.first * pitch,
                         .pitch = field.pitch(),
                         .rows = static_cast<std::size_t>(rows.count()),
                         .width = field.shape().width,
                         .element = field.element,
                         .output = field.name.c_str()});
    }
    queue_.poison(areas, poison);
}

void FieldStore::swap(std::string_view name) {
    Field& field = const_cast<Field&>(find(name));
    if (field.buffers == Buffers::two) std::swap(field.current, field.next);
}

Layout FieldStore::layout(std::string_view name) const {
    const Field& field = find(name);
    return whole_ && !field.whole ? field.layout.part(rows_) : field.layout;
}

void* FieldStore::start(const Field& field, bool next) const {
    auto* const memory = static_cast<std::byte*>((next ? field.written() : field.current).get());
    if (!whole_ || field.whole) return memory;
    return memory + field.layout.offset_of(rows_) * info(field.element).size;
}

bool FieldStore::has(std::string_view name) const {
    const std::vector<Field>& fields = whole_ ? whole_->fields_ : fields_;
    return std::ranges::any_of(fields, [&](const Field& field) { return field.name == name; });
}

const FieldStore::Field& FieldStore::find(std::string_view name) const {
    const std::vector<Field>& fields = whole_ ? whole_->fields_ : fields_;
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field& field) { return field.name == name; });
    if (found == fields.end())
        throw std::logic_error("no field " + std::string(name) + " is stored");
    return *found;
}

}  // namespace camber
