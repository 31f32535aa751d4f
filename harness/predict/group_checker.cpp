#include "harness/predict/group_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/groups/halo_exchange.hpp"
#include "harness/groups/routes.hpp"

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
                if (cell < 0) return std::nullopt;  // padding before the first cell
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

namespace {

std::string text_of(const HostField& field, std::size_t cell) {
    const std::size_t size = static_cast<std::size_t>(info(field.element()).size);
    const std::byte* const at = field.bytes().data() + cell * size;
    const auto as = [&]<class T>(T value) {
        std::memcpy(&value, at, sizeof(T));
        return fmt::format("{}", value);
    };
    switch (field.element()) {
        case ElementType::float32:
            return as(float{});
        case ElementType::float64:
            return as(double{});
        case ElementType::uint8:
        case ElementType::bits:
            return as(std::uint8_t{});
        case ElementType::int32:
            return as(std::int32_t{});
        default:
            return as(std::uint32_t{});
    }
}

// Rows of one device's part, or columns if the board is divided by columns, each as contiguous
// bytes.
std::vector<std::vector<std::byte>> lines_of(const CellsView& view, Rectangle shape,
                                             const ExchangeContext& context) {
    const bool columns = context.partition == Partition::columns;
    const auto depth = static_cast<std::size_t>(context.depth);
    // Bytes of a row in one line.
    const std::size_t part = columns ? shape.width / depth : shape.width;
    std::vector<std::vector<std::byte>> lines(columns ? depth : shape.rows);
    for (std::size_t row = 0; row < shape.rows; ++row) {
        const auto* at = static_cast<const std::byte*>(view.cells) + row * view.pitch;
        for (std::size_t line = columns ? 0 : row; line < (columns ? depth : row + 1); ++line) {
            lines[line].insert(lines[line].end(), at, at + part);
            at += part;
        }
    }
    return lines;
}

double sum_of(const State& state, const char* name) {
    double sum = 0;
    if (!state.has(name)) return sum;
    const HostField& field = state.field(name);
    if (field.element() == ElementType::float32)
        for (const float value : field.cells<float>()) sum += value;
    if (field.element() == ElementType::float64)
        for (const double value : field.cells<double>()) sum += value;
    return sum;
}

}  // namespace

GroupChecker::GroupChecker(Execution& divided, Execution& whole, const State& initial,
                           Partition partition)
    : divided_(divided), whole_(whole), partition_(partition), state_(initial), expected_(initial) {
    compare_halos(0);
}

void GroupChecker::compare(int generations) {
    if (!is_stale_) compare_halos(generations);
    if (!is_different_) compare_states(generations);
    before_ = generations;
}

void GroupChecker::add(FindingKind kind, std::string sentence) {
    findings_.push_back({.kind = kind,
                         .sites = "",
                         .paths = "",
                         .count = 1,
                         .examples = {},
                         .sentence = std::move(sentence)});
}

void GroupChecker::compare_halos(int generations) {
    const Routes routes(*divided_.divided());
    const ExchangeContext& context = routes.context();
    for (int place = 0; place < static_cast<int>(context.places.size()); ++place)
        for (const Side side : sides) {
            const int from = routes.neighbour(place, side);
            if (from < 0) continue;
            for (const std::string& field : context.fields) {
                const Rectangle shape = routes.shape(place, field);
                const Rows received = routes.received(place, side);
                const auto held = lines_of(routes.view(place, field, received), shape, context);
                auto sent = lines_of(routes.view(from, field, routes.sent(from, opposite(side))),
                                     shape, context);
                const std::string key = fmt::format("{} {} {}", from, index(side), field);
                std::vector<Line>& before = sent_before_[key];
                const auto stale = std::ranges::mismatch(held, sent).in1;
                if (stale != held.end()) {
                    const auto line = static_cast<std::size_t>(stale - held.begin());
                    const PlaceFields& own = context.places[static_cast<std::size_t>(place)];
                    add(FindingKind::stale_halo,
                        fmt::format("after generation {} device {} has {} {} of field `{}` {}",
                                    generations, place,
                                    partition_ == Partition::rows ? "row" : "column",
                                    own.first_row + received.first + static_cast<int>(line), field,
                                    line < before.size() && *stale == before[line]
                                        ? fmt::format("as device {} had it after "
                                                      "generation {}",
                                                      from, before_)
                                        : fmt::format("that differs from device {}", from)));
                    is_stale_ =
                        true;  // later exchanges only repeat it; other fields may be stale, too
                }
                before = std::move(sent);
            }
        }
}

