#include "harness/measure/unwritten_cells.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

#include "workloads/core/parallel_rows.hpp"

namespace camber {

namespace {

template <class Cell>
bool contains_poison(const HostField& field, Poison poison, int threads) {
    const auto pattern = static_cast<Cell>(poison_pattern(field.element(), poison));
    const std::span<const Cell> cells = field.cells<Cell>();
    const auto columns = static_cast<std::size_t>(field.size().columns);
    std::atomic<bool> found = false;
    parallel_rows(worthwhile_threads(field.size().cells(), threads), field.size().rows,
                  [&](int first, int last) {
                      const auto rows =
                          cells.subspan(static_cast<std::size_t>(first) * columns,
                                        static_cast<std::size_t>(last - first) * columns);
                      if (std::ranges::find(rows, pattern) != rows.end()) found = true;
                  });
    return found;
}

}  // namespace

std::optional<CellIndex> first_poisoned(const Workload& workload, const State& expected,
                                        const State& actual, Poison poison) {
    for (const HostField& want : expected.fields) {
        if (!workload.writes(want.name()) || want.element() == ElementType::bits) continue;
        const HostField& have = actual.field(want.name());
        const auto size = static_cast<std::size_t>(info(want.element()).size);
        for (std::int64_t i = 0; i < have.size().cells(); ++i) {
            const std::size_t at = static_cast<std::size_t>(i) * size;
            const std::byte* const cell = have.bytes().data() + at;
            if (is_poison(cell, have.element(), poison) &&
                std::memcmp(want.bytes().data() + at, cell, size) != 0)
                return CellIndex{&have, i};
        }
    }
    return std::nullopt;
}

bool hides_poison(const Workload& workload, const State& state, Poison poison, int threads) {
    return std::ranges::any_of(state.fields, [&](const HostField& field) {
        if (!workload.writes(field.name())) return false;
        switch (field.element()) {
            case ElementType::float32:
            case ElementType::float64:
                return false;
            case ElementType::bits:
                return true;
            case ElementType::uint8:
                return contains_poison<std::uint8_t>(field, poison, threads);
            case ElementType::uint32:
                return contains_poison<std::uint32_t>(field, poison, threads);
            case ElementType::int32:
                return contains_poison<std::int32_t>(field, poison, threads);
        }
        return true;
    });
}

}  // namespace camber
