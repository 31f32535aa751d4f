#include "harness/base/layout.hpp"

#include <cstddef>
#include <utility>

namespace camber {

namespace {

std::uint32_t word_of(const std::uint8_t* row, int columns, BitOrder order, int word) {
    std::uint32_t bits = 0;
    const int first = order.column(word, 0);
    for (int b = 0; b < bits_per_word; ++b) {
        const int column = first + b * order.words_per_group;
        if (column >= columns) break;
        bits |= static_cast<std::uint32_t>(row[column] != 0) << b;
    }
    return bits;
}

void cells_of(std::uint32_t bits, std::uint8_t* row, int columns, BitOrder order, int word) {
    const int first = order.column(word, 0);
    for (int b = 0; b < bits_per_word; ++b) {
        const int column = first + b * order.words_per_group;
        if (column >= columns) break;
        row[column] = static_cast<std::uint8_t>(bits >> b & 1);
    }
}

// Calls f(row's cells, row's words, number of words) for every row.
template <class Bytes, class Words, class F>
void each_row(Bytes bytes, Words words, Size size, BitOrder order, const F& f) {
    const int per_row = order.words(size.columns);
#pragma omp parallel for schedule(static) if (size.cells() >= 1 << 20)
    for (int row = 0; row < size.rows; ++row)
        f(bytes.data() + static_cast<std::ptrdiff_t>(row) * size.columns,
          words.data() + static_cast<std::ptrdiff_t>(row) * per_row, per_row);
}

}  // namespace

State empty_words(const State& cells, BitOrder order) {
    State words;
    for (const HostField& field : cells.fields)
        if (field.element() == ElementType::bits)
            words.fields.emplace_back(field.name(), ElementType::uint32,
                                      Size{order.words(field.size().columns), field.size().rows});
        else
            words.fields.push_back(field);
    return words;
}

State in_words(const State& cells, BitOrder order) {
    State words = empty_words(cells, order);
    for (const HostField& field : cells.fields) {
        if (field.element() != ElementType::bits) continue;
        const Size size = field.size();
        each_row(field.cells<std::uint8_t>(), words.field(field.name()).cells<std::uint32_t>(),
                 size, order, [&](const std::uint8_t* row, std::uint32_t* to, int count) {
                     for (int w = 0; w < count; ++w) to[w] = word_of(row, size.columns, order, w);
                 });
    }
    return words;
}

void from_words(const State& words, BitOrder order, State& cells) {
    for (HostField& field : cells.fields) {
        const HostField& from = words.field(field.name());
        if (field.element() != ElementType::bits) {
            field = from;
            continue;
        }
        const Size size = field.size();
        each_row(field.cells<std::uint8_t>(), from.cells<std::uint32_t>(), size, order,
                 [&](std::uint8_t* row, const std::uint32_t* have, int count) {
                     for (int w = 0; w < count; ++w) cells_of(have[w], row, size.columns, order, w);
                 });
    }
}

}  // namespace camber
