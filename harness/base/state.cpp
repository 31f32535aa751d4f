#include "harness/base/state.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace camber {

namespace {

// From this size on, starting all threads pays off.
constexpr std::size_t large = std::size_t{64} << 20;
constexpr std::size_t piece = std::size_t{4} << 20;

// Requests huge pages, with which touching memory for the first time is several times as fast. A
// refusal has no effect.
void ask_for_large_pages(std::byte* memory, std::size_t bytes) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

void copy_all(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes == 0) return;
    if (bytes < large) {
        std::memcpy(to, from, bytes);
        return;
    }
    const auto pieces = static_cast<std::int64_t>((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < pieces; ++i) {
        const std::size_t start = static_cast<std::size_t>(i) * piece;
        std::memcpy(to + start, from + start, std::min(piece, bytes - start));
    }
}

}  // namespace

CellMemory::CellMemory(std::size_t bytes)
    : memory_(static_cast<std::byte*>(std::calloc(std::max<std::size_t>(bytes, 1), 1))),
      size_(bytes) {
    if (!memory_) throw std::bad_alloc();
    if (bytes >= large) ask_for_large_pages(memory_.get(), bytes);
}

CellMemory::CellMemory(const CellMemory& other) : CellMemory(other.size_) {
    copy_all(memory_.get(), other.memory_.get(), size_);
}

CellMemory& CellMemory::operator=(const CellMemory& other) {
    if (this == &other) return *this;
    if (size_ != other.size_ || !memory_) return *this = CellMemory(other);
    copy_all(memory_.get(), other.memory_.get(), size_);
    return *this;
}

namespace {

// In the order of ElementType.
constexpr std::array<ElementInfo, 6> elements{{{"uint8", 1, 8},
                                               {"uint32", 4, 32},
                                               {"int32", 4, 32},
                                               {"float32", 4, 32},
                                               {"float64", 8, 64},
                                               {"bits", 1, 1}}};

}  // namespace

ElementInfo info(ElementType type) {
    return elements[static_cast<std::size_t>(type)];
}

State converted(const State& state, ElementType from, ElementType to) {
    State result;
    result.account = state.account;
    const auto convert = [&]<class From, class To>(const HostField& field, From, To) {
        HostField& other = result.fields.emplace_back(field.name(), to, field.size());
        std::ranges::transform(field.cells<From>(), other.cells<To>().begin(),
                               [](From value) { return static_cast<To>(value); });
    };
    for (const HostField& field : state.fields) {
        if (field.element() != from || from == to)
            result.fields.push_back(field);
        else if (from == ElementType::float32 && to == ElementType::float64)
            convert(field, float{}, double{});
        else if (from == ElementType::float64 && to == ElementType::float32)
            convert(field, double{}, float{});
        else
            throw std::logic_error("only floating-point fields can be converted");
    }
    return result;
}

bool State::has(std::string_view name) const {
    return std::ranges::any_of(fields,
                               [&](const HostField& field) { return field.name() == name; });
}

const HostField& State::field(std::string_view name) const {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const HostField& field) { return field.name() == name; });
    if (found == fields.end())
        throw std::logic_error("the workload has no field " + std::string(name));
    return *found;
}

HostField& State::field(std::string_view name) {
    return const_cast<HostField&>(std::as_const(*this).field(name));
}

}  // namespace camber
