#include "harness/capture/replay/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace camber::capture {

namespace {

constexpr std::uint64_t word_bytes = 8;

float half_value(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const float sign = (bits & 0x8000) != 0 ? -1.F : 1.F;
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

template <class T>
T loaded(const unsigned char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

const ByteTolerance* tolerance_at(const std::vector<ByteTolerance>& tolerances,
                                  std::uint64_t buffer, std::uint64_t offset) {
    for (const ByteTolerance& one : tolerances)
        if (one.buffer == buffer && offset >= one.begin && offset < one.end) return &one;
    return nullptr;
}

}  // namespace

std::size_t element_bytes(Element element) {
    switch (element) {
        case Element::bytes:
            return 1;
        case Element::float16:
        case Element::bfloat16:
            return 2;
        case Element::float32:
            return 4;
        case Element::float64:
            return 8;
    }
    return 1;
}

double value_of(Element element, const unsigned char* bytes) {
    switch (element) {
        case Element::bytes:
            return *bytes;
        case Element::float16:
            return half_value(loaded<std::uint16_t>(bytes));
        case Element::bfloat16: {
            const std::uint32_t bits = std::uint32_t{loaded<std::uint16_t>(bytes)} << 16;
            return loaded<float>(reinterpret_cast<const unsigned char*>(&bits));
        }
        case Element::float32:
            return loaded<float>(bytes);
        case Element::float64:
            return loaded<double>(bytes);
    }
    return 0;
}

bool within(const ByteTolerance& tolerance, const unsigned char* expected,
            const unsigned char* actual) {
    if (tolerance.element == Element::bytes) return true;
    const double wanted = value_of(tolerance.element, expected);
    const double value = value_of(tolerance.element, actual);
    if (std::isnan(wanted) || std::isnan(value)) return std::isnan(wanted) && std::isnan(value);
    if (wanted == value) return true;
    return std::abs(wanted - value) <=
           std::max(tolerance.absolute,
                    tolerance.relative * std::max(std::abs(wanted), std::abs(value)));
}

void compare(std::uint64_t buffer, std::span<const unsigned char> expected,
             std::span<const unsigned char> actual, const std::vector<ByteTolerance>& tolerances,
             const SameAddress& same_address, Difference& difference) {
    const std::uint64_t size = expected.size();
    const auto count_bytes = [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t bytes = 0;
        for (std::uint64_t k = begin; k < end; ++k) bytes += expected[k] != actual[k];
        return bytes;
    };
    const auto report = [&](std::uint64_t begin, std::uint64_t end) {
        if (difference.bytes == 0) {
            std::uint64_t first = begin;
            while (first < end && expected[first] == actual[first]) ++first;
            difference.first_buffer = buffer;
            difference.first_offset = first;
            const std::uint64_t word = first / word_bytes * word_bytes;
            const std::uint64_t bytes = std::min(word_bytes, size - word);
            difference.expected = hexadecimal(expected.data() + word, bytes);
            difference.actual = hexadecimal(actual.data() + word, bytes);
        }
        difference.bytes += count_bytes(begin, end);
    };
    for (std::uint64_t page = 0; page < size; page += page_bytes) {
        const std::uint64_t page_end = std::min(page + page_bytes, size);
        if (std::memcmp(expected.data() + page, actual.data() + page, page_end - page) == 0)
            continue;
        for (std::uint64_t at = page; at < page_end; at += word_bytes) {
            const std::uint64_t end = std::min(at + word_bytes, page_end);
            if (std::memcmp(expected.data() + at, actual.data() + at, end - at) == 0) continue;
            if (end - at == word_bytes && same_address(loaded<std::uint64_t>(expected.data() + at),
                                                       loaded<std::uint64_t>(actual.data() + at)))
                continue;
            for (std::uint64_t k = at; k < end;) {
                const ByteTolerance* const tolerance = tolerance_at(tolerances, buffer, k);
                const std::uint64_t bytes =
                    tolerance != nullptr
                        ? std::min<std::uint64_t>(element_bytes(tolerance->element), end - k)
                        : 1;
                const bool is_equal =
                    std::memcmp(expected.data() + k, actual.data() + k, bytes) == 0;
                if (!is_equal) {
                    if (tolerance != nullptr && bytes == element_bytes(tolerance->element) &&
                        within(*tolerance, expected.data() + k, actual.data() + k))
                        difference.tolerated += count_bytes(k, k + bytes);
                    else
                        report(k, k + bytes);
                }
                k += bytes;
            }
        }
    }
}

std::optional<ByteTolerance> variation(std::uint64_t buffer, Element element,
                                       std::span<const unsigned char> first,
                                       std::span<const unsigned char> second) {
    std::optional<ByteTolerance> found;
    const std::size_t bytes = element_bytes(element);
    for (std::size_t at = 0; at + bytes <= first.size(); at += bytes) {
        if (std::memcmp(first.data() + at, second.data() + at, bytes) == 0) continue;
        if (!found) found = ByteTolerance{buffer, at, 0, element, 0, 0};
        found->end = at + bytes;
        const double one = value_of(element, first.data() + at);
        const double other = value_of(element, second.data() + at);
        const double apart = std::abs(one - other);
        if (!std::isfinite(apart)) {
            found->element = Element::bytes;
            continue;
        }
        found->absolute = std::max(found->absolute, apart);
        found->relative =
            std::max(found->relative, apart / std::max(std::abs(one), std::abs(other)));
    }
    return found;
}

}  // namespace camber::capture
