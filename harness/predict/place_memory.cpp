#include "harness/predict/place_memory.hpp"

#include <fmt/format.h>

#include "harness/groups/halo_exchange.hpp"

namespace camber {

PlaceMemory::PlaceMemory(const ExchangeContext& context, const State& state, Partition partition)
    : context_(context), partition_(partition) {
    for (const HostField& field : state.fields) fields_.insert(field.name());
    for (const std::string& field : context.fields) fields_.insert(field);
}

std::optional<PlaceMemory::Cell> PlaceMemory::at(const void* address) const {
    for (int place = 0; place < static_cast<int>(context_.places.size()); ++place) {
        const PlaceFields& fields = context_.places[static_cast<std::size_t>(place)];
        for (const std::string& field : fields_) {
            if (!fields.store->has(field)) continue;
            const Layout layout = fields.store->layout(field);
            const std::ptrdiff_t size = info(fields.store->element(field)).size;
            for (const void* const start :
                 {fields.store->current(field), fields.store->next(field)}) {
                const std::ptrdiff_t bytes =
                    static_cast<const std::byte*>(address) - static_cast<const std::byte*>(start);
                if (bytes < 0 || bytes >= static_cast<std::ptrdiff_t>(layout.elements()) * size)
                    continue;
                const std::ptrdiff_t cell = bytes / size - layout.lead;
                if (cell < 0) return std::nullopt;  // padding before the first
                const int row = static_cast<int>(cell / layout.pitch) - layout.halo;
                const int column = static_cast<int>(cell % layout.pitch) - layout.halo;
                const int line = partition_ == Partition::columns ? column : row;
                const bool is_own = line >= fields.own.first && line < fields.own.end;
                switch (partition_) {
                    case Partition::columns:
                        return Cell{place, field, row, fields.first_row + column, is_own};
                    case Partition::transposed:  // the store's rows are the board's columns
                        return Cell{place, field, column, fields.first_row + row, is_own};
                    case Partition::rows:
                        break;
                }
                return Cell{place, field, fields.first_row + row, column, is_own};
            }
        }
    }
    return std::nullopt;
}

std::string PlaceMemory::name(const void* address) const {
    const auto cell = at(address);
    if (!cell) return "memory outside all fields";
    return fmt::format("row {}, column {} of field `{}`, {}device {}", cell->row, cell->column,
                       cell->field, cell->is_own ? "of " : "copy on ", cell->place);
}

std::string PlaceMemory::name(const Queue* queue) const {
    for (int place = 0; place < context_.group.places(); ++place) {
        const Place& queues = context_.group.at(place);
        for (const auto& [own, role] :
             {std::pair{queues.middle, "middle"}, std::pair{queues.above, "upper edge"},
              std::pair{queues.below, "lower edge"}})
            if (own == queue) return fmt::format("the {} queue of device {}", role, place);
    }
    return "another queue";
}

}  // namespace camber
