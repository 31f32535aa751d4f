#include "workloads/core/named_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "workloads/core/board_fields.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

namespace {

struct ScalarInfo {
    Scalar scalar;
    std::string_view name;
    int bytes;
};
constexpr ScalarInfo scalars[] = {
    {Scalar::int8, "int8", 1},         {Scalar::uint8, "uint8", 1},
    {Scalar::int16, "int16", 2},       {Scalar::uint16, "uint16", 2},
    {Scalar::int32, "int32", 4},       {Scalar::uint32, "uint32", 4},
    {Scalar::int64, "int64", 8},       {Scalar::uint64, "uint64", 8},
    {Scalar::float16, "float16", 2},   {Scalar::bfloat16, "bfloat16", 2},
    {Scalar::float32, "float32", 4},   {Scalar::float64, "float64", 8}};

const ScalarInfo& info_of(Scalar scalar) {
    return scalars[static_cast<std::size_t>(scalar)];
}

// Rounds to a 16-bit format with `fraction` bits of fraction, to nearest even.
std::uint16_t short_float_of(double value, int fraction) {
    const auto infinity = static_cast<std::uint32_t>(0x7fff >> fraction << fraction);
    const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | 1 << (fraction - 1));
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
    if (value == 0) return static_cast<std::uint16_t>(sign);
    const int least_exponent = 2 - (1 << (14 - fraction));  // of normal numbers
    const int exponent = std::max(std::ilogb(value), least_exponent);
    const double steps = std::nearbyint(std::ldexp(std::abs(value), fraction - exponent));
    const double bits = std::ldexp(exponent - least_exponent, fraction) + steps;
    return static_cast<std::uint16_t>(
        sign | (bits >= infinity ? infinity : static_cast<std::uint32_t>(bits)));
}

double value_of_short_float(std::uint16_t bits, int fraction) {
    const int field = bits >> fraction & ((1 << (15 - fraction)) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    const int rest = bits & ((1 << fraction) - 1);
    if (field == (1 << (15 - fraction)) - 1)
        return rest == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
    const int exponent = std::max(field, 1) + 1 - (1 << (14 - fraction));
    const int steps = rest + (field > 0 ? 1 << fraction : 0);
    return sign * std::ldexp(steps, exponent - fraction);
}

constexpr int half_fraction = 10;
constexpr int bfloat_fraction = 7;

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Calls `work` with the number in its C++ type; 16-bit floating-point numbers become double.
template <class Work>
decltype(auto) with_number(const std::byte* from, Scalar scalar, const Work& work) {
    switch (scalar) {
        case Scalar::int8:
            return work(load<std::int8_t>(from));
        case Scalar::uint8:
            return work(load<std::uint8_t>(from));
        case Scalar::int16:
            return work(load<std::int16_t>(from));
        case Scalar::uint16:
            return work(load<std::uint16_t>(from));
        case Scalar::int32:
            return work(load<std::int32_t>(from));
        case Scalar::uint32:
            return work(load<std::uint32_t>(from));
        case Scalar::int64:
            return work(load<std::int64_t>(from));
        case Scalar::uint64:
            return work(load<std::uint64_t>(from));
        case Scalar::float16:
            return work(value_of_short_float(load<std::uint16_t>(from), half_fraction));
        case Scalar::bfloat16:
            return work(value_of_short_float(load<std::uint16_t>(from), bfloat_fraction));
        case Scalar::float32:
            return work(load<float>(from));
        case Scalar::float64:
            break;
    }
    return work(load<double>(from));
}

}  // namespace

int ArrayType::scalar_bytes() const {
    return info_of(scalar).bytes;
}

std::string ArrayType::name() const {
    const std::string_view one = info_of(scalar).name;
    return lanes == 1 ? std::string(one) : fmt::format("{}x{}", one, lanes);
}

std::optional<ArrayType> array_type_named(std::string_view name) {
    int lanes = 1;
    if (name.size() > 2 && name[name.size() - 2] == 'x' && name.back() >= '2' &&
        name.back() <= '4') {
        lanes = name.back() - '0';
        name.remove_suffix(2);
    }
    for (const ScalarInfo& known : scalars)
        if (known.name == name) return ArrayType{known.scalar, lanes};
    return std::nullopt;
}

std::int64_t NamedArray::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
}

Size NamedArray::lines() const {
    const std::int64_t last = shape.empty() ? 1 : shape.back();
    return {static_cast<int>(last), static_cast<int>(elements() / std::max<std::int64_t>(1, last))};
}

