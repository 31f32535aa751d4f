// Helpers for tests of the executor: memory that a kernel can write, and the message of a fault.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/machine/kernel/vocabulary.hpp"

namespace camber {

// A field without halo or padding by default, with all cells set to `initial`.
template <class T>
struct Board {
    Layout layout;
    std::vector<T> cells;

    Board(int columns, int rows, T initial = {}, int halo = 0)
        : layout(Layout::make(columns, rows, halo, 0, sizeof(T))),
          cells(layout.elements(), initial) {}

    Grid<T> grid(const char* name = "board") { return {cells.data(), layout, name}; }
    Grid<const T> view(const char* name = "board") { return {cells.data(), layout, name}; }
};

// A launch of `blocks` x `threads` in one dimension.
inline LaunchShape line(unsigned blocks, unsigned threads, std::size_t dynamic_shared = 0) {
    return {{blocks}, {threads}, dynamic_shared};
}

// Returns the message of the KernelFault that `work` throws; "" if there is none.
template <class Work>
std::string fault_of(Work&& work) {
    try {
        work();
    } catch (const simt::KernelFault& fault) {
        return fault.what();
    }
    return "";
}

}  // namespace camber
