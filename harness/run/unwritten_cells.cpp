#include "harness/run/unwritten_cells.hpp"

#include <algorithm>
#include <cstring>

namespace camber {

namespace {

bool is_real(ElementType element) {
    return element == ElementType::float32 || element == ElementType::float64;
}

// f(index, cell) for every cell that has the bytes of `poison`, until it returns true.
template <class F>
bool any_poisoned(const HostField& field, Poison poison, const F& f) {
    const auto size = static_cast<std::size_t>(info(field.element()).size);
    const std::byte* cell = field.bytes().data();
    for (std::int64_t i = 0; i < field.size().cells(); ++i, cell += size)
        if (is_poison(cell, field.element(), poison) && f(i, cell)) return true;
    return false;
}

}  // namespace

std::optional<CellIndex> first_poisoned(const Workload& workload, const State& expected,
                                        const State& actual, Poison poison) {
    for (const HostField& want : expected.fields) {
        if (!workload.writes(want.name()) || want.element() == ElementType::bits) continue;
        const HostField& have = actual.field(want.name());
        const auto size = static_cast<std::size_t>(info(want.element()).size);
        CellIndex found{&have, 0};
        const auto is_wrong = [&](std::int64_t i, const std::byte* cell) {
            found.cell = i;
            return std::memcmp(want.bytes().data() + static_cast<std::size_t>(i) * size, cell,
                               size) != 0;
        };
        if (any_poisoned(have, poison, is_wrong)) return found;
    }
    return std::nullopt;
}

bool hides_poison(const Workload& workload, const State& state, Poison poison) {
    return std::ranges::any_of(state.fields, [&](const HostField& field) {
        if (!workload.writes(field.name()) || is_real(field.element())) return false;
        return field.element() == ElementType::bits ||
               any_poisoned(field, poison, [](std::int64_t, const std::byte*) { return true; });
    });
}

}  // namespace camber