std::string NamedArray::text() const {
    std::string text = name + " " + type.name();
    for (const std::int64_t extent : shape) text += fmt::format("[{}]", extent);
    return text;
}

std::string NamedArray::place(std::int64_t scalar) const {
    std::int64_t element = scalar / type.lanes;
    std::string indices;
    for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
        indices = fmt::format("[{}]", element % *extent) + indices;
        element /= *extent;
    }
    std::string text = name + indices;
    if (type.lanes > 1) text += fmt::format(".{}", "xyzw"[scalar % type.lanes]);
    return text;
}

ElementType NamedArray::storage() const {
    switch (type.scalar) {
        case Scalar::float32:
            return ElementType::float32;
        case Scalar::float64:
            return ElementType::float64;
        case Scalar::int32:
            return ElementType::int32;
        case Scalar::uint32:
        case Scalar::int64:
        case Scalar::uint64:
            return ElementType::uint32;
        default:
            return ElementType::uint8;
    }
}

Size NamedArray::storage_size() const {
    const Size size = lines();
    return {size.columns * (type.bytes() / info(storage()).size), size.rows};
}

double number_at(const std::byte* bytes, Scalar scalar) {
    return with_number(bytes, scalar, [](auto number) { return static_cast<double>(number); });
}

CellValue value_at(const std::byte* bytes, Scalar scalar) {
    return with_number(bytes, scalar, [](auto number) -> CellValue {
        if constexpr (std::is_same_v<decltype(number), std::uint64_t>) {
            if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                return fmt::format("{}", number);
        }
        if constexpr (std::is_integral_v<decltype(number)>)
            return static_cast<std::int64_t>(number);
        else
            return static_cast<double>(number);
    });
}

void put_scalar(std::byte* to, double value, Scalar scalar) {
    const auto put = [&](auto number) { std::memcpy(to, &number, sizeof number); };
    switch (scalar) {
        case Scalar::float16:
            return put(short_float_of(value, half_fraction));
        case Scalar::bfloat16:
            return put(short_float_of(value, bfloat_fraction));
        case Scalar::float32:
            return put(static_cast<float>(value));
        case Scalar::float64:
            return put(value);
        case Scalar::uint64:
            return put(value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                 : static_cast<std::uint64_t>(value));
        default:
            break;
    }
    const auto whole = static_cast<std::int64_t>(value);
    std::memcpy(to, &whole, static_cast<std::size_t>(info_of(scalar).bytes));
}

std::array<std::byte, 8> poison_of(Scalar scalar, Poison poison) {
    const bool first = poison == Poison::first;
    std::uint64_t pattern = 0;
    switch (scalar) {
        case Scalar::float16:
            pattern = first ? 0x7da5 : 0xfc5a;
            break;
        case Scalar::bfloat16:
            pattern = first ? 0x7fa5 : 0xff9a;
            break;
        case Scalar::float32:
            pattern = poison_pattern(ElementType::float32, poison);
            break;
        case Scalar::float64:
            pattern = poison_pattern(ElementType::float64, poison);
            break;
        default:
            pattern = poison_pattern(ElementType::uint8, poison);
    }
    std::array<std::byte, 8> bytes{};
    std::memcpy(bytes.data(), &pattern, sizeof pattern);
    return bytes;
}

bool is_poison(const std::byte* bytes, Scalar scalar, Poison poison) {
    const auto pattern = poison_of(scalar, poison);
    return std::memcmp(bytes, pattern.data(), static_cast<std::size_t>(info_of(scalar).bytes)) == 0;
}

const HasNamedArrays* named_arrays_of(const Workload& workload) {
    const HasBoardFields* const board = workload.capabilities().board_fields;
    return board ? board->named_arrays() : nullptr;
}

std::string arrays_text(const HasNamedArrays& problem) {
    std::string text;
    for (const NamedArray& array : problem.arrays())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            array.read && array.written ? "inout"
                            : array.written             ? "out"
                                                        : "in",
                            array.text());
    return text;
}

double moved_bytes_per_cell(const Workload& workload, ElementType cell) {
    const HasNamedArrays* const own = named_arrays_of(workload);
    if (!own) return workload.facts().moved.bytes(cell);
    double bytes = 0;
    double cells = 1;
    for (const NamedArray& array : own->arrays()) {
        bytes += static_cast<double>(array.bytes()) * (int{array.read} + int{array.written});
        cells = std::max(cells, static_cast<double>(array.elements()));
    }
    return bytes / cells;
}

}  // namespace camber