std::vector<GroupChecker::Difference> GroupChecker::differences(const State& actual,
                                                                const State& expected) const {
    std::vector<Difference> found;
    for (const HostField& field : actual.fields) {
        const HostField& right = expected.field(field.name());
        const FieldDifference difference =
            difference_of(field.bytes().data(),
                          static_cast<std::size_t>(field.size().columns) *
                              static_cast<std::size_t>(info(field.element()).size),
                          right.bytes().data(), field.element(), field.size(), CellLimits{}, 1);
        if (difference.differing == 0) continue;
        const auto cell = static_cast<std::size_t>(difference.first);
        const auto columns = static_cast<std::size_t>(field.size().columns);
        found.push_back({field.name(), static_cast<int>(cell / columns),
                         static_cast<int>(cell % columns), text_of(field, cell),
                         text_of(right, cell), difference.differing});
    }
    return found;
}

int GroupChecker::owner_of(int row, int column) const {
    const int line = partition_ == Partition::rows ? row : column;
    const auto& places = divided_.divided()->places;
    for (std::size_t place = 0; place < places.size(); ++place)
        if (line - places[place].first_row >= places[place].own.first &&
            line - places[place].first_row < places[place].own.end)
            return static_cast<int>(place);
    return 0;
}

// Vent next to the first differing cell, if the divided run has more lava than the undivided one.
std::string GroupChecker::vent_that_gave_more(const State& actual, const State& expected,
                                              const std::vector<Difference>& different) const {
    constexpr double rounding = 1e-6;
    const auto lava = [](const State& state) {
        return sum_of(state, "thickness") + sum_of(state, "solidified");
    };
    if (!actual.has("vents") || lava(actual) <= lava(expected) * (1 + rounding)) return "";
    const HostField& vents = actual.field("vents");
    const auto cells = vents.cells<std::uint8_t>();
    int nearest = -1;
    int distance = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells[cell] == 0) continue;
        const int row = static_cast<int>(cell) / vents.size().columns;
        const int column = static_cast<int>(cell) % vents.size().columns;
        const int from = std::max(std::abs(row - different.front().row),
                                  std::abs(column - different.front().column));
        if (nearest >= 0 && from >= distance) continue;
        nearest = static_cast<int>(cell);
        distance = from;
    }
    if (nearest < 0) return "";
    const int row = nearest / vents.size().columns;
    const int column = nearest % vents.size().columns;
    return fmt::format("the vent in row {}, column {}, owned by device {}", row, column,
                       owner_of(row, column));
}

void GroupChecker::compare_states(int generations) {
    divided_.download(state_);
    whole_.download(expected_);
    const std::vector<Difference> different = differences(state_, expected_);
    if (different.empty()) return;
    is_different_ = true;
    if (const std::string vent = vent_that_gave_more(state_, expected_, different); !vent.empty())
        add(FindingKind::double_emission,
            fmt::format("after generation {} there is more lava than on one device, near {}",
                        generations, vent));
    for (const Difference& difference : different)
        add(FindingKind::wrong_result,
            fmt::format("after generation {} row {}, column {} of field `{}`, computed by device "
                        "{}, is {}, but {} on one device; {} {}",
                        generations, difference.row, difference.column, difference.field,
                        owner_of(difference.row, difference.column), difference.value,
                        difference.expected, difference.cells,
                        difference.cells == 1 ? "cell differs" : "cells differ"));
}

}  // namespace camber
